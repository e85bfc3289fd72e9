//! How large a group is, and how large it can be at most.

use crate::board::MAX_CELLS;
use crate::puzzle::permutation::Permutation;
use std::fmt;
use std::iter;

/// How many elements a [`Group`](super::Group) has, as an exact product of small factors.
///
/// Displays as `25! = 15511210043330985984000000` or `9!/2 = 181440` if the group is
/// the symmetric or alternating group of all its cells, or of those that move at all
/// (three or more); otherwise as the number alone. What does not fit an `u128` is
/// rounded: `100! ≈ 9.33e157`.
#[derive(Clone, Debug)]
pub struct Order {
    factors: Vec<usize>,
    cells: usize,
    moved: usize,
}

impl Order {
    pub(super) fn new(factors: Vec<usize>, cells: usize, moved: usize) -> Order {
        Order { factors, cells, moved }
    }

    /// Numbers above one whose product is the order: the lengths of the orbits of the
    /// stabilizer chain's levels, in the order of the cells.
    pub fn factors(&self) -> &[usize] {
        &self.factors
    }

    /// The exact number, if it fits.
    pub fn as_u128(&self) -> Option<u128> {
        self.factors.iter().try_fold(1u128, |order, &factor| order.checked_mul(factor as u128))
    }

    /// Its decimal logarithm.
    pub fn log10(&self) -> f64 {
        self.factors.iter().map(|&factor| (factor as f64).log10()).sum()
    }

    /// `n!` or `n!/2`, if the order is that for all cells or for all that move.
    fn name(&self) -> Option<String> {
        let order = PrimeFactors::from_product(self.factors.iter().copied());
        let twice = PrimeFactors::from_product(self.factors.iter().copied().chain([2]));
        // Below three cells the name would be longer than the number.
        [self.cells, self.moved].into_iter().filter(|&n| n >= 3).find_map(|n| {
            let factorial = PrimeFactors::from_product(2..=n);
            if order == factorial {
                Some(format!("{n}!"))
            } else if twice == factorial {
                Some(format!("{n}!/2"))
            } else {
                None
            }
        })
    }

    /// The order in scientific notation with two decimals.
    fn rounded(&self) -> String {
        let log10 = self.log10();
        let exponent = log10.floor();
        let hundredths = (10f64.powf(log10 - exponent) * 100.0).round();
        // 9.996 is rounded up to ten, which has one more digit before the point.
        let (hundredths, exponent) =
            if hundredths < 1000.0 { (hundredths, exponent) } else { (100.0, exponent + 1.0) };
        format!("{:.2}e{exponent}", hundredths / 100.0)
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.name(), self.as_u128()) {
            (Some(name), Some(number)) => write!(f, "{name} = {number}"),
            (Some(name), None) => write!(f, "{name} ≈ {}", self.rounded()),
            (None, Some(number)) => write!(f, "{number}"),
            (None, None) => write!(f, "≈ {}", self.rounded()),
        }
    }
}

/// A product of numbers up to [`MAX_CELLS`], in the form in which huge products can be
/// compared: how often each prime divides it.
#[derive(PartialEq, Eq)]
struct PrimeFactors {
    exponents: [u32; MAX_CELLS + 1],
}

impl PrimeFactors {
    fn from_product(numbers: impl IntoIterator<Item = usize>) -> PrimeFactors {
        let mut exponents = [0; MAX_CELLS + 1];
        for mut number in numbers {
            let mut divisor = 2;
            while divisor * divisor <= number {
                if number.is_multiple_of(divisor) {
                    exponents[divisor] += 1;
                    number /= divisor;
                } else {
                    divisor += 1;
                }
            }
            if number > 1 {
                exponents[number] += 1;
            }
        }
        PrimeFactors { exponents }
    }
}

/// An upper bound on the order of a group, from its orbits and its parities alone.
///
/// The group is part of the product of the symmetric groups of its orbits, of order
/// `Π |orbit|!`. The parities of an element on each of the `k` orbits of two or more
/// cells are a vector over the field of two elements, and the vectors of all elements
/// are those spanned by the generators' vectors: if these have rank `r`, the group is
/// part of a subgroup of index `2^(k - r)`, as in the product all `2^k` vectors occur
/// equally often. (For a single orbit this says: halve it if all generators are even.)
pub(super) struct OrderBound {
    /// `Π |orbit|!`.
    product: PrimeFactors,
    /// `k - r`.
    pub(super) halvings: usize,
}

impl OrderBound {
    pub(super) fn new(orbits: &[Vec<usize>], generators: &[Permutation]) -> OrderBound {
        let moving: Vec<&Vec<usize>> = orbits.iter().filter(|orbit| orbit.len() > 1).collect();
        let rank = rank(generators.iter().map(|generator| parities(generator, &moving)));
        OrderBound {
            product: PrimeFactors::from_product(moving.iter().flat_map(|orbit| 2..=orbit.len())),
            halvings: moving.len() - rank,
        }
    }

    /// Whether an order, given by its factors, equals the bound.
    pub(super) fn is_reached_by(&self, factors: impl Iterator<Item = usize>) -> bool {
        let halved = iter::repeat_n(2, self.halvings);
        PrimeFactors::from_product(factors.chain(halved)) == self.product
    }
}

/// The parity of an element on each of the orbits, one bit each (at most half of
/// [`MAX_CELLS`], since each orbit has two cells or more).
fn parities(element: &Permutation, orbits: &[&Vec<usize>]) -> u128 {
    const { assert!(MAX_CELLS / 2 <= u128::BITS as usize) };
    let cycles = element.cycles();
    orbits.iter().enumerate().fold(0, |bits, (index, orbit)| {
        let swaps: usize = cycles
            .iter()
            .filter(|cycle| orbit.binary_search(&cycle[0]).is_ok())
            .map(|cycle| cycle.len() - 1)
            .sum();
        bits | ((swaps % 2) as u128) << index
    })
}

/// The rank of vectors over the field of two elements, whose coordinates are bits.
pub(super) fn rank(vectors: impl Iterator<Item = u128>) -> usize {
    let mut basis: Vec<u128> = Vec::new();
    for vector in vectors {
        // Each basis vector's highest bit is in none of the later ones, so that taking
        // the smaller of the two clears that bit.
        let reduced = basis.iter().fold(vector, |rest, &b| rest.min(rest ^ b));
        if reduced != 0 {
            basis.push(reduced);
        }
    }
    basis.len()
}
