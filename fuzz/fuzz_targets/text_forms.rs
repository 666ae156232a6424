#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| searchscope_fuzz_targets::text_forms(data));
