//! Files that are written under a name of their own and moved into place when they are whole.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Characters of the target's name in the name of its draft: file systems bound names.
const NAME: usize = 60;
/// Links followed from a name to its file.
const LINKS: usize = 40;
const ENDING: &str = ".building";

/// A file that does not have its name yet.
///
/// It is written beside its target and takes the target's place when it is
/// [finished](Draft::finish); until then what stands there is untouched, so that the target may
/// be what is being read. A draft that is dropped goes away. One whose process was killed stays
/// until the next draft for the same target: drafts are locked as long as somebody writes them.
#[derive(Debug)]
pub struct Draft {
    file: File,
    path: PathBuf,
    target: PathBuf,
}

impl Draft {
    /// Begins a file that shall stand at `target`, or where that links to.
    ///
    /// # Errors
    /// A target that no file can take the place of (see [`takes_drafts`]), a folder in which no
    /// file can be made.
    pub fn new(target: &Path) -> io::Result<Self> {
        let target = place_of(target)?;
        let beginning = beginning(&target);
        let folder = match target.parent() {
            Some(folder) if folder != Path::new("") => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        remove_abandoned(&folder, &beginning);
        let mut attempt = 0;
        loop {
            let name = format!("{beginning}{}-{attempt}{ENDING}", std::process::id());
            attempt += 1;
            let path = folder.join(name);
            let file = match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => file,
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            };
            // Where there are no locks nobody takes a draft for abandoned.
            let _ = file.lock();
            // Another process may have done so before it was locked.
            if path.exists() {
                return Ok(Draft { file, path, target });
            }
        }
    }

    /// Gives the file its name. It is safely stored then, with the permissions of the one whose
    /// place it takes.
    ///
    /// # Errors
    /// The file cannot be stored or moved; what stood there still does.
    pub fn finish(self) -> io::Result<()> {
        if let Ok(known) = fs::metadata(&self.target) {
            self.file.set_permissions(known.permissions())?;
        }
        self.file.sync_all()?;
        fs::rename(&self.path, &self.target)
    }

