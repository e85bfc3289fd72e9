//! Reports of made-up comparisons.

use super::*;
use crate::lab::circumstances::Circumstances;
use crate::lab::compare::{
    Conditions, Contender, EstimateCount, Estimates, Group, IterationRow, PredictionRow,
    Predictions, PuzzleComparison, Quartiles, Ratios, Row, RowQuartiles, Skipped, Subject, Trial,
    Which,
};
use crate::lab::record::Status;
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::BTreeSet;

const HOSTILE: &str = "<script>alert('x')</script> & \"quotes\" ]]> --> \u{1b}[31m";

fn about() -> About {
    About { command: format!("permutile compare '{HOSTILE}'"), version: "1.2.3" }
}

fn comparison(puzzles: Vec<PuzzleComparison>) -> Comparison {
    Comparison {
        puzzles,
        contradictions: Vec::new(),
        skipped: Vec::new(),
        interrupted: false,
        circumstances: Circumstances {
            version: "1.2.3".to_owned(),
            date: "2026-11-17T09:30:00Z".to_owned(),
            system: "linux x86_64".to_owned(),
            processor: Some(HOSTILE.to_owned()),
            cores: 2,
        },
        conditions: Conditions {
            workers: 2,
            repeat: 3,
            timeout_seconds: Some(10.0),
            seed: 7,
            choices: vec![format!("order {HOSTILE}")],
            ..Conditions::default()
        },
    }
}

fn contender(algorithm: &str, heuristic: Option<&str>) -> Contender {
    Contender {
        algorithm: algorithm.to_owned(),
        heuristic: heuristic.map(str::to_owned),
        admissible: heuristic.map(|name| name != "tuned"),
        consistent: heuristic.map(|_| true),
        only_claims: false,
    }
}

fn solved(board: usize, contender: usize, length: u32, nodes: u64) -> Trial {
    let iteration = |bound: u32| IterationRow {
        bound,
        expanded: nodes >> (length - bound),
        generated: nodes >> (length - bound),
        complete: bound < length,
    };
    Trial {
        board,
        contender,
        status: Status::Solved,
        length: Some(length),
        optimal: true,
        rests_on_claim: false,
        stopped_by: None,
        improvements: Vec::new(),
        lower_bound: length,
        expanded: nodes,
        generated: 3 * nodes,
        expanded_below: nodes / 2,
        max_depth: length,
        peak_bytes: 1 << 20,
        seconds: 1e-7 * nodes as f64,
        h: Some(length / 2),
        branching: Some(1.5),
        iterations: (length / 2..=length).map(iteration).collect(),
        moves: Vec::new(),
    }
}

fn given_up(board: usize, contender: usize) -> Trial {
    Trial {
        status: Status::NodeLimit,
        length: None,
        optimal: false,
        branching: None,
        ..solved(board, contender, 6, 1_000_000)
    }
}

fn row(contender: usize, solved: usize, expanded: Option<f64>) -> Row {
    let ratios =
        Ratios { boards: 1, expanded: 0.5, generated: 0.25, seconds: 2.0, ns_per_node: 8.0 };
    let quartiles = |value| Quartiles { lower: value / 2.0, median: value, upper: value * 2.0 };
    Row {
        contender,
        runs: 3,
        solved,
        proven: solved,
        length: expanded.map(|_| 6.0),
        lower_bound: expanded.map(|_| 6.0),
        max_depth: expanded.map(|_| 7.0),
        expanded,
        generated: expanded.map(|nodes| nodes * 3.0),
        expanded_below: expanded.map(|nodes| nodes / 2.0),
        seconds: expanded.map(|nodes| nodes * 1e-7),
        ns_per_node: expanded.map(|_| 33.3),
        mean_h: Some(3.0),
        branching: expanded.map(|_| 1.5),
        shortest: solved,
        judged: solved,
        excess: 0,
        ratios: expanded.map(|_| ratios),
        quartiles: expanded.map(|nodes| RowQuartiles {
            expanded: quartiles(nodes),
            generated: quartiles(3.0 * nodes),
            seconds: quartiles(1e-7 * nodes),
        }),
    }
}

