//! The server behind the page, asked as any client could: what it answers, what it refuses, and
//! what becomes of clients that are slow, many, or gone.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server that is ended when the test is over.
struct Server {
    process: Child,
    port: u16,
}

impl Server {
    fn start() -> Server {
        Server::with(&[])
    }

    fn with(options: &[&str]) -> Server {
        let mut process = Command::new(assert_cmd::cargo::cargo_bin!("permutile"))
            .args(["serve", "--no-cache", "--json", "-q"])
            .args(options)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let said: Value = serde_json::from_str(&line).unwrap();
        Server { process, port: said["port"].as_u64().unwrap() as u16 }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Sends a request, and reads the whole answer.
    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut stream = self.connect();
        let host = self.host();
        let host = headers.iter().find(|(name, _)| *name == "Host").map_or(&*host, |it| it.1);
        let mut text = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
        for (name, value) in headers.iter().filter(|(name, _)| *name != "Host") {
            text += &format!("{name}: {value}\r\n");
        }
        text += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
        // A server that has refused need not read on.
        let _ = stream.write_all(text.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        Reply::new(&String::from_utf8(answer).unwrap())
    }

    fn get(&self, path: &str) -> Reply {
        self.ask("GET", path, &[], "")
    }

    fn post(&self, path: &str, body: &Value) -> Reply {
        self.ask("POST", path, &[("Content-Type", "application/json")], &body.to_string())
    }

    fn resident_bytes(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()));
        let status = status.unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or("VmRSS: 0");
        line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

struct Reply {
    status: u16,
    head: String,
    body: String,
}

impl Reply {
    fn new(text: &str) -> Reply {
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Reply { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// The message of an error.
    fn message(&self) -> String {
        self.json()["error"]["message"].as_str().expect("errors have a message").to_owned()
    }
}

#[test]
fn a_board_is_answered_with_a_record() {
    let server = Server::start();
    let question = json!({
        "puzzle": "sliding3", "goal": "blank-first", "board": [0, 8, 7, 6, 5, 4, 3, 2, 1],
        "algorithm": "ida", "heuristic": "manhattan", "timeout_ms": 10_000,
    });
    let reply = server.post("/api/solve", &question);
    assert_eq!(reply.status, 200, "{}", reply.body);
    let record = reply.json();
    assert_eq!(record["schema"], 1);
    assert_eq!((&record["status"], &record["length"]), (&json!("solved"), &json!(30)));
    assert_eq!((&record["optimal"], &record["heuristic"]), (&json!(true), &json!("manhattan")));
    assert_eq!(record["moves"].as_array().unwrap().len(), 30);
    // The puzzle is inferred, and the board may be text.
    let record = server.post("/api/solve", &json!({ "board": "2 3 1/4 5 6/7 8 9" })).json();
    assert_eq!((&record["puzzle"], &record["moves"]), (&json!("torus3"), &json!(["R1"])));
    let unsolvable = json!({ "goal": "blank-last", "board": "1 2 3/4 5 6/8 7 0" });
    let record = server.post("/api/solve", &unsolvable).json();
    assert_eq!(record["status"], "unsolvable");
    assert!(record["error"].as_str().unwrap().contains("out of reach"));
    let definition = "shape = \"2x2\"\n[[move]]\nname = \"turn\"\ncycles = [[1, 2, 4, 3]]";
    let own = json!({ "puzzle": "mine", "definition": definition, "board": [2, 4, 1, 3] });
    assert_eq!(server.post("/api/solve", &own).json()["moves"], json!(["turn"]));
}

#[test]
fn what_is_wrong_with_a_request_is_said_with_its_field() {
    let server = Server::start();
    let board = json!([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (question, field, message) in [
        (json!({ "board": "1 2 3/4 5 6/7 8 x" }), "board", "not a number"),
        (json!({ "board": [1, 2, 3, 4, 5, 6, 7, 8, 8] }), "board", "twice"),
        (json!({ "board": [1, 2, 3] }), "board", "no square"),
        (json!({ "board": [] }), "board", "grid"),
        (json!({ "puzzle": "sliding3", "board": board }), "board", "needs one"),
        (json!({ "puzzle": "cube3", "board": board }), "puzzle", "there is no puzzle"),
        (json!({ "puzzle": "Cargo.toml", "board": board }), "puzzle", "there is no puzzle"),
        (json!({ "puzzle": "/etc/x.toml", "board": board }), "puzzle", "there is no puzzle"),
        (json!({ "puzzle": "torus99", "board": board }), "puzzle", "torus99"),
        (json!({ "definition": "shape = 3", "board": board }), "definition", "custom.toml:1:"),
        (json!({ "goal": "blank-last", "board": board }), "goal", "no blank"),
        (json!({ "goal": [1, 2], "board": board }), "goal", "9 tiles"),
        (json!({ "goal": "nowhere", "board": board }), "goal", "not a number"),
        (json!({ "board": board, "algorithm": "magic" }), "algorithm", "no algorithm"),
        (json!({ "board": board, "heuristic": "magic" }), "heuristic", "no heuristic"),
        (json!({ "board": board, "heuristic": "linear-conflict" }), "heuristic", "does not apply"),
        (json!({ "board": board, "timeout_ms": 999_999_999 }), "timeout_ms", "at most 300000"),
        (json!({ "board": board, "threads": 1_000_000 }), "threads", "out of range"),
        (json!({ "board": board, "threads": 0 }), "threads", "out of range"),
        (json!({ "board": board, "weight": 0.5 }), "weight", "out of range"),
        (json!({ "board": board, "width": 0 }), "width", "out of range"),
        (json!({ "board": board, "aim": "high" }), "aim", "expected best"),
        (json!({ "board": board, "layers": true }), "layers", "told by events"),
    ] {
        let reply = server.post("/api/solve", &question);
        assert_eq!(reply.status, 422, "{question}: {}", reply.body);
        assert_eq!(reply.json()["error"]["field"], field, "{question}: {}", reply.body);
        assert!(reply.message().contains(message), "{question}: {}", reply.body);
    }
    let place = server.post("/api/parse", &json!({ "text": "1 2 3\n4 5\n" })).json();
    assert_eq!((&place["error"]["line"], &place["error"]["field"]), (&json!(2), &json!("text")));
    assert!(place["error"]["help"].is_string());
}

#[test]
fn bodies_that_are_no_json_or_too_large_are_refused() {
    let server = Server::start();
    let kind = [("Content-Type", "application/json")];
    let status = |body: &str| {
        let reply = server.ask("POST", "/api/solve", &kind, body);
        reply.message();
        reply.status
    };
    assert_eq!(status(""), 400);
    assert_eq!(status("{"), 400);
    assert_eq!(status("[]"), 400);
    assert_eq!(status("[\"1 2/3 4\"]"), 400);
    assert_eq!(status("null"), 400);
    assert_eq!(status("{\"board\":[1,2,3,4],\"bord\":1}"), 400);
    assert_eq!(status("{\"board\":[-1]}"), 400);
    assert_eq!(status("{\"board\":[99999]}"), 400);
    assert_eq!(status(&"[".repeat(100_000)), 400);
    assert_eq!(status(&format!("{{\"board\":\"{}\"}}", "1 ".repeat(60_000))), 422);
    assert_eq!(status(&" ".repeat(300_000)), 413);
    let plain = [("Content-Type", "text/plain")];
    assert_eq!(server.ask("POST", "/api/solve", &plain, "{}").status, 415);
    assert_eq!(server.ask("POST", "/api/solve", &[], "{}").status, 415);
    for (method, path, status) in [
        ("GET", "/api/solve", 405),
        ("DELETE", "/api", 405),
        ("GET", "/nothing", 404),
        ("GET", "/../Cargo.toml", 404),
        ("GET", "/js/..%2fstyle.css", 404),
        ("GET", "/api/journal", 404),
        ("GET", "/api/journal/0", 404),
        ("GET", "/api/journal/%ff", 404),
        ("GET", "/api/heuristics?puzzle=cube", 422),
    ] {
        let reply = server.ask(method, path, &[], "");
        assert_eq!(reply.status, status, "{method} {path}");
        reply.message();
    }
}

#[test]
fn other_hosts_and_sites_are_refused() {
    let server = Server::start();
    let own = format!("http://{}", server.host());
    let localhost = format!("localhost:{}", server.port);
    let elsewhere = format!("evil.example:{}", server.port);
    let status = |path: &str, headers: &[(&str, &str)]| server.ask("GET", path, headers, "").status;
    assert_eq!(status("/api", &[]), 200);
    assert_eq!(status("/api", &[("Host", &localhost)]), 200);
    assert_eq!(status("/api", &[("Origin", &own)]), 200);
    assert_eq!(status("/api", &[("Sec-Fetch-Site", "same-origin")]), 200);
    assert_eq!(status("/", &[("Sec-Fetch-Site", "cross-site")]), 200);
    for headers in [
        [("Host", elsewhere.as_str())],
        [("Host", "127.0.0.1")],
        [("Host", "127.0.0.1:1")],
        [("Origin", "http://evil.example")],
        [("Origin", "null")],
        [("Origin", "https://127.0.0.1")],
        [("Sec-Fetch-Site", "cross-site")],
        [("Sec-Fetch-Site", "same-site")],
    ] {
        assert_eq!(status("/api", &headers), 403, "{headers:?}");
    }
    let reply = server.get("/");
    assert_eq!(reply.status, 200);
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self'",
        "x-content-type-options: nosniff",
        "content-type: text/html; charset=utf-8",
        "cache-control: no-store",
    ] {
        assert!(reply.head.contains(header), "{header}: {}", reply.head);
    }
    assert!(!reply.head.contains("access-control"));
    // A second header, or the address of a proxy's request, must not say something else.
    let status = |first_line: &str, header: &str| {
        let mut stream = server.connect();
        let host = server.host();
        let text =
            format!("{first_line} HTTP/1.1\r\nHost: {host}\r\n{header}Connection: close\r\n\r\n");
        stream.write_all(text.as_bytes()).unwrap();
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        Reply::new(&answer).status
    };
    assert_eq!(status("GET /api", ""), 200);
    assert_eq!(status("GET /api", &format!("Host: {elsewhere}\r\n")), 403);
    assert_eq!(status("GET /api", &format!("Origin: {own}\r\nOrigin: http://evil\r\n")), 403);
    assert_eq!(status(&format!("GET {own}/api"), ""), 200);
    assert_eq!(status(&format!("GET http://{elsewhere}/api"), ""), 403);
}

#[test]
fn a_body_that_is_announced_as_too_large_is_not_waited_for() {
    let server = Server::start();
    let mut stream = server.connect();
    let text = format!(
        "POST /api/parse HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Content-Length: 99999999999\r\n\r\n",
        server.host()
    );
    stream.write_all(text.as_bytes()).unwrap();
    let began = Instant::now();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 413");
    assert!(began.elapsed() < Duration::from_secs(5));
}

#[test]
fn a_server_for_others_needs_a_token() {
    let refused = Command::new(assert_cmd::cargo::cargo_bin!("permutile"))
        .args(["serve", "--listen", "0.0.0.0"])
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("--token"));
    let server = Server::with(&["--token", "open-sesame"]);
    let status = |path: &str, headers: &[(&str, &str)]| server.ask("GET", path, headers, "").status;
    assert_eq!(status("/", &[]), 401);
    assert_eq!(status("/api", &[]), 401);
    assert_eq!(status("/js/main.js", &[]), 401);
    assert_eq!(status("/api", &[("Authorization", "Bearer open-sesamf")]), 401);
    assert_eq!(status("/api", &[("Authorization", "Bearer open-sesame")]), 200);
    assert_eq!(status("/?token=open", &[]), 401);
    assert_eq!(status("/api?token=open-sesame", &[]), 401);
    let welcome = server.get("/?token=open-sesame");
    assert_eq!(welcome.status, 303);
    let cookie = "set-cookie: permutile-token=open-sesame; path=/; httponly; samesite=strict";
    assert!(welcome.head.contains(cookie), "{}", welcome.head);
    assert_eq!(status("/api", &[("Cookie", "a=b; permutile-token=open-sesame")]), 200);
}

/// The names of the events in a stream, and the value of the last one.
fn events(body: &str) -> (Vec<&str>, Value) {
    let fields = |name: &'static str| body.lines().filter_map(move |line| line.strip_prefix(name));
    let last = fields("data: ").next_back().unwrap();
    (fields("event: ").collect(), serde_json::from_str(last).unwrap())
}

/// A 24-puzzle that takes longer than any test.
const HARD: [u16; 25] =
    [14, 5, 9, 2, 18, 8, 23, 19, 12, 17, 15, 0, 10, 20, 4, 6, 11, 21, 1, 7, 24, 3, 16, 22, 13];

#[test]
fn a_search_tells_how_it_is_getting_on() {
    let server = Server::start();
    let headers = [("Content-Type", "application/json"), ("Accept", "text/event-stream")];
    let stream = |question: Value| {
        let reply = server.ask("POST", "/api/solve", &headers, &question.to_string());
        assert!(reply.head.contains("content-type: text/event-stream"), "{}", reply.head);
        reply.body
    };
    let body = stream(json!({ "board": HARD, "timeout_ms": 1500 }));
    let (names, record) = events(&body);
    assert_eq!((names[0], names[1], *names.last().unwrap()), ("waiting", "started", "record"));
    assert!(names.contains(&"progress") && names.contains(&"improved"), "{names:?}");
    assert_eq!((&record["status"], &record["stopped_by"]), (&json!("solved"), &json!("timeout")));
    // What is said on the way is true at the end, too.
    let bounds = body
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .filter_map(|line| serde_json::from_str::<Value>(line).unwrap()["bound"].as_u64());
    assert!(bounds.max().unwrap() <= record["lower_bound"].as_u64().unwrap());
    for algorithm in ["bfs", "astar", "ida", "dfs", "bidirectional", "beam", "pastar"] {
        let question =
            json!({ "board": "0 8 7/6 5 4/3 2 1", "algorithm": algorithm, "layers": true });
        let body = stream(question);
        let (names, record) = events(&body);
        assert!(names.contains(&"layers"), "{algorithm}: {names:?}");
        let mut told = body.lines().filter_map(|line| line.strip_prefix("data: ["));
        let moments: Value =
            serde_json::from_str(&format!("[{}", told.next_back().unwrap())).unwrap();
        let last = moments.as_array().unwrap().last().unwrap();
        let layers = last["layers"].as_array().unwrap();
        let expanded: u64 = layers.iter().map(|layer| layer[2].as_u64().unwrap()).sum();
        assert_eq!(Some(expanded), record["expanded"].as_u64(), "{algorithm}");
        assert!(layers.iter().all(|layer| layer[0].is_u64()), "{algorithm} knows depths");
    }
    let body = stream(json!({ "board": "1 2 x" }));
    let (names, error) = events(&body);
    assert_eq!(names, ["waiting", "error"]);
    assert_eq!(error["error"]["field"], "board");
}

#[test]
fn clients_that_leave_stop_their_searches() {
    let server = Server::start();
    let question = json!({ "board": HARD, "timeout_ms": 60_000, "algorithm": "astar" }).to_string();
    for accept in ["application/json", "text/event-stream"] {
        // As many as there are places, and some that wait.
        let streams: Vec<TcpStream> = (0..12)
            .map(|_| {
                let mut stream = server.connect();
                let host = server.host();
                let head = format!(
                    "POST /api/solve HTTP/1.1\r\nHost: {host}\r\nAccept: {accept}\r\n\
                     Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{question}",
                    question.len()
                );
                stream.write_all(head.as_bytes()).unwrap();
                stream
            })
            .collect();
        std::thread::sleep(Duration::from_millis(300));
        drop(streams);
        let began = Instant::now();
        let record = server.post("/api/solve", &json!({ "board": "2 3 1/4 5 6/7 8 9" })).json();
        assert_eq!(record["length"], 1);
        // The searches would have taken a minute.
        assert!(began.elapsed() < Duration::from_secs(30), "{accept}: {:?}", began.elapsed());
    }
}

#[test]
fn many_clients_get_right_answers_or_are_told_to_come_back() {
    let server = Server::start();
    let before = server.resident_bytes();
    let client = |number: usize| {
        let mut solved = 0;
        for round in 0..8 {
            let seed = number * 100 + round;
            let scramble = json!({ "puzzle": "torus3", "moves": 5, "seed": seed });
            let board = server.post("/api/scramble", &scramble).json()["board"].clone();
            let reply = server.post("/api/solve", &json!({ "puzzle": "torus3", "board": board }));
            match reply.status {
                200 => {
                    let record = reply.json();
                    assert!(record["optimal"] == true && record["length"].as_u64() <= Some(5));
                    solved += 1;
                }
                503 => assert!(reply.head.contains("retry-after")),
                status => panic!("{status}: {}", reply.body),
            }
        }
        solved
    };
    let solved: usize = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..40).map(|number| scope.spawn(move || client(number))).collect();
        clients.into_iter().map(|client| client.join().unwrap()).sum()
    });
    assert!(solved > 100, "{solved}");
    assert!(server.resident_bytes() < before + (200 << 20));
}

