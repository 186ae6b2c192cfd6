//! Compresses the page: what the program holds, and sends, is a quarter of `page/`.
//!
//! Each file becomes a gzip file in `OUT_DIR`, and `files.rs` there lists them by their paths.
//! Source: RFC 1952.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=page");
    let folder = Path::new("page");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let mut files = below(folder);
    files.sort();
    let mut list = "&[\n".to_owned();
    for file in files {
        let path = file.strip_prefix(folder).expect("it is below the folder");
        let path = path.to_str().expect("paths are ASCII").replace('\\', "/");
        let packed = path.replace('/', "-") + ".gz";
        let data = gzip(&fs::read(&file).expect("it can be read"));
        fs::write(out.join(&packed), data).expect("it has room");
        let place = format!(r#"concat!(env!("OUT_DIR"), "/{packed}")"#);
        let _ = writeln!(list, "    ({path:?}, include_bytes!({place})),");
    }
    fs::write(out.join("files.rs"), list + "]\n").expect("it has room");
}

fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("it is there").path());
    paths.flat_map(|path| if path.is_dir() { below(&path) } else { vec![path] }).collect()
}

/// A gzip file: a header without name and time, the compressed data, their checksum and length.
fn gzip(data: &[u8]) -> Vec<u8> {
    let mut file = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255];
    file.extend(miniz_oxide::deflate::compress_to_vec(data, 9));
    file.extend(checksum(data).to_le_bytes());
    file.extend(u32::try_from(data.len()).expect("files are small").to_le_bytes());
    file
}

/// CRC-32, bit by bit.
fn checksum(data: &[u8]) -> u32 {
    !data.iter().fold(u32::MAX, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| {
            if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 }
        })
    })
}
