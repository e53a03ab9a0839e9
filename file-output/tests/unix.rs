//! Names, modes, owners, links, devices and descriptors of written files.
#![cfg(unix)]

use file_output::{Target, edit, target, write, write_folder};
use std::fs::{self, File, Permissions};
use std::io::{self, Read, SeekFrom, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use tempfile::{TempDir, tempdir};

fn put(path: &Path, text: &str) -> io::Result<()> {
    write(path, |out| out.write_all(text.as_bytes()))
}

fn folder() -> TempDir {
    tempdir().expect("a folder")
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("a file").mode() & 0o7777
}

fn is_root() -> bool {
    // A new file belongs to the user who makes it.
    tempfile::tempfile().and_then(|file| file.metadata()).is_ok_and(|about| about.uid() == 0)
}

#[test]
fn a_new_file_has_the_mode_of_any_new_file() {
    let folder = folder();
    let (new, other) = (folder.path().join("new"), folder.path().join("other"));
    put(&new, "1").expect("written");
    File::create(&other).expect("a file");
    assert_eq!(mode(&new), mode(&other));
    let (new, other) = (folder.path().join("new_folder"), folder.path().join("other_folder"));
    write_folder(&new, None, |_| Ok(()), |_| Ok::<_, io::Error>(())).expect("written");
    fs::create_dir(&other).expect("a folder");
    assert_eq!(mode(&new), mode(&other));
}

#[test]
fn a_file_that_is_replaced_keeps_its_mode_and_its_owner() {
    let folder = folder();
    let path = folder.path().join("a");
    for kept in [0o600, 0o640, 0o755, 0o666] {
        fs::write(&path, "old").expect("a file");
        fs::set_permissions(&path, Permissions::from_mode(kept)).expect("a mode");
        if is_root() {
            std::os::unix::fs::chown(&path, Some(1234), Some(4321)).expect("an owner");
        }
        // If the mode forbids it, nobody can read the new content meanwhile.
        write(&path, |out| {
            for name in names(folder.path()).iter().filter(|name| name.ends_with(".tmp")) {
                assert_eq!(mode(&folder.path().join(name)) & !kept, 0);
            }
            out.write_all(b"new")
        })
        .expect("written");
        assert_eq!((fs::read_to_string(&path).expect("text"), mode(&path)), ("new".into(), kept));
        let about = fs::metadata(&path).expect("a file");
        assert!(!is_root() || (about.uid(), about.gid()) == (1234, 4321));
    }
}

#[test]
fn links_are_followed() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("inner")).expect("a folder");
    fs::write(at("inner/file"), "old").expect("a file");
    symlink("inner/file", at("one")).expect("a link");
    symlink(at("one"), at("two")).expect("a link");
    symlink("inner", at("to_folder")).expect("a link");
    symlink("inner/later", at("dangling")).expect("a link");
    for (path, file) in [("two", "inner/file"), ("to_folder/file", "inner/file"), ("dangling", "inner/later")] {
        put(&at(path), path).expect("written");
        assert_eq!(fs::read_to_string(at(file)).expect("text"), path);
    }
    for link in ["one", "two", "to_folder", "dangling"] {
        assert!(fs::symlink_metadata(at(link)).expect("a link").is_symlink(), "{link}");
    }
    symlink("b", at("a")).expect("a link");
    symlink("a", at("b")).expect("a link");
    assert!(put(&at("a"), "").expect_err("a circle").to_string().contains("links"));
    symlink("nowhere/file", at("lost")).expect("a link");
    assert_eq!(put(&at("lost"), "").expect_err("no folder").kind(), io::ErrorKind::NotFound);
    assert_eq!(put(folder.path(), "").expect_err("a folder").kind(), io::ErrorKind::IsADirectory);
    assert_eq!(names(&at("inner")), ["file", "later"]);
}

#[test]
fn the_longest_name_is_written() {
    let folder = folder();
    let path = folder.path().join("n".repeat(255));
    for text in ["first", "second"] {
        put(&path, text).expect("written");
        assert_eq!(fs::read_to_string(&path).expect("text"), text);
    }
}