    /// Has what was written so far safely stored.
    ///
    /// # Errors
    /// It cannot be.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // After it was moved there is none.
        let _ = fs::remove_file(&self.path);
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Draft {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Whether a file can take the place of what stands at `target`: not where that is a device, a
/// pipe or a descriptor such as `/dev/stdout`, which can only be written straight.
pub fn takes_drafts(target: &Path) -> bool {
    match fs::metadata(target) {
        // A folder is no place for a file, and is refused when the draft begins.
        Ok(known) => (known.is_file() || known.is_dir()) && !is_descriptor(target),
        Err(_) => true,
    }
}

/// Whether both names lead to one file, through links of any kind.
pub fn same_file(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let id = |path| fs::metadata(path).map(|known| (known.dev(), known.ino()));
        matches!((id(one), id(other)), (Ok(one), Ok(other)) if one == other)
    }
    #[cfg(not(unix))]
    {
        let place = |path| fs::canonicalize(path);
        matches!((place(one), place(other)), (Ok(one), Ok(other)) if one == other)
    }
}

/// Where a file named `target` stands: symbolic links stay, what they point to is replaced.
fn place_of(target: &Path) -> io::Result<PathBuf> {
    if !takes_drafts(target) {
        return Err(io::Error::new(
            ErrorKind::InvalidInput,
            "It is a device, a pipe or a descriptor; only a regular file can be replaced",
        ));
    }
    let ends_as_folder = target
        .as_os_str()
        .as_encoded_bytes()
        .last()
        .is_some_and(|&b| std::path::is_separator(b.into()));
    if target.is_dir() || ends_as_folder {
        return Err(io::Error::new(ErrorKind::IsADirectory, "It is a folder"));
    }
    let mut place = target.to_owned();
    for _ in 0..LINKS {
        if !place.is_symlink() {
            return match place.file_name() {
                Some(_) => Ok(place),
                None => Err(io::Error::new(ErrorKind::InvalidInput, "It is no name of a file")),
            };
        }
        let to = fs::read_link(&place)?;
        place.pop();
        place.push(to);
    }
    Err(io::Error::new(ErrorKind::InvalidInput, "It links to itself"))
}

/// Whether the name is that of an open file of a process: what it says it links to may be gone,
/// or be shared with whoever writes there too.
fn is_descriptor(target: &Path) -> bool {
    let mut place = target.to_owned();
    for _ in 0..LINKS {
        let folder = place.parent().and_then(|folder| fs::canonicalize(folder).ok());
        if folder.is_some_and(|folder| folder.starts_with("/proc")) {
            return true;
        }
        let Ok(to) = fs::read_link(&place) else { return false };
        place.pop();
        place.push(to);
    }
    false
}

/// What the names of drafts for a target begin with.
fn beginning(target: &Path) -> String {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    format!(".{}.", name.chars().take(NAME).collect::<String>())
}

/// Removes drafts that nobody writes any more; those that cannot be removed stay.
fn remove_abandoned(folder: &Path, beginning: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let middle = name.to_str().and_then(|n| n.strip_prefix(beginning)?.strip_suffix(ENDING));
        let numbers = middle.and_then(|middle| middle.split_once('-'));
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        if !numbers.is_some_and(|(process, attempt)| is_number(process) && is_number(attempt))
            || !entry.file_type().is_ok_and(|kind| kind.is_file())
        {
            continue;
        }
        let Ok(draft) = OpenOptions::new().write(true).open(entry.path()) else { continue };
        if draft.try_lock().is_ok() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let name = format!("synthon-draft-{name}-{}", std::process::id());
            let path = std::env::temp_dir().join(name);
            fs::create_dir_all(&path).unwrap();
            Folder(path)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            let mut names: Vec<String> =
                entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn written(target: &Path, text: &str) -> Draft {
        let mut draft = Draft::new(target).unwrap();
        draft.write_all(text.as_bytes()).unwrap();
        draft
    }

    #[test]
    fn a_file_is_what_it_was_until_the_new_one_is_whole() {
        let folder = Folder::new("whole");
        let target = folder.0.join("x.smi");
        fs::write(&target, "old").unwrap();
        drop(written(&target, "never"));
        let draft = written(&target, "new");
        assert_eq!(fs::read_to_string(&target).unwrap(), "old");
        draft.finish().unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "new");
        assert_eq!(folder.names(), ["x.smi"]);
        // A name as long as names may be.
        written(&folder.0.join("n".repeat(255)), "long").finish().unwrap();
        assert!(Draft::new(&folder.0).is_err());
        assert!(Draft::new(&folder.0.join("new/")).is_err());
        assert!(Draft::new(Path::new("")).is_err());
        assert!(Draft::new(&folder.0.join("no/such/folder")).is_err());
    }

    #[test]
    fn only_abandoned_drafts_of_the_same_target_go() {
        let folder = Folder::new("abandoned");
        let target = folder.0.join("x.smi");
        let kept = [".x.smi.1-0.building.bak", ".x.smi.a-0.building", ".y.smi.1-0.building"];
        for name in kept {
            fs::write(folder.0.join(name), "").unwrap();
        }
        fs::write(folder.0.join(".x.smi.1-0.building"), "").unwrap();
        let first = written(&target, "first");
        let second = written(&target, "second");
        assert_eq!(folder.names().len(), kept.len() + 2);
        first.finish().unwrap();
        second.finish().unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "second");
        assert_eq!(folder.names(), [&kept[..], &["x.smi"]].concat());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay_and_devices_are_refused() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = Folder::new("links");
        let (file, link) = (folder.0.join("file"), folder.0.join("link"));
        symlink("file", &link).unwrap();
        written(&link, "made").finish().unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "made");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(same_file(&file, &link) && !same_file(&file, &folder.0));
        written(&link, "again").finish().unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "again");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        let around = folder.0.join("around");
        symlink("around", &around).unwrap();
        assert!(Draft::new(&around).is_err());
        let null = folder.0.join("null");
        symlink("/dev/null", &null).unwrap();
        for device in [Path::new("/dev/null"), &null] {
            assert!(!takes_drafts(device) && Draft::new(device).is_err());
        }
        #[cfg(target_os = "linux")]
        assert!(!takes_drafts(Path::new("/dev/stdout")) && takes_drafts(&file));
    }
}
