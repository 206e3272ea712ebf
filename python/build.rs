//! What the linker of macOS is told of extension modules: Python brings what they call.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
