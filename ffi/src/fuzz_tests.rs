//! Runs the committed inputs of the fuzz target `c_api`.

#![expect(clippy::disallowed_methods, reason = "the inputs are files")]

use crate::fuzz::c_api;
use std::fs;
use std::path::Path;

/// One test for both, because plans count all handles of the process.
#[test]
fn committed_plans_and_random_ones() {
    random_plans();
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
    let mut n_inputs = 0;
    for kind in ["corpus", "regressions"] {
        let Ok(folder) = fs::read_dir(fuzz.join(kind).join("c_api")) else { continue };
        for file in folder {
            let path = file.expect("listed").path();
            let plan = fs::read(&path).expect("read");
            let outcome = std::panic::catch_unwind(|| c_api(&plan));
            assert!(outcome.is_ok(), "{} fails", path.display());
            n_inputs += 1;
        }
    }
    assert!(n_inputs > 3, "{n_inputs} inputs are not all");
}

fn random_plans() {
    let mut state = 1_u32;
    for _ in 0..300 {
        let plan: Vec<u8> = (0..200)
            .map(|_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            })
            .collect();
        c_api(&plan);
    }
}
