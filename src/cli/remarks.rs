//! What there is to say about input besides its boards, as text.

use super::Common;
use super::output::note;
use permutile::board::Shape;
use permutile::format::grouped;
use permutile::lab::input::{Boards, InputRemarks, Item, Remark, Source};

/// All boards of the sources; what there is to say about these goes to standard error.
pub(super) fn read_all(sources: &[Source], shape: Option<Shape>, common: &Common) -> Vec<Item> {
    let mut boards = Boards::open(sources, shape, &|_| true);
    let items = boards.by_ref().collect();
    if !common.quiet {
        lines(&boards.remarks()).for_each(note);
    }
    items
}

/// A line for each kind of remark that there is.
pub(super) fn lines(remarks: &InputRemarks) -> impl Iterator<Item = String> {
    let InputRemarks { passed_over, given_twice, renamed } = remarks;
    let all = [
        ("passed over, because they are hidden or named otherwise than boards", passed_over),
        ("given twice and read once", given_twice),
        ("called by their lines as well, because others have the same names", renamed),
    ];
    let all = all.into_iter().filter(|(_, remark)| remark.count > 0);
    all.map(|(what, remark)| format!("{what}: {}", examples(remark)))
}

/// The first few, and how many there are.
fn examples(remark: &Remark) -> String {
    let more = remark.count - remark.first.len();
    let more = (more > 0).then(|| format!("and {} more", grouped(more as u64)));
    let listed: Vec<String> = remark.first.iter().cloned().chain(more).collect();
    format!("{} ({})", grouped(remark.count as u64), listed.join(", "))
}
