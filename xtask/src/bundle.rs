//! Packs the built page into one file to be handed on: a zip with every file, and a few lines on how to serve it.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::{Failure, offline};

/// Its name; it lies beside `dist/`.
pub(crate) const NAME: &str = "warpspan-page.zip";
/// The folder inside, so that unpacking leaves no litter.
const FOLDER: &str = "warpspan";
const README: &str = "\
Warpspan, a page about the worst-case timing of GPU threads.

These are static files. Any web server will do, under any path; there is nothing to install or to set up:

    python3 -m http.server --bind 127.0.0.1 8080

in this folder, then open http://127.0.0.1:8080/ in a browser. Opening index.html as a file does not work: browsers
load no modules and no WebAssembly from files.

Nothing leaves the browser. After the first visit the page works without the server as well.
";

/// Writes the zip beside the page, and tells where.
pub(crate) fn pack(dist: &Path) -> Result<PathBuf, Failure> {
    let path = dist.with_file_name(NAME);
    let files = offline::files(dist)?;
    let write = || -> zip::result::ZipResult<()> {
        let mut zip = ZipWriter::new(File::create(&path)?);
        // No times: the same page gives the same zip.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .compression_level(Some(9))
            .unix_permissions(0o644);
        let readme = ("README.txt", README.as_bytes());
        let files = files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        for (name, bytes) in std::iter::once(readme).chain(files) {
            zip.start_file(format!("{FOLDER}/{name}"), options)?;
            zip.write_all(bytes)?;
        }
        zip.finish()?.flush()?;
        Ok(())
    };
    write().map_err(std::io::Error::from).map_err(Failure::file("write", &path))?;
    Ok(path)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::fs;
    use std::io::Read;

    use super::*;

    /// A page, as small as it gets.
    pub(crate) const PAGE: &[(&str, &str)] = &[
        ("dist/index.html", "<p>page"),
        ("dist/app-1f.js", "start()"),
        ("dist/app-1f_bg.wasm", "\0asm"),
        ("dist/style.css", "body {}"),
        ("dist/scenarios/one.json", "{}"),
    ];

    /// A temporary folder, removed in the end.
    pub(crate) struct Folder {
        pub(crate) path: PathBuf,
    }

    impl Folder {
        pub(crate) fn new(name: &str, files: &[(&str, &str)]) -> Self {
            let path = std::env::temp_dir().join(format!("warpspan-page-{}-{name}", std::process::id()));
            let folder = Self { path };
            for (name, text) in files {
                folder.write(name, text.as_bytes());
            }
            folder
        }

        pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
            let path = self.path.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a temporary folder");
            fs::write(path, bytes).expect("a temporary file");
        }

        pub(crate) fn read(&self, name: &str) -> String {
            fs::read_to_string(self.path.join(name)).expect("a text")
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.path);
        }
    }

    #[test]
    fn the_zip_holds_the_whole_page_and_says_how_to_serve_it() {
        let folder = Folder::new("zip", PAGE);
        let dist = folder.path.join("dist");
        let path = pack(&dist).expect("packed");
        assert_eq!(path, folder.path.join(NAME));
        let mut zip = zip::ZipArchive::new(File::open(&path).expect("a zip")).expect("a zip");
        let mut text = |name: &str| {
            let mut text = String::new();
            zip.by_name(&format!("warpspan/{name}")).expect(name).read_to_string(&mut text).expect("a text");
            text
        };
        assert!(text("README.txt").contains("python3 -m http.server"));
        for (name, wanted) in PAGE {
            assert_eq!(&text(name.trim_start_matches("dist/")), wanted, "{name}");
        }
        assert_eq!(zip.len(), PAGE.len() + 1);
    }

    #[test]
    fn the_same_page_gives_the_same_zip() {
        let folder = Folder::new("same", PAGE);
        let pack = || fs::read(pack(&folder.path.join("dist")).expect("packed")).expect("bytes");
        assert_eq!(pack(), pack());
    }
}