#[test]
fn slow_clients_do_not_keep_others_waiting() {
    let server = Server::start();
    let slow: Vec<TcpStream> = (0..100)
        .map(|number| {
            let mut stream = server.connect();
            let half = if number % 2 == 0 {
                "GET /api HT".to_owned()
            } else {
                let host = server.host();
                format!(
                    "POST /api/solve HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
                     Content-Length: 100\r\n\r\n{{"
                )
            };
            stream.write_all(half.as_bytes()).unwrap();
            stream
        })
        .collect();
    assert_eq!(server.get("/api").status, 200);
    let record = server.post("/api/solve", &json!({ "board": "2 3 1/4 5 6/7 8 9" })).json();
    assert_eq!(record["length"], 1);
    // Answers that nobody reads are not kept.
    let deaf = server.connect();
    let ask = format!("GET / HTTP/1.1\r\nHost: {}\r\n\r\n", server.host()).repeat(1_000);
    deaf.set_write_timeout(Some(Duration::from_secs(60))).unwrap();
    let given_up = std::thread::spawn(move || {
        let began = Instant::now();
        let sent = (0..10_000).try_for_each(|_| (&deaf).write_all(ask.as_bytes()));
        (sent.map_err(|error| error.kind()), began.elapsed())
    });
    // A body that does not come is not waited for.
    let mut answer = String::new();
    let mut last = slow.into_iter().next_back().unwrap();
    let _ = last.read_to_string(&mut answer);
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    let (sent, time) = given_up.join().unwrap();
    use std::io::ErrorKind::{BrokenPipe, ConnectionReset};
    assert!(matches!(sent, Err(BrokenPipe | ConnectionReset)), "{sent:?} after {time:?}");
}

#[test]
fn scrambles_are_those_of_the_command_line() {
    let server = Server::start();
    let program = |options: &[&str]| -> Value {
        let output = Command::new(assert_cmd::cargo::cargo_bin!("permutile"))
            .args(["scramble", "torus4", "--seed", "5", "--json", "-q"])
            .args(options)
            .output()
            .unwrap();
        serde_json::from_slice::<Value>(&output.stdout).unwrap()["start"].clone()
    };
    let asked = |extra: Value| {
        let mut question = json!({ "puzzle": "torus4", "seed": 5 });
        question.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        server.post("/api/scramble", &question)
    };
    assert_eq!(asked(json!({})).json()["board"], program(&["--uniform"]));
    assert_eq!(asked(json!({ "moves": 7 })).json()["board"], program(&["--moves", "7"]));
    let near = asked(json!({ "exact_depth": 4 })).json();
    assert_eq!(near["board"], program(&["--exact-depth", "4"]));
    assert_eq!(near["distance"], 4);
    assert_eq!(asked(json!({ "moves": 3, "exact_depth": 3 })).status, 422);
    assert_eq!(asked(json!({ "moves": 4_000_000_000u32 })).status, 422);
    let far = asked(json!({ "exact_depth": 2_147_483_648u32 }));
    assert!(far.status == 422 && far.message().contains("at most 100000"), "{}", far.body);
    assert_eq!(asked(json!({ "daily": true })).status, 422, "the day has a seed of its own");
    assert_eq!(server.post("/api/scramble", &json!({ "puzzle": "torus4" })).status, 422);
    let daily = server.post("/api/scramble", &json!({ "puzzle": "torus4", "daily": true })).json();
    let same = asked(json!({ "seed": daily["seed"] })).json();
    assert_eq!(daily["board"], same["board"]);
    let far = json!({ "puzzle": "torus2", "seed": 0, "exact_depth": 99 });
    assert!(server.post("/api/scramble", &far).message().contains("farthest"));
}

#[test]
fn moves_are_read_as_they_were_meant() {
    let server = Server::start();
    let read = |text: &str| {
        let board = json!([1, 0, 2, 3, 4, 5, 6, 7, 8]);
        server.post("/api/moves", &json!({ "puzzle": "sliding3", "board": board, "text": text }))
    };
    for text in ["Left", "R", "['Left']", "l"] {
        let understood = read(text).json();
        assert_eq!((&understood["moves"], &understood["solved"]), (&json!(["Left"]), &json!(true)));
        assert_eq!(understood["words"], json!(["tile 1 right"]));
    }
    assert_eq!(read("Left Right Left").json()["solved"], true);
    assert_eq!(read("D").json()["solved"], false);
    assert!(read("Left Left").message().contains("edge"));
    assert!(read("Left foo").message().contains("foo"));
    assert_eq!(read(&"u".repeat(30_000)).status, 422);
    let path = json!({
        "puzzle": "sliding3", "board": [1, 0, 2, 3, 4, 5, 6, 7, 8], "moves": ["Left"],
        "heuristics": ["manhattan", "zero"],
    });
    let estimates = server.post("/api/estimates", &path).json();
    assert_eq!(estimates["heuristics"][0]["values"], json!([1, 0]));
    assert_eq!(estimates["heuristics"][1]["values"], json!([0, 0]));
    // There is no estimate of what cannot be solved.
    let unsolvable = json!({ "puzzle": "sliding3", "board": "210345678", "moves": [],
        "heuristics": ["pdb"] });
    let refused = server.post("/api/estimates", &unsolvable);
    assert_eq!(refused.status, 422);
    assert!(refused.message().contains("out of reach"), "{}", refused.body);
}

#[test]
fn every_puzzle_that_is_offered_can_be_opened_and_solved() {
    let server = Server::start();
    let offered = server.get("/api/puzzles").json();
    for puzzle in offered["puzzles"].as_array().unwrap() {
        let id = &puzzle["puzzle"];
        for goal in if puzzle["family"] == "sliding" {
            vec!["blank-first", "blank-last"]
        } else {
            vec!["ordered"]
        } {
            let facts = server.post("/api/puzzle", &json!({ "puzzle": id, "goal": goal }));
            assert_eq!(facts.status, 200, "{id} {goal}: {}", facts.body);
            assert_eq!(facts.json()["goal_name"], goal);
            let scramble = json!({ "puzzle": id, "goal": goal, "moves": 3, "seed": 1 });
            let board = server.post("/api/scramble", &scramble).json()["board"].clone();
            let question = json!({ "puzzle": id, "goal": goal, "board": board });
            let record = server.post("/api/solve", &question).json();
            assert!(record["optimal"] == true && record["length"].as_u64() <= Some(3), "{record}");
        }
    }
    // Large boards have no large tables, and still have heuristics.
    let facts = server.post("/api/puzzle", &json!({ "puzzle": "sliding16", "goal": "blank-last" }));
    assert!(facts.json()["heuristics"].as_array().unwrap().len() > 3);
}

#[test]
fn the_description_for_programs_is_that_of_the_server() {
    let journal = tempfile::NamedTempFile::new().unwrap();
    let board = "2 3 1/4 5 6/7 8 9";
    let record = Command::new(assert_cmd::cargo::cargo_bin!("permutile"))
        .args(["solve", board, "--json", "-q"])
        .output()
        .unwrap();
    std::fs::write(journal.path(), record.stdout).unwrap();
    let server = Server::with(&["--journal", journal.path().to_str().unwrap()]);
    let described = server.get("/api/openapi.json").json();
    assert_eq!(described["info"]["version"], env!("CARGO_PKG_VERSION"));
    let listed = server.get("/api").json();
    let mut paths: Vec<(String, String)> = Vec::new();
    for (path, methods) in described["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            paths.push((method.to_uppercase(), path.clone()));
            let example = &operation["requestBody"]["content"]["application/json"]["example"];
            let reply = match method.as_str() {
                "get" => server.get(&path.replace("{number}", "0")),
                _ => server.post(path, example),
            };
            assert_eq!(reply.status, 200, "{method} {path}: {}", reply.body);
            let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
            fits(&reply.json(), schema, &described, path);
            if method == "post" {
                let request = &operation["requestBody"]["content"]["application/json"]["schema"];
                fits(example, request, &described, path);
            }
            let summary =
                listed["endpoints"].as_array().unwrap().iter().find(|it| it["path"] == *path);
            assert_eq!(operation["summary"], summary.unwrap()["summary"], "{path}");
        }
    }
    paths.sort();
    let mut served: Vec<(String, String)> = listed["endpoints"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["method"].as_str().unwrap().into(), it["path"].as_str().unwrap().into()))
        .collect();
    served.sort();
    assert_eq!(paths, served);
    let wrong = server.post("/api/solve", &json!({ "board": "x" })).json();
    fits(&wrong, &json!({ "$ref": "#/components/schemas/Error" }), &described, "an error");
}

