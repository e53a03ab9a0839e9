//! Matrix Market and FROSTT files: reading, writing, and errors.

#[path = "text/headers.rs"]
mod headers;
#[path = "text/matrix_market.rs"]
mod matrix_market;
#[path = "text/refused.rs"]
mod refused;
#[path = "text/tns.rs"]
mod tns;