fn subject(name: &str, distance: Option<u32>) -> Subject {
    Subject { name: name.to_owned(), start: vec![1, 2, 3, 0], distance }
}

/// Boards at two distances and one that nobody solved; too high estimates; hostile names.
fn whole() -> PuzzleComparison {
    let counts = [(0, 0, 2), (1, 1, 2), (2, 3, 1), (2, 1, 1), (6, 4, 1)];
    let count = |(distance, h, boards)| EstimateCount { distance, h, boards };
    let prediction = |bound, predicted, measured| PredictionRow {
        bound,
        boards: 1,
        predicted,
        standard_error: 0.1,
        measured,
    };
    let group = |of, boards, expanded: Option<f64>| Group {
        of,
        boards,
        rows: (0..3).map(|contender| row(contender, boards.min(1), expanded)).collect(),
    };
    PuzzleComparison {
        puzzle: format!("puzzle {HOSTILE}"),
        contenders: vec![
            contender("ida", Some("manhattan")),
            contender("ida", Some(HOSTILE)),
            contender("bfs", None),
        ],
        inapplicable: vec![format!("{HOSTILE} does not apply")],
        boards: vec![
            subject("there already", Some(0)),
            subject(HOSTILE, Some(6)),
            subject("hard", None),
        ],
        trials: vec![
            solved(0, 0, 0, 0),
            solved(0, 1, 0, 0),
            solved(0, 2, 0, 1),
            solved(1, 0, 6, 1_000),
            solved(1, 1, 6, 500),
            solved(1, 2, 6, 100_000),
            given_up(2, 0),
            given_up(2, 1),
        ],
        groups: vec![
            group(Which::All, 3, Some(500.0)),
            group(Which::Distance(0), 1, Some(0.0)),
            group(Which::Distance(6), 2, Some(1e6)),
            group(Which::UnknownDistance, 1, None),
        ],
        estimates: vec![
            Estimates { heuristic: "manhattan".to_owned(), counts: counts.map(count).to_vec() },
            Estimates { heuristic: HOSTILE.to_owned(), counts: Vec::new() },
        ],
        predictions: vec![Predictions {
            heuristic: "manhattan".to_owned(),
            sample: 1_000,
            rows: vec![prediction(3, 0.01, 0.0), prediction(4, 240.0, 250.0)],
        }],
    }
}

/// A board, and as many contenders as wanted, which solve it or give up.
fn single(algorithms: usize, heuristics: usize, is_solved: bool) -> PuzzleComparison {
    let contenders: Vec<Contender> = (0..algorithms * heuristics)
        .map(|number| {
            let heuristic = format!("heuristic-{}", number % heuristics);
            contender(&format!("algorithm-{}", number / heuristics), Some(&heuristic))
        })
        .collect();
    let trial = |number| if is_solved { solved(0, number, 5, 7) } else { given_up(0, number) };
    let expanded = is_solved.then_some(7.0);
    let rows = |_| (0..contenders.len()).map(|c| row(c, is_solved.into(), expanded)).collect();
    let distance = is_solved.then_some(5);
    let of = distance.map_or(Which::UnknownDistance, Which::Distance);
    PuzzleComparison {
        puzzle: "single".to_owned(),
        inapplicable: Vec::new(),
        boards: vec![subject("the only one", distance)],
        trials: (0..contenders.len()).map(trial).collect(),
        groups: [Which::All, of].map(|of| Group { of, boards: 1, rows: rows(of) }).to_vec(),
        estimates: Vec::new(),
        predictions: Vec::new(),
        contenders,
    }
}

fn empty() -> PuzzleComparison {
    PuzzleComparison {
        puzzle: "empty".to_owned(),
        contenders: Vec::new(),
        inapplicable: Vec::new(),
        boards: Vec::new(),
        trials: Vec::new(),
        groups: Vec::new(),
        estimates: Vec::new(),
        predictions: Vec::new(),
    }
}

