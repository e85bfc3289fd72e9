//! What stands for a class of symmetric arrangements, the long way.

use permutile::board::MAX_CELLS;
use permutile::puzzle::packed::Packed;
use permutile::puzzle::permutation::Permutation;

/// The least of all images.
pub(crate) fn least_image<K: Packed>(key: K, symmetries: &[Permutation]) -> K {
    let cells = symmetries[0].cells();
    let mut labels = [0; MAX_CELLS];
    let mut image = labels;
    key.unpack(&mut labels[..cells]);
    symmetries
        .iter()
        .map(|sigma| {
            for (cell, &label) in labels[..cells].iter().enumerate() {
                image[sigma.source(cell)] = sigma.sources()[usize::from(label)];
            }
            K::from_labels(&image[..cells])
        })
        .min()
        .expect("the identity is a symmetry")
}