/// Checks a value against the part of JSON Schema that the description uses.
fn fits(value: &Value, schema: &Value, described: &Value, place: &str) {
    if let Some(name) = schema["$ref"].as_str() {
        let target = described.pointer(name.trim_start_matches('#'));
        return fits(
            value,
            target.unwrap_or_else(|| panic!("{place}: no {name}")),
            described,
            place,
        );
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let kinds: Vec<_> =
            choices.iter().filter(|choice| has_type(value, choice, described)).collect();
        assert!(!kinds.is_empty(), "{place}: {value} is none of {choices:?}");
        return;
    }
    assert!(has_type(value, schema, described), "{place}: {value} is no {schema}");
    if let (Some(object), Some(properties)) = (value.as_object(), schema["properties"].as_object())
    {
        for required in schema["required"].as_array().into_iter().flatten() {
            let name = required.as_str().unwrap();
            assert!(object.contains_key(name), "{place}: {name} is missing in {value}");
        }
        for (name, value) in object {
            let property = properties.get(name);
            let property = property.unwrap_or_else(|| panic!("{place}: {name} is not described"));
            fits(value, property, described, &format!("{place}, {name}"));
        }
    }
    if let (Some(items), Some(item)) = (value.as_array(), schema.get("items")) {
        items.iter().for_each(|value| fits(value, item, described, place));
    }
}