fn troubled() -> Comparison {
    let skipped = |number: usize| Skipped {
        location: None,
        board: format!("{number} {HOSTILE}"),
        status: Status::Invalid,
        reason: HOSTILE.to_owned(),
    };
    Comparison {
        contradictions: vec![HOSTILE.to_owned()],
        skipped: (0..20).map(skipped).collect(),
        interrupted: true,
        ..comparison(vec![whole(), empty(), single(1, 1, true)])
    }
}

fn rendered(comparison: &Comparison) -> String {
    page::render(comparison, &about()).unwrap()
}

/// Hands the page to a strict parser.
fn with_parsed(page: &str, check: impl FnOnce(&Document)) {
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    match Document::parse_with_options(page, options) {
        Ok(document) => check(&document),
        Err(error) => {
            let at = error.pos().row as usize;
            panic!("{error}: {}", page.lines().nth(at - 1).unwrap_or_default());
        }
    }
}

fn all<'a>(document: &'a Document, tag: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(move |node| node.tag_name().name() == tag)
}

#[test]
fn every_page_is_well_formed_and_all_its_numbers_are_finite() {
    let pages = [
        comparison(Vec::new()),
        comparison(vec![empty()]),
        comparison(vec![whole()]),
        comparison(vec![single(1, 1, true)]),
        comparison(vec![single(1, 1, false)]),
        comparison(vec![single(3, 20, true)]),
        comparison(vec![single(9, 8, false)]),
        troubled(),
    ];
    for comparison in pages {
        with_parsed(&rendered(&comparison), |document| {
            let images = all(document, "svg").flat_map(|image| image.descendants());
            for node in images.filter(Node::is_element) {
                for attribute in node.attributes() {
                    let (name, value) = (attribute.name(), attribute.value());
                    let numbers = value.split([' ', ',', '(', ')']);
                    for number in numbers.filter_map(|word| word.parse::<f64>().ok()) {
                        assert!(number.is_finite(), "{name}: {value}");
                        let is_size = ["width", "height", "r"].contains(&name);
                        assert!(!is_size || number >= 0.0, "{name}: {value}");
                    }
                }
            }
            let texts = document.descendants().filter_map(|node| node.text());
            for word in texts.flat_map(str::split_whitespace) {
                assert!(!["NaN", "inf", "-inf"].contains(&word));
            }
        });
    }
}

#[test]
fn names_stay_text() {
    with_parsed(&rendered(&troubled()), |document| {
        assert_eq!(all(document, "script").count(), 0);
        let shown = HOSTILE.replace('\u{1b}', "\u{fffd}");
        let says = |tag: &str| {
            all(document, tag).any(|node| {
                let texts = node.descendants().filter_map(|inner| inner.text());
                texts.collect::<String>().contains(&shown)
            })
        };
        for tag in ["h1", "h2", "th", "li", "code", "title"] {
            assert!(says(tag), "{tag}");
        }
        for node in document.descendants() {
            assert!(node.attributes().all(|attribute| !attribute.name().starts_with("on")));
        }
    });
}

#[test]
fn nothing_is_fetched() {
    with_parsed(&rendered(&troubled()), |document| {
        for node in document.descendants().filter(Node::is_element) {
            assert!(!["link", "img", "iframe", "use", "image"].contains(&node.tag_name().name()));
            assert_eq!(node.attribute("src"), None);
            assert!(node.attribute("href").is_none_or(|target| target.starts_with('#')));
        }
        let styles = all(document, "style").filter_map(|style| style.text());
        assert!(
            styles.into_iter().all(|style| !style.contains("url(") && !style.contains("@import"))
        );
    });
}

