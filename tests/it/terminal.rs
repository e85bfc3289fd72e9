//! What a terminal shows: the program is run under `script`, which gives it one. Where there is no
//! `script`, there is nothing to test.

use super::program::{CACHE, Folder, PROGRAM};
use std::process::{Command, Stdio};

/// Everything that a terminal receives while the program runs, or `None` without `script`.
fn on_a_terminal(arguments: &str) -> Option<String> {
    let folder = Folder::new();
    let output = Command::new("script")
        .args(["-q", "-e", "-c", &format!("'{PROGRAM}' {arguments}"), "/dev/null"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env(CACHE, folder.path("cache"))
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .ok()?;
    assert!(output.status.success(), "{output:?}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn nothing_is_left_of_a_progress_line() {
    for arguments in [
        "solve 1,2,5,3,4,0,6,7,8",
        "solve data/boards/torus4-course.boards --timeout 5s",
        "batch data/boards/torus4-course.boards",
        "count torus3",
        "count torus3 --sample 3",
    ] {
        let Some(shown) = on_a_terminal(arguments) else { return };
        // A progress line is drawn after half a second, and wiped before anything else is.
        for line in shown.lines() {
            let left = line.rsplit("\x1b[2K").next().unwrap();
            let spinner = |c: char| ('\u{2800}'..='\u{28ff}').contains(&c);
            assert!(!left.contains(spinner), "{arguments}: {shown:?}");
        }
    }
    let Some(shown) = on_a_terminal("solve 1,2,5,3,4,0,6,7,8 -q") else { return };
    assert!(shown.starts_with("argument: sliding3") && !shown.contains('\x1b'), "{shown:?}");
}
