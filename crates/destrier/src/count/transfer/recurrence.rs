//! The linear recurrence that the counts of a strip obey, found from its first terms.
//!
//! Berlekamp and Massey's algorithm gives the shortest recurrence of a sequence modulo a prime. Its
//! coefficients are integers, since the counts come from a matrix of integers (Fatou), so a few primes
//! and the Chinese remainder theorem recover them. The result is tried on terms it has not seen.
//!
//! Invariant: a recurrence is reported only if it predicts every further term that was computed.
//! Cost: twice the order in terms for each prime; the square of the order for each.
//! Source: Massey, "Shift-register synthesis and BCH decoding" (1969).

use num_bigint::{BigInt, BigUint, Sign};

use super::automaton::Automaton;
use super::series::modular;
use crate::run::watch::{Halt, Watch};

/// A linear recurrence with constant coefficients.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recurrence {
    /// How many earlier terms each term is made of.
    pub order: usize,
    /// It holds for all lengths above this.
    pub after: usize,
    /// `a(n) = c[0] a(n-1) + c[1] a(n-2) + …`; empty where only the order was wanted.
    pub coefficients: Vec<BigInt>,
    /// Terms that were predicted and not used to find it, for each prime.
    pub checked: usize,
}

/// Orders above this are reported without coefficients: they would fill pages.
const WRITTEN_OUT: usize = 1000;

/// Finds the recurrence, if its order is at most this.
///
/// # Errors
/// When the watch halts.
pub(crate) fn find(
    machine: &Automaton,
    most: usize,
    watch: &Watch,
) -> Result<Option<Recurrence>, Halt> {
    let mut primes = primes_below(1 << 61);
    let first = primes.next().expect("there are many");
    let mut terms = 64;
    let (order, residues) = loop {
        let sequence = modular(machine, terms, first, watch)?;
        let residues = shortest(&sequence, first);
        // At least an eighth of the terms were predicted without being needed.
        if 2 * residues.len() + 16 + terms / 8 <= terms {
            break (residues.len(), residues);
        }
        if terms > most.saturating_mul(2).saturating_add(16 + terms / 8) {
            return Ok(None);
        }
        terms *= 2;
    };
    if order > most {
        return Ok(None);
    }
    let checked = terms - 2 * order;
    let after = order;
    // Coefficients of zero at the end mean that the first terms do not take part.
    let shorter = residues.iter().rposition(|&r| r != 0).map_or(0, |last| last + 1);
    if order > WRITTEN_OUT {
        // Modulo an unlucky prime the order would be less: another one must agree.
        let prime = primes.next().expect("there are many");
        let again = modular(machine, 2 * order + 16 + order / 8, prime, watch)?;
        if shortest(&again, prime).len() != order {
            return Ok(None);
        }
        let coefficients = Vec::new();
        return Ok(Some(Recurrence { order: shorter, after, coefficients, checked }));
    }
    let terms = 2 * order + 16 + order / 8;
    let mut modulus = BigUint::from(first);
    let mut values: Vec<BigUint> = residues.iter().map(|&r| BigUint::from(r)).collect();
    loop {
        let prime = primes.next().expect("there are many");
        let residues = shortest(&modular(machine, terms, prime, watch)?, prime);
        if residues.len() != order {
            continue; // an unlucky prime: the recurrence is shorter modulo it
        }
        let mut coefficients: Vec<BigInt> = values.iter().map(|v| centred(v, &modulus)).collect();
        let agrees = |(c, &r): (&BigInt, &u64)| {
            let p = BigInt::from(prime);
            ((c % &p) + &p) % &p == BigInt::from(r)
        };
        if coefficients.iter().zip(&residues).all(agrees) {
            coefficients.truncate(shorter);
            return Ok(Some(Recurrence { order: shorter, after, coefficients, checked }));
        }
        for (value, &residue) in values.iter_mut().zip(&residues) {
            *value = combined(value, &modulus, residue, prime);
        }
        modulus *= prime;
    }
}

/// The representative nearest to zero.
fn centred(value: &BigUint, modulus: &BigUint) -> BigInt {
    if value * 2_u32 > *modulus {
        BigInt::from_biguint(Sign::Minus, modulus - value)
    } else {
        BigInt::from(value.clone())
    }
}

