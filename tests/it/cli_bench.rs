//! `permutile bench`: the suite's signature, with SIMD and without.

use crate::program::permutile;

/// The nodes that the suite generates. CONTRIBUTING.md says when this may change.
const SIGNATURE: u64 = 98_112_482;

#[test]
fn the_signature_is_the_same_in_each_build() {
    permutile(&["bench", "--simd", "off"])
        .exits(0)
        .says_nothing()
        .prints(&["nodes per second\n", &format!("\nsignature {SIGNATURE}\n")]);
}

#[test]
fn each_search_of_the_suite_is_in_the_document() {
    let document = permutile(&["bench", "--json"]).exits(0).says_nothing().json_line();
    assert_eq!(document["signature"], SIGNATURE);
    let searches = document["searches"].as_array().unwrap();
    let nodes = searches.iter().map(|search| search["nodes"].as_u64().unwrap());
    assert_eq!(nodes.sum::<u64>(), SIGNATURE);
}
