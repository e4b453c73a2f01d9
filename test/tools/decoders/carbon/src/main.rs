//! Reads lines `PROGRAM HEX`, an event as its program logs it, and prints what Carbon's decoder reads of each as a line of JSON, or null.
use carbon_pump_swap_decoder::instructions::cpi_event::CpiEvent as PoolEvent;
use carbon_pumpfun_decoder::instructions::cpi_event::CpiEvent as CurveEvent;
use std::io::{stdin, stdout, BufRead, Write};

fn bytes_of(hex: &str) -> Vec<u8> {
    let byte_at = |at| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex");
    (0..hex.len()).step_by(2).map(byte_at).collect()
}

fn read(line: &str) -> String {
    let (program, hex) = line.split_once(' ').expect("PROGRAM HEX");
    let data = bytes_of(hex);
    let json = match program {
        "pump" => CurveEvent::decode(&data).map(|event| serde_json::to_string(&event)),
        _ => PoolEvent::decode(&data).map(|event| serde_json::to_string(&event)),
    };
    json.map_or("null".to_string(), |text| text.expect("JSON"))
}

fn main() {
    let mut out = stdout().lock();
    for line in stdin().lock().lines() {
        writeln!(out, "{}", read(&line.expect("a line"))).expect("stdout");
    }
}