#[test]
fn a_fifo_stays_one() {
    let folder = folder();
    let path = folder.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
    let reader = std::thread::spawn({
        let path = path.clone();
        move || fs::read_to_string(path).expect("text")
    });
    // The output can seek back.
    let moved = write(&path, |out| {
        out.write_all(b"....file")?;
        out.seek(SeekFrom::Start(0))?;
        out.write_all(b"in a")
    });
    moved.expect("written");
    assert_eq!(reader.join().expect("the reader"), "in afile");
    assert!(fs::symlink_metadata(&path).expect("a FIFO").file_type().is_fifo());
    assert_eq!(names(folder.path()), ["fifo"]);
}

#[test]
fn a_device_stays_one() {
    let folder = folder();
    let path = folder.path().join("null");
    let made = Command::new("mknod").arg(&path).args(["c", "1", "3"]).output().expect("mknod");
    // Only root can make devices, and some file systems have none.
    if !made.status.success() || File::options().write(true).open(&path).is_err() {
        return;
    }
    let link = folder.path().join("link");
    symlink("null", &link).expect("a link");
    for path in [&path, &link] {
        put(path, "gone").expect("written");
    }
    assert!(fs::symlink_metadata(&path).expect("a device").file_type().is_char_device());
    assert_eq!(names(folder.path()), ["link", "null"]);
}

#[test]
fn a_descriptor_is_written_at_its_position() {
    let folder = folder();
    let path = folder.path().join("file");
    let mut file = File::create_new(&path).expect("a file");
    let number = file.as_raw_fd();
    file.write_all(b"head ").expect("written");
    let names = [format!("/dev/fd/{number}"), format!("/proc/self/fd/{number}"), format!("/proc/{}/fd/{number}", std::process::id())];
    let names = names.map(std::path::PathBuf::from).into_iter().filter(|name| name.parent().is_some_and(Path::exists));
    let mut expected = "head ".to_owned();
    for name in names {
        assert_eq!(target(&name).expect("a descriptor"), Target::Descriptor(number));
        put(&name, "body ").expect("written");
        expected += "body ";
    }
    file.write_all(b"tail").expect("written");
    assert_eq!(fs::read_to_string(&path).expect("text"), expected + "tail");
    assert!(put(Path::new("/dev/fd/1000000"), "").is_err());
}

#[test]
fn what_fails_or_unwinds_leaves_all_as_it_was() {
    let folder = folder();
    let (file, inner) = (folder.path().join("file"), folder.path().join("inner"));
    fs::write(&file, "old").expect("a file");
    fs::create_dir(&inner).expect("a folder");
    fs::write(inner.join("kept"), "old").expect("a file");
    let fail = || Err::<(), _>(io::Error::other("no more"));
    let attempts: [&dyn Fn() -> io::Result<()>; 6] = [
        &|| write(&file, |out| out.write_all(b"ne").and_then(|()| fail())),
        &|| write(&file, |_| panic!("a test")),
        &|| edit(&file, |copy| fs::write(copy, "new").and_then(|()| fail())),
        &|| write_folder(&inner, None, |_| Ok(()), |new| fs::write(new.join("new"), "new").and_then(|()| fail())),
        &|| write_folder(&inner, None, |_| Ok(()), |_| panic!("a test")),
        &|| write_folder(&file, None, |_| Ok(()), |_| Ok(())),
    ];
    for attempt in attempts {
        assert!(!matches!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(attempt)), Ok(Ok(()))));
        assert_eq!(names(folder.path()), ["file", "inner"]);
        assert_eq!((fs::read_to_string(&file).expect("text"), names(&inner)), ("old".into(), vec!["kept".into()]));
    }
}

#[test]
fn a_file_is_edited_as_a_copy() {
    let folder = folder();
    let (path, link) = (folder.path().join("file"), folder.path().join("link"));
    fs::write(&path, "one two").expect("a file");
    fs::set_permissions(&path, Permissions::from_mode(0o600)).expect("a mode");
    symlink("file", &link).expect("a link");
    let edited = edit(&link, |copy| {
        let mut file = File::options().read(true).write(true).open(copy)?;
        file.write_all(b"ONE")?;
        let mut old = String::new();
        File::open(&path)?.read_to_string(&mut old)?;
        Ok::<_, io::Error>(old)
    });
    assert_eq!(edited.expect("edited"), "one two");
    assert_eq!((fs::read_to_string(&path).expect("text"), mode(&path)), ("ONE two".into(), 0o600));
    assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
    assert!(edit(&folder.path().join("none"), |_| Ok::<_, io::Error>(())).is_err());
}

