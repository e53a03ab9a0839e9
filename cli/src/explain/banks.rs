//! Explains bank conflicts, lane by lane.

use super::Result;
use super::page::{Account, many};
use super::statement::{Value, ask};
use crd2idx::algebra::expression::Operand;
use crd2idx::algebra::memory::{Access, Banks, Threads};

/// The maximum number of lanes whose words are written out.
const LANES: usize = 4;

/// The maximum number of banks, and of words per bank, that are listed.
const LISTED: usize = 4;

/// Explains `bank_conflicts(L, T, bits, vector)`: which words the first access of the first warp requests, and which lanes
/// collide in a bank.
pub fn conflicts(account: &mut Account, args: &[Value], result: &Value) -> Result<()> {
    let [layout, threads @ Operand::Layout(places), bits, vector] = args else { return Err("explain: no accesses".into()) };
    let number = |value: &Value| match value {
        Operand::Tuple(n) if n.is_scalar() => n.leaf(0).value().and_then(|n| u32::try_from(n).ok()).unwrap_or(1),
        _ => 1,
    };
    let (banks, access) = (Banks::NVIDIA, Access::vector(number(bits), number(vector)));
    let report = Threads::through(layout, places).and_then(|of| of.banks(access, banks)).map_err(|e| e.to_string())?;
    account.name("L", layout)?;
    account.name("T", threads)?;
    let bytes = access.element_bits * access.vector / 8;
    account.say(
        0,
        format!(
            "each lane requests {} of {} bits, {bytes} bytes; a word of {} bytes is in bank word mod {}",
            many(access.vector.into(), "element"),
            access.element_bits,
            banks.bytes(),
            banks.count()
        ),
    )?;
    let (Some(lanes), Some(served)) = (report.lanes.first(), report.accesses.first()) else {
        return account.say(0, format!("no lane requests anything: `bank_conflicts(L, T, {bits}, {vector}) = {result}`"));
    };
    for lane in 0..lanes.len().min(LANES) {
        let (Ok(at), Some(byte)) = (ask(&format!("crd2idx({threads}, {lane})")), lanes.byte(lane)) else { continue };
        let index = byte * 8 / i64::from(access.element_bits);
        let (word, size, count) = (byte / i64::from(banks.bytes()), banks.bytes(), banks.count());
        account.say(
            1,
            format!(
                "lane {lane}: `T({lane}) = {at}`, `L({at}) = {index}`, from byte `{index} * {} div 8 = {byte}`, word `{byte} div {size} = {word}`, bank `{word} mod {count} = {}`",
                access.element_bits,
                banks.bank(byte)
            ),
        )?;
    }
    if lanes.len() > LANES {
        account.say(1, format!("and so on, {} in all", many(lanes.len() as i128, "lane")))?;
    }
    let group = banks.group(bytes) as usize;
    if group < lanes.len() {
        account.say(
            0,
            format!("{} are served together, as all banks have {} bytes", many(group as i128, "lane"), banks.count() * banks.bytes()),
        )?;
    }
    let collisions = banks.collisions(lanes);
    for collision in collisions.iter().take(LISTED) {
        let word = |(word, lanes): &(i64, Vec<usize>)| {
            let lanes: Vec<String> = lanes.iter().map(usize::to_string).collect();
            format!("{word} of lane {}", lanes.join(" and "))
        };
        let mut words: Vec<String> = collision.words.iter().take(LISTED).map(word).collect();
        if collision.words.len() > LISTED {
            words.push(format!("{} more", collision.words.len() - LISTED));
        }
        account.say(0, format!("{} words of bank {} are requested: {}", collision.words.len(), collision.bank, words.join(", ")))?;
    }
    match collisions.len() {
        0 => account.say(0, "no two words of one bank are requested at once")?,
        n if n > LISTED => account.say(0, format!("and {} more banks likewise", n - LISTED))?,
        _ => {}
    }
    let (waves, ideal) = (served.wavefronts, served.ideal);
    account.say(
        0,
        format!(
            "the first access takes {}, {ideal} without conflicts: `{waves} - {ideal} = {}`",
            many(waves.into(), "wavefront"),
            waves - ideal
        ),
    )?;
    let all = many(report.accesses.len() as i128, "access");
    account.say(0, format!("over {all} `bank_conflicts(L, T, {bits}, {vector}) = {result}`"))
}
