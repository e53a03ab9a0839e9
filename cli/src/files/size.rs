//! Sizes in bytes, as options write them.

/// Returns the number of bytes of a text like `5GB`, `512MiB` or `1000`. Fails for other texts; the message names the option.
pub fn size(option: &str, text: &str) -> Result<u64, String> {
    let digits = text.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let (number, unit) = text.split_at(digits);
    let factor: Option<f64> = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => Some(1.0),
        "kb" => Some(1e3),
        "mb" => Some(1e6),
        "gb" => Some(1e9),
        "tb" => Some(1e12),
        "kib" => Some(1024.0),
        "mib" => Some(1024.0 * 1024.0),
        "gib" => Some(1024.0 * 1024.0 * 1024.0),
        "tib" => Some(1024.0 * 1024.0 * 1024.0 * 1024.0),
        _ => None,
    };
    let bytes = number.parse::<f64>().ok().zip(factor).map(|(number, factor)| number * factor);
    let bytes = bytes.filter(|bytes| (1.0..=9e18).contains(bytes));
    bytes.map(|bytes| bytes as u64).ok_or_else(|| format!("{option}: `{text}` is not a size like 512MiB or 5GB"))
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn units() {
        assert_eq!(["2GiB", "1.5kb", "7"].map(|text| size("--memory", text)), [Ok(2 << 30), Ok(1500), Ok(7)]);
        assert!(["2 apples", "", "0", "GiB", "1e30"].iter().all(|text| size("--memory", text).is_err()));
    }
}
