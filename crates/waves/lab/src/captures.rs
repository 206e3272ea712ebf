//! The captures that ship with the project, by name: documents name them, and programs that run documents hold them.

/// Their names.
pub const NAMES: [&str; 3] = ["rmsnorm", "layernorm", "hgemm_splitk"];

/// The file of one, in the compact form.
pub fn file(name: &str) -> Option<&'static [u8]> {
    Some(match name {
        "rmsnorm" => include_bytes!("../captures/rmsnorm.waves"),
        "layernorm" => include_bytes!("../captures/layernorm.waves"),
        "hgemm_splitk" => include_bytes!("../captures/hgemm_splitk.waves"),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_capture() {
        for name in NAMES {
            let read = file(name).map(waves_read::compact::read);
            assert!(
                read.is_some_and(|read| read.is_ok_and(|packed| !packed.capture.waves.is_empty())),
                "{name}"
            );
        }
        assert!(file("x").is_none());
    }
}
