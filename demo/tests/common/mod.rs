//! Runs the demo for tests: on lavapipe, in a window on a virtual display, or without a window.

#![allow(dead_code, reason = "each test program uses a part")]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use image::RgbaImage;

/// The time limit of any wait: what a test waits for comes at once, or never.
const PATIENCE: Duration = Duration::from_mins(2);

/// The colour of the panel.
const PAPER: [u8; 4] = [24, 27, 41, 255];

/// Returns a command that runs the demo in a folder. It draws with lavapipe, even if there are other GPUs.
pub(crate) fn demo(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hitmask-demo"));
    command.current_dir(folder).env("WGPU_ADAPTER_NAME", "llvmpipe").env("XDG_RUNTIME_DIR", folder);
    command.env_remove("WGPU_BACKEND").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET").env_remove("DISPLAY");
    command.env_remove("VK_DRIVER_FILES").env_remove("VK_ICD_FILENAMES");
    command
}

/// Runs the demo until it ends.
pub(crate) fn finish(command: &mut Command) -> Output {
    command.output().expect("the demo starts")
}

/// Runs the demo until it ends, asserts that it succeeded, and returns its standard output.
pub(crate) fn succeed(command: &mut Command) -> String {
    let output = finish(command);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} ended with {}: {errors}", output.status);
    assert!(!errors.contains("error"), "{command:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// Returns the path of a scene in `assets/scenes`.
pub(crate) fn asset(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/scenes").join(name)
}

pub(crate) fn open_image(path: &Path) -> RgbaImage {
    image::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).into_rgba8()
}

/// Asserts that two pictures are equal, up to one step of a colour: lines are drawn with floats, whose last bit differs
/// between processors.
pub(crate) fn assert_same(got: &RgbaImage, expected: &RgbaImage, what: &str) {
    assert_eq!(got.dimensions(), expected.dimensions(), "{what}");
    for (x, y, pixel) in got.enumerate_pixels() {
        let other = expected.get_pixel(x, y);
        let near = pixel.0.iter().zip(other.0).all(|(&a, b)| a.abs_diff(b) <= 1);
        assert!(near, "{what}: the pixel ({x}, {y}) is {:?}, not {:?}", pixel.0, other.0);
    }
}

/// A virtual display, which ends when this is dropped.
pub(crate) struct Display {
    server: Child,
    name: String,
    /// The file with the screen's pixels.
    screen: PathBuf,
}

impl Display {
    pub(crate) fn open(folder: &Path) -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp", "-noreset", "-fbdir"])
            .arg(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("Xvfb does not start ({error}): `./test --setup` installs it"));
        let mut line = String::new();
        let stdout = server.stdout.take().expect("it is piped");
        BufReader::new(stdout).read_line(&mut line).expect("Xvfb tells its display");
        assert!(!line.trim().is_empty(), "Xvfb found no display");
        Self { server, name: format!(":{}", line.trim()), screen: folder.join("Xvfb_screen0") }
    }

    /// Returns a command that runs the demo in a window on this display.
    pub(crate) fn demo(&self, folder: &Path) -> Command {
        let mut command = demo(folder);
        command.env("DISPLAY", &self.name);
        command
    }

    /// Sends keys and mouse events, and returns the output of `xdotool`.
    pub(crate) fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", &self.name)
            .output()
            .unwrap_or_else(|error| panic!("xdotool does not start ({error}): `./test --setup` installs it"));
        String::from_utf8(output.stdout).expect("text")
    }

    /// Returns the picture on the screen. It is an XWD file, whose header gives the offset of the pixels, 32 bits each,
    /// blue first.
    pub(crate) fn screen(&self) -> RgbaImage {
        let file = fs::read(&self.screen).expect("Xvfb keeps its screen in a file");
        let word = |index: usize| {
            let bytes = file[4 * index..4 * index + 4].try_into().expect("four bytes");
            u32::from_be_bytes(bytes) as usize
        };
        let (header, width, height, stride, colours) = (word(0), word(4), word(5), word(12), word(19));
        let pixels = &file[header + 12 * colours..];
        RgbaImage::from_fn(width as u32, height as u32, |x, y| {
            let at = y as usize * stride + 4 * x as usize;
            image::Rgba([pixels[at + 2], pixels[at + 1], pixels[at], 255])
        })
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// A window of the demo that has the keyboard focus.
pub(crate) struct Window<'a> {
    display: &'a Display,
    folder: PathBuf,
    demo: Option<Child>,
    id: String,
}

