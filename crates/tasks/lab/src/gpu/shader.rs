//! The shaders, with their workgroup size put in.

use super::measured::Kernel;

/// What a shader does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shader {
    /// Fills a row.
    Fill(Kernel),
    /// Takes the halo over from the tile before.
    Halo,
}

/// The text of a shader for workgroups of a size.
pub fn source(shader: Shader, size: u32) -> String {
    let text = match shader {
        Shader::Fill(Kernel::Global) => include_str!("fill.wgsl"),
        Shader::Fill(Kernel::Shared) => include_str!("fill_shared.wgsl"),
        Shader::Halo => include_str!("halo.wgsl"),
    };
    text.replace("@workgroup_size(SIZE)", &format!("@workgroup_size({size})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shader_has_its_size() {
        for shader in [Shader::Fill(Kernel::Global), Shader::Fill(Kernel::Shared), Shader::Halo] {
            let text = source(shader, 128);
            assert!(text.contains("@compute @workgroup_size(128)\nfn main("), "{text}");
            assert!(!text.contains("(SIZE)"));
        }
    }
}
