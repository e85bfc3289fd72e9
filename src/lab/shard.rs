//! A slice of a run, for work that is spread over several machines.
//!
//! Which slice a board belongs to depends on the board alone, by a hash that never changes:
//! not on the order of files, nor on which other boards there are. What is no board goes by its
//! name.

use super::input::Item;
use std::str::FromStr;

/// Slice `index` of `count`, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    index: u32,
    count: u32,
}

impl Shard {
    /// Whether an item belongs to this slice.
    pub fn takes(self, item: &Item) -> bool {
        let hash = match &item.entry {
            Ok(entry) => {
                let shape = entry.board.shape();
                let head = [shape.rows() as u16, shape.cols() as u16];
                let tiles = entry.board.tiles().iter().map(|tile| tile.0);
                hash(head.into_iter().chain(tiles).flat_map(u16::to_le_bytes))
            }
            Err(_) => hash(item.name.bytes()),
        };
        hash % u64::from(self.count) == u64::from(self.index - 1)
    }
}

/// The 64-bit hash of Fowler, Noll and Vo (FNV-1a), and a final mix, because its low bits alone
/// decide.
fn hash(bytes: impl Iterator<Item = u8>) -> u64 {
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let stirred = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    stirred ^ (stirred >> 32)
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let wrong = || format!("\"{text}\" is no slice: expected i/n with 1 <= i <= n, as in 2/8");
        let (index, count) = text.split_once('/').ok_or_else(wrong)?;
        let index: u32 = index.parse().map_err(|_| wrong())?;
        let count: u32 = count.parse().map_err(|_| wrong())?;
        if (1..=count).contains(&index) { Ok(Shard { index, count }) } else { Err(wrong()) }
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::input::Source;

    #[test]
    fn each_board_is_in_one_slice_and_slices_are_even() {
        let boards = (0..400).map(|i| {
            let mut tiles: Vec<usize> = (1..=16).collect();
            tiles.swap(i % 16, i / 16 % 16);
            tiles.rotate_left(i % 7);
            tiles.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        });
        let items: Vec<Item> =
            boards.flat_map(|text| Source::from_argument(&text).read(None)).collect();
        let shards: Vec<Shard> = (1..=4).map(|i| format!("{i}/4").parse().unwrap()).collect();
        let of = |item: &Item| shards.iter().filter(|shard| shard.takes(item)).count();
        assert!(items.iter().all(|item| item.entry.is_ok() && of(item) == 1));
        for shard in &shards {
            let size = items.iter().filter(|item| shard.takes(item)).count();
            assert!((60..140).contains(&size), "{shard}: {size} of {}", items.len());
        }
    }

    #[test]
    fn slices_never_change() {
        assert_eq!(hash("board1".bytes()), 233_801_157_065_885_224);
    }

    #[test]
    fn slices_are_counted_from_one() {
        for wrong in ["", "1", "0/4", "5/4", "a/b", "1/0", "1/2/3", "-1/2"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