impl<'a> Window<'a> {
    /// Opens a window that shows a scene.
    pub(crate) fn open(display: &'a Display, folder: &Path, arguments: &[&str]) -> Self {
        let window = Self::appear(display, folder, arguments);
        // It handles keys once it has drawn.
        window.key("F12");
        let picture = window.folder.join("hitmask-picture-1.png");
        wait("the first picture", || {
            window.key("F12");
            sleep(Duration::from_millis(100));
            picture.exists()
        });
        // Keys are handled in order: once this one is, all pictures of earlier keys are written.
        window.scene();
        window
    }

    /// Opens a window that shows a sheet or a level, and waits until it is drawn.
    pub(crate) fn open_document(display: &'a Display, folder: &Path, arguments: &[&str]) -> Self {
        let window = Self::appear(display, folder, arguments);
        wait("the panel", || display.screen().get_pixel(799, 599) == &image::Rgba(PAPER));
        window
    }

    /// Opens a window, and gives it the keyboard.
    fn appear(display: &'a Display, folder: &Path, arguments: &[&str]) -> Self {
        let demo = display
            .demo(folder)
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the demo starts");
        let mut window = Self { display, folder: folder.to_owned(), demo: Some(demo), id: String::new() };
        wait("a window", || {
            let found = display.xdotool(&["search", "--onlyvisible", "--name", "^hitmask$"]);
            found.lines().next().unwrap_or_default().clone_into(&mut window.id);
            !window.id.is_empty()
        });
        display.xdotool(&["windowfocus", "--sync", &window.id]);
        window
    }

    /// Types a text.
    pub(crate) fn types(&self, text: &str) {
        self.display.xdotool(&["type", "--delay", "60", text]);
    }

    pub(crate) fn key(&self, key: &str) {
        self.display.xdotool(&["key", key]);
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Presses a key that writes a file of this kind, and returns the path of the new file once it is complete.
    fn written(&self, key: &str, kind: &str, end: &str) -> PathBuf {
        let path = |n: u32| self.folder.join(format!("hitmask-{kind}-{n}.{end}"));
        let next = (1..10_000).find(|&n| !path(n).exists()).expect("there are numbers enough");
        self.key(key);
        wait("a file", || path(next).exists());
        let mut size = 0;
        wait("a whole file", || {
            let before = size;
            sleep(Duration::from_millis(60));
            size = path(next).metadata().map_or(0, |file| file.len());
            size > 0 && size == before
        });
        path(next)
    }

    /// Returns the step that the window shows, as a scene file.
    pub(crate) fn scene(&self) -> String {
        fs::read_to_string(self.written("s", "scene", "json")).expect("a scene")
    }

    pub(crate) fn picture(&self) -> RgbaImage {
        open_image(&self.written("F12", "picture", "png"))
    }

    /// Clicks at a point of the window with the left button.
    pub(crate) fn click(&self, at: [u32; 2]) {
        let [x, y] = at.map(|v| v.to_string());
        self.display.xdotool(&["mousemove", "--window", &self.id, &x, &y, "mousedown", "1", "mouseup", "1"]);
    }

    /// Drags with a button from one point of the window to another, by way of their middle.
    pub(crate) fn drag(&self, button: &str, from: [u32; 2], to: [u32; 2]) {
        let go = |[x, y]: [u32; 2]| {
            self.display.xdotool(&["mousemove", "--sync", "--window", &self.id, &x.to_string(), &y.to_string()]);
        };
        go(from);
        self.display.xdotool(&["mousedown", button]);
        go([u32::midpoint(from[0], to[0]), u32::midpoint(from[1], to[1])]);
        go(to);
        self.display.xdotool(&["mouseup", button]);
    }

    /// Quits by a key, and returns the numbers of frames and steps that the demo prints.
    pub(crate) fn quit(mut self) -> [u64; 2] {
        self.key("Escape");
        let output = self.demo.take().expect("it runs").wait_with_output().expect("it ends");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !errors.contains("error"), "{}: {errors}", output.status);
        numbers(&String::from_utf8_lossy(&output.stdout))
    }
}

impl Drop for Window<'_> {
    fn drop(&mut self) {
        if let Some(demo) = &mut self.demo {
            let _ = demo.kill();
            let _ = demo.wait();
        }
    }
}

/// Returns the numbers of frames and steps in the demo's last line.
pub(crate) fn numbers(stdout: &str) -> [u64; 2] {
    let numbers: Vec<u64> = stdout.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    numbers.try_into().unwrap_or_else(|_| panic!("{stdout}"))
}

/// Waits until `so` returns true, and fails after [`PATIENCE`].
pub(crate) fn wait(what: &str, mut so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !so() {
        assert!(start.elapsed() < PATIENCE, "{what} did not come");
        sleep(Duration::from_millis(40));
    }
}