/// The number below `modulus * prime` with both residues.
fn combined(value: &BigUint, modulus: &BigUint, residue: u64, prime: u64) -> BigUint {
    let small = |number: &BigUint| (number % prime).iter_u64_digits().next().unwrap_or(0);
    let gap = (residue + prime - small(value)) % prime;
    let steps = times(gap, inverse(small(modulus), prime), prime);
    value + modulus * steps
}

fn times(a: u64, b: u64, prime: u64) -> u64 {
    u64::try_from(u128::from(a) * u128::from(b) % u128::from(prime)).expect("below the prime")
}

fn power(mut base: u64, mut exponent: u64, modulus: u64) -> u64 {
    let mut result = 1 % modulus;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, base, modulus);
        }
        base = times(base, base, modulus);
        exponent >>= 1;
    }
    result
}

fn inverse(number: u64, prime: u64) -> u64 {
    power(number, prime - 2, prime)
}

/// The primes below a bound, the largest first.
fn primes_below(bound: u64) -> impl Iterator<Item = u64> {
    (3..bound).rev().filter(|&n| is_prime(n))
}

/// Is it prime? Miller and Rabin's test with the bases that decide all 64-bit numbers.
fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if let Some(&small) = BASES.iter().find(|&&base| n.is_multiple_of(base)) {
        return n == small;
    }
    let twos = (n - 1).trailing_zeros();
    BASES.iter().all(|&base| {
        let mut x = power(base, (n - 1) >> twos, n);
        x == 1
            || (0..twos).any(|_| {
                let ends = x == n - 1;
                x = times(x, x, n);
                ends
            })
    })
}

/// The shortest recurrence of a sequence modulo a prime: `a[n] = Σ c[i] a[n-1-i]`.
fn shortest(sequence: &[u64], prime: u64) -> Vec<u64> {
    let (mut current, mut best): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
    let (mut best_gap, mut since) = (1_u64, 0_usize);
    let mut begun = false;
    for (n, &term) in sequence.iter().enumerate() {
        let predicted = current
            .iter()
            .enumerate()
            .map(|(i, &c)| times(c, sequence[n - 1 - i], prime))
            .fold(0, |sum, term| (sum + term) % prime);
        let gap = (term + prime - predicted) % prime;
        since += 1;
        if gap == 0 {
            continue;
        }
        if !begun {
            begun = true;
            current = vec![0; n + 1];
            (best, best_gap, since) = (Vec::new(), gap, 0);
            continue;
        }
        // current + gap / best_gap · (x^since · (1 − best))
        let scale = times(gap, inverse(best_gap, prime), prime);
        let mut next = current.clone();
        next.resize(next.len().max(since + best.len()), 0);
        next[since - 1] = (next[since - 1] + scale) % prime;
        for (i, &b) in best.iter().enumerate() {
            let at = &mut next[since + i];
            *at = (*at + prime - times(scale, b, prime)) % prime;
        }
        // The older one of the two that is shorter for its age is kept.
        if 2 * current.len() <= n {
            next.resize(next.len().max(n + 1 - current.len()), 0);
            (best, best_gap, since) = (current, gap, 0);
        }
        current = next;
    }
    current
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fibonacci_is_found_again() {
        let mut terms = vec![1_u64, 1];
        for n in 2..20 {
            terms.push(terms[n - 1] + terms[n - 2]);
        }
        assert_eq!(shortest(&terms, 1_000_003), [1, 1]);
        assert_eq!(shortest(&[0, 0, 1, 0, 0, 0, 0, 0], 101), [0, 0, 0]);
        assert!(shortest(&[0; 9], 101).is_empty());
    }

    #[test]
    fn a_random_recurrence_is_found_again() {
        let prime = primes_below(1 << 61).next().unwrap();
        assert_eq!(prime, (1 << 61) - 1);
        for order in 1..30_u64 {
            let c: Vec<u64> = (1..=order).map(|i| power(3, i * 77 + order, prime)).collect();
            let mut terms: Vec<u64> = (1..=order).map(|i| power(5, i * 131, prime)).collect();
            for n in terms.len()..100 {
                let sum = c.iter().enumerate().map(|(i, &c)| times(c, terms[n - 1 - i], prime));
                terms.push(sum.fold(0, |a, b| (a + b) % prime));
            }
            assert_eq!(shortest(&terms, prime), c);
        }
    }
}
