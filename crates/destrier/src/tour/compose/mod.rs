//! compose
mod frame;
mod layout;
mod piece;
mod search;
mod template;
mod weave;

#[cfg(test)]
mod explore {
    use super::frame::Spot;
    use super::weave::Weave;
    use super::*;

    fn check(w: u32, h: u32, weave: &Weave, s: Option<Spot>, t: Option<Spot>) {
        let n = u64::from(w) * u64::from(h);
        assert_eq!(weave.length, n);
        let mut before: Option<(u32, u32)> = None;
        for step in 0..n {
            let (x, y) = weave.at_step(step);
            assert!(x < w && y < h);
            assert_eq!(weave.step_of(x, y), step, "{w}x{h} {s:?} {t:?}");
            if let Some((a, b)) = before {
                assert_eq!(a.abs_diff(x) * b.abs_diff(y), 2);
            }
            before = Some((x, y));
        }
        let (a, b) = weave.at_step(0);
        let (c, d) = weave.at_step(n - 1);
        if let Some(s) = s {
            assert_eq!((i64::from(a), i64::from(b)), (s.x, s.y));
        }
        if let Some(t) = t {
            assert_eq!((i64::from(c), i64::from(d)), (t.x, t.y));
        } else {
            assert_eq!(a.abs_diff(c) * b.abs_diff(d), 2);
        }
        let mut step = 0;
        let k = n / 3;
        let ok: Result<(), ()> = weave.walk(k, n, |x, y| { assert_eq!(weave.step_of(x, y), k + step); step += 1; Ok(()) });
        ok.unwrap();
    }

    #[test]
    fn closed() {
        for w in 6..=40 {
            for h in 6..=40 {
                if w * h % 2 == 0 {
                    check(w, h, &layout::closed(w, h).unwrap_or_else(|| panic!("{w}x{h}")), None, None);
                }
            }
        }
    }

    #[test]
    fn open() {
        let mut d = search::Dice::new(1);
        for i in 0..20000 {
            let top = if i % 2 == 0 { 20 } else { 60 };
            let (w, h) = (6 + d.below(top) as u32, 6 + d.below(top) as u32);
            let mut sq = || Spot::new(d.below(w as usize) as i64, d.below(h as usize) as i64);
            let (s, t) = (sq(), sq());
            let (a, b) = ((s.x + s.y) % 2, (t.x + t.y) % 2);
            let ok = if w * h % 2 == 0 { a != b } else { a == 0 && b == 0 && s != t };
            if ok {
                let Some(weave) = layout::between(w, h, s, t) else { panic!("{w}x{h} {s:?} {t:?}") };
                check(w, h, &weave, Some(s), Some(t));
            }
        }
    }
}
