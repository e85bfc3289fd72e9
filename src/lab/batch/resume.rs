//! Records of an earlier run, matched with the boards of one that continues it.

use super::output::OutputError;
use crate::lab::input::Item;
use crate::lab::record::Record;
use std::collections::HashMap;
use std::path::Path;

/// Records of an earlier run, found by the boards that they are of.
#[derive(Debug)]
pub(super) struct EarlierRecords {
    /// In the order of the journal; `None` once taken.
    records: Vec<Option<Record>>,
    /// Where the records of a name and a start are; the first one comes last.
    by_board: HashMap<(String, Option<Vec<u16>>), Vec<usize>>,
}

impl EarlierRecords {
    /// The records of a journal.
    ///
    /// # Errors
    /// If some were made with other settings than those of this run: the two would be mixed.
    pub(super) fn new(
        journal: &Path,
        earlier: Vec<Record>,
        settings: &str,
    ) -> Result<EarlierRecords, OutputError> {
        if let Some(other) = earlier.iter().find(|record| record.plan.as_deref() != Some(settings))
        {
            return Err(OutputError::OtherSettings {
                path: journal.into(),
                recorded: other.plan.clone(),
                current: settings.to_owned(),
            });
        }
        let mut by_board: HashMap<_, Vec<usize>> = HashMap::new();
        for (index, record) in earlier.iter().enumerate().rev() {
            by_board.entry((record.board.clone(), record.start.clone())).or_default().push(index);
        }
        Ok(EarlierRecords { records: earlier.into_iter().map(Some).collect(), by_board })
    }

    /// Takes out the record of an item: a board that is there twice has two records.
    pub(super) fn take(&mut self, item: &Item) -> Option<Record> {
        let tiles = item.entry.as_ref().ok().map(|entry| entry.board.tiles());
        let tiles: Option<Vec<u16>> = tiles.map(|tiles| tiles.iter().map(|tile| tile.0).collect());
        let mut with_start = |start| self.by_board.get_mut(&(item.name.clone(), start))?.pop();
        // The record of a board that fits no puzzle has no start.
        let index = with_start(tiles).or_else(|| with_start(None))?;
        self.records[index].take()
    }

    /// The records that were not taken: of boards that this run has not come to, or that are no
    /// longer among its input.
    pub(super) fn into_remaining(self) -> impl Iterator<Item = Record> {
        self.records.into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::input::Source;

    fn record(name: &str, start: Option<&[u16]>, error: &str) -> Record {
        Record {
            start: start.map(<[u16]>::to_vec),
            plan: Some("auto".to_owned()),
            ..Record::invalid(name.to_owned(), error.to_owned())
        }
    }

    #[test]
    fn each_record_is_taken_once_by_a_board_of_its_name_and_start() {
        let start = [1, 0, 2, 3];
        let journal = vec![
            record("argument", Some(&start), "first"),
            record("argument", Some(&start), "second"),
            record("argument", Some(&[0, 1, 2, 3]), "other board"),
            record("other", Some(&start), "other name"),
            record("argument", None, "no start"),
        ];
        let mut earlier = EarlierRecords::new(Path::new("j"), journal, "auto").unwrap();
        let item = Source::from_argument("1 0 2 3").read(None).remove(0);
        let taken: Vec<Option<String>> =
            (0..4).map(|_| earlier.take(&item).and_then(|record| record.error)).collect();
        let expected = ["first", "second", "no start"].map(|error| Some(error.to_owned()));
        assert_eq!((&taken[..3], &taken[3]), (&expected[..], &None));
        let remaining: Vec<String> = earlier.into_remaining().filter_map(|r| r.error).collect();
        assert_eq!(remaining, ["other board", "other name"]);
    }

    #[test]
    fn records_of_other_settings_are_refused() {
        let refused =
            |records, settings| match EarlierRecords::new(Path::new("j"), records, settings) {
                Err(OutputError::OtherSettings { recorded, current, .. }) => (recorded, current),
                other => panic!("{other:?}"),
            };
        let auto = || vec![record("a", None, "")];
        assert_eq!(refused(auto(), "ida"), (Some("auto".to_owned()), "ida".to_owned()));
        let untold = vec![Record { plan: None, ..record("a", None, "") }];
        assert_eq!(refused(untold, "ida"), (None, "ida".to_owned()));
        assert!(EarlierRecords::new(Path::new("j"), auto(), "auto").is_ok());
    }
}
