//! The terminal while the game has it: taken over here, and given back as it was, whatever happens.

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, Event, KeyEventKind,
};
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{cursor, execute};
use std::io::{self, Stdout};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Once};
use std::thread;
use std::time::{Duration, Instant};

/// Whether the terminal is taken over, and has to be given back.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// How often the thread that reads keys looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(50);

/// The terminal, until this is dropped.
pub struct Screen {
    terminal: Terminal<CrosstermBackend<Stdout>>,
    events: Receiver<io::Result<Event>>,
    finished: Arc<AtomicBool>,
}

impl Screen {
    /// Takes the terminal over. A panic gives it back before it says anything.
    ///
    /// # Errors
    /// If there is no terminal.
    pub fn enter() -> io::Result<Screen> {
        give_back_on_panic();
        enable_raw_mode()?;
        TAKEN.store(true, Ordering::SeqCst);
        let taken = execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture, cursor::Hide)
            .and_then(|()| Terminal::new(CrosstermBackend::new(io::stdout())));
        let terminal = taken.inspect_err(|_| give_back())?;
        let finished = Arc::new(AtomicBool::new(false));
        Ok(Screen { terminal, events: read_events(&finished), finished })
    }

    /// Draws what has changed.
    ///
    /// # Errors
    /// If the terminal is gone.
    pub fn draw(&mut self, view: impl FnOnce(&mut Buffer)) -> io::Result<()> {
        if !TAKEN.load(Ordering::SeqCst) {
            return Err(io::Error::other("another thread has panicked"));
        }
        self.terminal.draw(|frame| view(frame.buffer_mut())).map(|_| ())
    }

    /// The next key, click or change of size; `None` if there is none for so long.
    ///
    /// # Errors
    /// If the terminal is gone.
    pub fn wait(&self, longest: Duration) -> io::Result<Option<Event>> {
        match self.events.recv_timeout(longest) {
            Ok(Ok(Event::Key(key))) if key.kind == KeyEventKind::Release => Ok(None),
            Ok(event) => event.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => {
                Err(io::Error::other("keys can no longer be read"))
            }
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.finished.store(true, Ordering::SeqCst);
        // What is typed from now on is for others. The thread may hang if the terminal is gone.
        let began = Instant::now();
        while began.elapsed() < 4 * LOOK {
            if let Err(RecvTimeoutError::Disconnected) = self.events.recv_timeout(LOOK) {
                break;
            }
        }
        give_back();
    }
}

/// Reads on a thread of its own: reading from a terminal that is gone may never return.
fn read_events(finished: &Arc<AtomicBool>) -> Receiver<io::Result<Event>> {
    let (sender, events) = channel();
    let finished = Arc::clone(finished);
    // A thread that cannot be started drops the sender, which is noticed.
    let _ = thread::Builder::new().name("keys".to_owned()).spawn(move || {
        while !finished.load(Ordering::SeqCst) {
            let read = match event::poll(LOOK) {
                Ok(false) => continue,
                Ok(true) => event::read(),
                Err(error) => Err(error),
            };
            let failed = read.is_err();
            if sender.send(read).is_err() || failed {
                break;
            }
        }
    });
    events
}

/// Gives the terminal back, once.
fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // A terminal that is gone needs nothing.
        let _ = execute!(io::stdout(), DisableMouseCapture, LeaveAlternateScreen, cursor::Show);
        let _ = disable_raw_mode();
    }
}

fn give_back_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            give_back();
            before(info);
        }));
    });
}
