//! Methods as types: an enum for each family, with a name and a line about each.
//!
//! Names are for the edge, where people type; inside, a method is a value. The lists ([`Method::ALL`]) are read by help,
//! tests, benchmarks and fuzzing alike: a new method is one file, one variant, and its line in the list.

use std::fmt;
use std::hash::Hash;

use crate::outcome::SolveError;

/// A way to answer questions of one family.
pub trait Method: Copy + fmt::Debug + Default + PartialEq + Eq + Hash + 'static {
    /// All of them, as help lists them; variants that differ in settings alone are listed once.
    const ALL: &'static [Self];

    /// The name, as on the command line.
    fn name(self) -> &'static str;

    /// A line for the help.
    fn about(self) -> &'static str;

    /// The method with a name.
    ///
    /// # Errors
    /// When there is none, with the names that there are.
    fn named(name: &str) -> Result<Self, SolveError> {
        Self::ALL.iter().copied().find(|method| method.name() == name).ok_or_else(|| {
            let known: Vec<&str> = Self::ALL.iter().map(|method| method.name()).collect();
            SolveError::NoSuchMethod { name: name.to_owned(), known: known.join(", ") }
        })
    }
}

/// Reading and writing methods by name.
macro_rules! by_name {
    ($($method:ty),*) => {$(
        impl std::str::FromStr for $method {
            type Err = $crate::outcome::SolveError;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                <Self as $crate::method::Method>::named(name)
            }
        }

        impl std::fmt::Display for $method {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str($crate::method::Method::name(*self))
            }
        }
    )*};
}
pub(crate) use by_name;