#[test]
fn those_who_cannot_see_it_are_told() {
    with_parsed(&rendered(&troubled()), |document| {
        let is_told = |image: Node| {
            image.attribute("aria-hidden") == Some("true")
                || (image.attribute("role") == Some("img")
                    && image.attribute("aria-label").is_some_and(|label| !label.is_empty()))
        };
        assert!(all(document, "svg").all(is_told));
        assert!(all(document, "th").all(|head| head.attribute("scope").is_some()));
        assert!(all(document, "figure").all(|figure| {
            figure.children().any(|child| child.tag_name().name() == "figcaption")
        }));
        let ids: Vec<&str> =
            document.descendants().filter_map(|node| node.attribute("id")).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
    });
}

#[test]
fn a_chart_without_data_is_left_out_and_why_is_said() {
    let figures = |page: &str| page.matches("<figure").count();
    let missing = |page: &str| page.matches("class=\"missing\"").count();
    let whole = rendered(&comparison(vec![whole()]));
    assert_eq!((figures(&whole), missing(&whole)), (5, 0));
    let unsolved = rendered(&comparison(vec![single(1, 1, false)]));
    assert_eq!((figures(&unsolved), missing(&unsolved)), (2, 3));
    assert!(unsolved.contains("no board whose distance is known was solved"));
    let nothing = rendered(&comparison(vec![empty()]));
    assert_eq!((figures(&nothing), missing(&nothing)), (0, 5));
}

#[test]
fn what_is_too_high_has_another_colour() {
    let colour = |colour: theme::Colour| {
        let plotters::style::RGBColor(red, green, blue) = colour.rgb();
        format!("fill=\"#{red:02X}{green:02X}{blue:02X}\" stroke=\"none\"")
    };
    let page = rendered(&comparison(vec![whole()]));
    // A cell of the map, and a bar.
    assert_eq!(page.matches(&colour(theme::Colour::TOO_HIGH)).count(), 2);
    assert!(page.contains("too high on 1 of 7 boards"));
}

#[test]
fn what_must_not_be_missed_comes_first() {
    let page = rendered(&troubled());
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text}"));
    assert!(at("Contradictions") < at("Cut short"));
    assert!(at("Cut short") < at("20 items not compared"));
    assert!(at("20 items not compared") < at("id=\"puzzle-1\""));
    assert!(!rendered(&comparison(vec![whole()])).contains("Contradictions"));
}

#[test]
fn the_same_comparison_gives_the_same_page() {
    assert_eq!(rendered(&troubled()), rendered(&troubled()));
}

#[test]
fn a_page_is_written_once_unless_it_may_be_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("some/folder");
    let first = write(&comparison(vec![whole()]), &about(), &below, false).unwrap();
    assert_eq!(first, below.join(PAGE));
    let before = fs::read(&first).unwrap();
    let other = comparison(vec![empty()]);
    let refused = write(&other, &about(), &below, false).unwrap_err();
    assert!(matches!(&refused, ReportError::Exists(path) if *path == first));
    assert!(refused.to_string().ends_with("choose another folder, or give --force"));
    assert_eq!(fs::read(&first).unwrap(), before);
    write(&other, &about(), &below, true).unwrap();
    assert_ne!(fs::read(&first).unwrap(), before);
    // Nothing else is left behind.
    assert_eq!(fs::read_dir(&below).unwrap().count(), 1);
}

#[cfg(unix)]
#[test]
fn a_page_is_for_others_to_read_like_any_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let page = write(&comparison(Vec::new()), &about(), folder.path(), false).unwrap();
    let usual = folder.path().join("usual");
    fs::write(&usual, "").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&page), mode(&usual));
}

#[test]
fn what_the_system_refuses_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    for inside in [file.clone(), file.join("deeper")] {
        let refused = write(&comparison(Vec::new()), &about(), &inside, true).unwrap_err();
        assert!(matches!(&refused, ReportError::Io { path, .. } if *path == inside), "{refused}");
    }
    let taken = folder.path().join("taken");
    fs::create_dir_all(taken.join(PAGE)).unwrap();
    let refused = write(&comparison(Vec::new()), &about(), &taken, true).unwrap_err();
    assert!(matches!(&refused, ReportError::Io { path, .. } if *path == taken.join(PAGE)));
}