fn has_type(value: &Value, schema: &Value, described: &Value) -> bool {
    if let Some(name) = schema["$ref"].as_str() {
        let target = described.pointer(name.trim_start_matches('#')).unwrap();
        return has_type(value, target, described);
    }
    let is = |kind: &str| match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("no type {other}"),
    };
    match &schema["type"] {
        Value::String(kind) => is(kind),
        Value::Array(kinds) => kinds.iter().any(|kind| is(kind.as_str().unwrap())),
        _ => schema
            .get("oneOf")
            .and_then(Value::as_array)
            .is_none_or(|choices| choices.iter().any(|choice| has_type(value, choice, described))),
    }
}

#[test]
fn a_journal_is_shown_row_by_row() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("course.jsonl");
    let boards = concat!(env!("CARGO_MANIFEST_DIR"), "/data/boards/torus4-course.boards");
    let status = Command::new(assert_cmd::cargo::cargo_bin!("permutile"))
        .args(["batch", boards, "--no-cache", "-q", "--out"])
        .arg(&journal)
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    let server = Server::with(&["--journal", journal.to_str().unwrap()]);
    assert_eq!(server.get("/api").json()["journal"], "course.jsonl");
    let rows = server.get("/api/journal?sort=length&descending=true&count=3").json();
    assert_eq!((&rows["total"], rows["rows"].as_array().unwrap().len()), (&json!(12), 3));
    let lengths: Vec<u64> = rows["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["length"].as_u64().unwrap())
        .collect();
    assert!(lengths.is_sorted_by(|a, b| a >= b), "{lengths:?}");
    let number = rows["rows"][0]["number"].as_u64().unwrap();
    let record = server.get(&format!("/api/journal/{number}")).json();
    assert_eq!(record["moves"].as_array().unwrap().len() as u64, lengths[0]);
    assert_eq!(server.get("/api/journal?from=99").json()["rows"], json!([]));
    assert_eq!(server.get("/api/journal?sort=shoe-size").status, 400);
    assert_eq!(server.get("/api/journal/12").status, 404);
    assert_eq!(server.get("/api/journal/-1").status, 404);
}