#[test]
fn folders_keep_links_and_modes() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir_all(at("real/sub")).expect("a folder");
    for (name, kept) in [("real/a", 0o600), ("real/sub/b", 0o640), ("real/gone", 0o644)] {
        fs::write(at(name), "old").expect("a file");
        fs::set_permissions(at(name), Permissions::from_mode(kept)).expect("a mode");
    }
    fs::set_permissions(at("real/sub"), Permissions::from_mode(0o711)).expect("a mode");
    fs::set_permissions(at("real"), Permissions::from_mode(0o750)).expect("a mode");
    symlink("real", at("link")).expect("a link");
    let written = write_folder(
        &at("link"),
        None,
        |_| Ok(()),
        |new| {
            assert_eq!(mode(new), 0o700);
            fs::create_dir(new.join("sub"))?;
            ["a", "sub/b", "c"].iter().try_for_each(|name| fs::write(new.join(name), "new"))
        },
    );
    written.expect("written");
    assert!(fs::symlink_metadata(at("link")).expect("a link").is_symlink());
    assert_eq!(
        (names(folder.path()), names(&at("real"))),
        (vec!["link".into(), "real".into()], ["a", "c", "sub"].map(str::to_owned).into())
    );
    assert_eq!(["real", "real/a", "real/sub", "real/sub/b"].map(|name| mode(&at(name))), [0o750, 0o600, 0o711, 0o640]);
    // Readers of the outer folder see no temporary name while an inner one is written.
    let written = write_folder(
        &at("link/sub"),
        Some(&at("link")),
        |_| Ok(()),
        |new| {
            assert_eq!(new.parent(), at("real").canonicalize()?.parent());
            fs::write(new.join("d"), "new")
        },
    );
    written.expect("written");
    assert_eq!((names(&at("real")), names(&at("real/sub"))), (["a", "c", "sub"].map(str::to_owned).into(), vec!["d".into()]));
}

#[test]
fn a_folder_that_is_not_spared_gets_its_name_back() {
    let folder = folder();
    let path = folder.path().join("a");
    fs::create_dir(&path).expect("a folder");
    fs::write(path.join("old"), "old").expect("a file");
    let replace = |spared: bool| {
        let spare = |old: &Path| {
            // `spare` sees files that were added while the new folder was written.
            assert_eq!(names(old), ["meanwhile", "old"]);
            assert_eq!(names(&path), ["new"]);
            if spared { Ok(()) } else { Err(io::Error::other("a test")) }
        };
        write_folder(&path, None, spare, |new| {
            fs::write(path.join("meanwhile"), "kept")?;
            fs::write(new.join("new"), "new")
        })
    };
    assert_eq!(replace(false).expect_err("refused").to_string(), "a test");
    assert_eq!((names(&path), names(folder.path())), (vec!["meanwhile".into(), "old".into()], vec!["a".into()]));
    replace(true).expect("replaced");
    assert_eq!((names(&path), names(folder.path())), (vec!["new".to_string()], vec!["a".to_string()]));
}

#[test]
fn an_old_folder_that_cannot_be_removed_is_no_error() {
    let folder = folder();
    let path = folder.path().join("a");
    fs::create_dir_all(path.join("inner")).expect("a folder");
    fs::write(path.join("inner/old"), "old").expect("a file");
    let mode = |of: &Path, mode| fs::set_permissions(of, Permissions::from_mode(mode)).expect("a mode");
    mode(&path.join("inner"), 0o500);
    write_folder(&path, None, |_| Ok(()), |new| fs::write(new.join("new"), "new")).expect("replaced");
    assert_eq!(names(&path), ["new"]);
    // Some users may remove everything.
    for left in names(folder.path()).iter().filter(|name| *name != "a") {
        assert!(left.starts_with("crd2idx-") && left.ends_with(".tmp"), "{left}");
        mode(&folder.path().join(left).join("inner"), 0o700);
    }
    // Another process may have removed it.
    write_folder(&path, None, |old| fs::remove_dir_all(old), |new| fs::write(new.join("newer"), "new")).expect("replaced");
    assert_eq!(names(&path), ["newer"]);
}

#[test]
fn only_digits_name_a_descriptor() {
    for name in ["/dev/fd/+1", "/dev/fd/01", "/dev/fd/-0", "/proc/self/fd/+1"] {
        assert!(!matches!(target(Path::new(name)), Ok(Target::Descriptor(_))), "{name}");
    }
    assert_eq!(target(Path::new("/dev/fd/1")).expect("a descriptor"), Target::Descriptor(1));
}
