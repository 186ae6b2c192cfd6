//! The methods that are to answer, some in variants.

use std::fmt;

use destrier::{
    BbDfs, CaptureMethod, CountMethod, Method as _, Parallel, Schedule, SolveError, SwapMethod,
    Ties, TourMethod, Warnsdorff,
};

use crate::error::Error;
use crate::question::Kind;

/// The classic walks, by the rule that breaks ties: the methods of a survey.
pub const WALKS: [Warnsdorff; 3] =
    [Warnsdorff::new(Ties::MoveOrder), Warnsdorff::new(Ties::Pohl), Warnsdorff::new(Ties::Roth)];

/// A method, and which of its variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    name: &'static str,
    variant: Option<Variant>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variant {
    /// How `bb-dfs` shares its tree among threads.
    Parallel(Parallel),
    /// A classic walk that steps back from dead ends.
    Backtrack,
    /// How a count by brute force shares its starts among threads.
    Schedule(Schedule),
}

impl Variant {
    const fn name(self) -> &'static str {
        match self {
            Variant::Parallel(Parallel::None) => "none",
            Variant::Parallel(Parallel::Task) | Variant::Schedule(Schedule::Task) => "task",
            Variant::Parallel(Parallel::Data) => "data",
            Variant::Backtrack => "backtrack",
            Variant::Schedule(Schedule::Static) => "static",
            Variant::Schedule(_) => "parts",
        }
    }

    /// The variants of a method.
    fn all(kind: Kind, method: &str) -> &'static [Variant] {
        match (kind, method) {
            (Kind::Capture, "bb-dfs") => &[
                Variant::Parallel(Parallel::None),
                Variant::Parallel(Parallel::Task),
                Variant::Parallel(Parallel::Data),
            ],
            (Kind::Tour, "warnsdorff" | "pohl" | "roth") => &[Variant::Backtrack],
            (Kind::Count, "naive" | "backtrack") => &[
                Variant::Schedule(Schedule::Parts),
                Variant::Schedule(Schedule::Static),
                Variant::Schedule(Schedule::Task),
            ],
            _ => &[],
        }
    }
}

impl Method {
    /// The method of this name, which may have a variant behind a colon: `bb-dfs:task`.
    fn read(kind: Kind, text: &str) -> Result<Method, Error> {
        let (name, variant) = text.split_once(':').map_or((text, None), |(n, v)| (n, Some(v)));
        let name = match kind {
            Kind::Tour => TourMethod::named(name)?.name(),
            Kind::Count => CountMethod::named(name)?.name(),
            Kind::Capture => CaptureMethod::named(name)?.name(),
            Kind::Swap => SwapMethod::named(name)?.name(),
            Kind::Survey => {
                let found = kind.names().into_iter().find(|known| *known == name);
                found.ok_or_else(|| SolveError::NoSuchMethod {
                    name: name.to_owned(),
                    known: kind.names().join(", "),
                })?
            }
        };
        let Some(variant) = variant else { return Ok(Method { name, variant: None }) };
        let known = Variant::all(kind, name).iter().copied();
        let found = known.into_iter().find(|known| known.name() == variant);
        let variant = Some(found.ok_or_else(|| Error::Variant(text.to_owned()))?);
        Ok(Method { name, variant })
    }

    /// Its name, without the variant.
    pub(crate) const fn name(self) -> &'static str {
        self.name
    }

    /// How it finds a tour.
    pub(crate) fn finder(self) -> Result<TourMethod, SolveError> {
        Ok(match (TourMethod::named(self.name)?, self.variant) {
            (TourMethod::Warnsdorff(walk), Some(Variant::Backtrack)) => {
                TourMethod::Warnsdorff(walk.backtracking())
            }
            (method, _) => method,
        })
    }

    /// How it takes all pieces.
    pub(crate) fn capturer(self) -> Result<CaptureMethod, SolveError> {
        Ok(match (CaptureMethod::named(self.name)?, self.variant) {
            (CaptureMethod::BbDfs(search), Some(Variant::Parallel(parallel))) => {
                CaptureMethod::BbDfs(BbDfs { parallel, ..search })
            }
            (method, _) => method,
        })
    }

    /// How a count by it shares its starts.
    pub(crate) const fn schedule(self) -> Schedule {
        match self.variant {
            Some(Variant::Schedule(schedule)) => schedule,
            _ => Schedule::Parts,
        }
    }

    /// The words that choose it on the command line.
    pub(crate) fn words(self) -> Vec<String> {
        let mut words = vec!["--method", self.name];
        match self.variant {
            None => {}
            Some(Variant::Backtrack) => words.push("--backtrack"),
            Some(parallel @ Variant::Parallel(_)) => words.extend(["--parallel", parallel.name()]),
            Some(schedule @ Variant::Schedule(_)) => words.extend(["--schedule", schedule.name()]),
        }
        words.into_iter().map(str::to_owned).collect()
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        self.variant.map_or(Ok(()), |variant| write!(f, ":{}", variant.name()))
    }
}

impl Kind {
    /// All methods of the kind, in the order of their table.
    fn names(self) -> Vec<&'static str> {
        match self {
            Kind::Tour => TourMethod::ALL.iter().map(|m| m.name()).collect(),
            Kind::Count => CountMethod::ALL.iter().map(|m| m.name()).collect(),
            Kind::Capture => CaptureMethod::ALL.iter().map(|m| m.name()).collect(),
            Kind::Swap => SwapMethod::ALL.iter().map(|m| m.name()).collect(),
            Kind::Survey => WALKS.iter().map(|walk| TourMethod::Warnsdorff(*walk).name()).collect(),
        }
    }

    /// The methods of these names, each once; all of the kind if none is named.
    ///
    /// # Errors
    /// When there is no such method or variant.
    pub fn methods(self, names: &[impl AsRef<str>]) -> Result<Vec<Method>, Error> {
        if names.is_empty() {
            return self.names().into_iter().map(|name| Method::read(self, name)).collect();
        }
        let mut methods: Vec<Method> = Vec::new();
        for name in names {
            let method = Method::read(self, name.as_ref().trim())?;
            if !methods.contains(&method) {
                methods.push(method);
            }
        }
        Ok(methods)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_read_and_written_and_put_into_words() {
        let words = |kind: Kind, name: &str| {
            let methods = kind.methods(&[name]).unwrap();
            assert_eq!(methods[0].to_string(), name);
            methods[0].words().join(" ")
        };
        assert_eq!(words(Kind::Count, "middle"), "--method middle");
        assert_eq!(words(Kind::Capture, "bb-dfs:task"), "--method bb-dfs --parallel task");
        assert_eq!(words(Kind::Count, "naive:static"), "--method naive --schedule static");
        assert_eq!(words(Kind::Tour, "roth:backtrack"), "--method roth --backtrack");
        for (kind, wrong) in [
            (Kind::Capture, "auto:task"),
            (Kind::Count, "middle:task"),
            (Kind::Capture, "bb-dfs:tasks"),
            (Kind::Survey, "roth:backtrack"),
            (Kind::Tour, "auto -o x"),
        ] {
            assert!(kind.methods(&[wrong]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn methods_are_named_once_and_all_if_none_is_named() {
        assert_eq!(Kind::Swap.methods(&["auto", " auto", "naive"]).unwrap().len(), 2);
        let none: [&str; 0] = [];
        assert_eq!(Kind::Survey.methods(&none).unwrap().len(), WALKS.len());
    }
}
