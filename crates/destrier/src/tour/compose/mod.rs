//! compose
mod four;
pub(super) mod frame;
mod layout;
mod piece;
pub(super) mod search;
mod strip;
mod template;
mod weave;

#[cfg(test)]
mod explore {
    use super::frame::Spot;
    use super::weave::Weave;
    use super::*;
    use crate::tour::pairs::{Rule, rule};

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

    #[test]
    fn strips_closed() {
        for n in 10..60 { if n%2==0 {
            for (w,h) in [(3,n),(n,3),(5,n),(n,5)] {
                check(w, h, &strip::closed(w, h).unwrap_or_else(|| panic!("{w}x{h}")), None, None);
            }
        }}
    }
    #[test]
    fn strips_open() {
        let max: u32 = std::env::var("N").map_or(30, |s| s.parse().unwrap());
        for m in [3u32,5] { for n in 11..=max {
            let st = std::time::Instant::now();
            let mut count=0; let mut worst = std::time::Duration::ZERO; let mut fails=0;
            for i in 0..m*n { for j in 0..m*n {
                let (a,b)=((i%m,i/m),(j%m,j/m));
                if a.1 > b.1 || rule(m,n,a,b)!=Rule::Tour {continue}
                let (s,t)=(Spot::new(a.1.into(),a.0.into()),Spot::new(b.1.into(),b.0.into()));
                let st=std::time::Instant::now();
                let r=strip::between(n,m,s,t);
                worst=worst.max(st.elapsed());
                count+=1;
                match r { None => {fails+=1; if fails<5 {eprintln!("fail {m}x{n} {a:?} {b:?}")}}, Some(r)=> if count%50==0 || n < 20 { check(n,m,&r,Some(s),Some(t))} }
            }}
            eprintln!("{m}x{n}: {count} pairs {fails} fails worst {worst:?} total {:?}", st.elapsed());
        }}
    }

    #[test]
    fn fours() {
        let max: u32 = std::env::var("N").map_or(40, |s| s.parse().unwrap());
        for n in 7..=max {
            let st = std::time::Instant::now();
            let mut worst = std::time::Duration::ZERO;
            let mut fails = 0;
            for i in 0..2 * n { for j in 0..2 * n {
                let (s, t) = (Spot::new((i / 2).into(), (i % 2 * 3).into()), Spot::new((j / 2).into(), (j % 2 * 3).into()));
                if (s.x + s.y + t.x + t.y) % 2 == 0 { continue; }
                let st = std::time::Instant::now();
                let r = four::between(n, 4, s, t);
                worst = worst.max(st.elapsed());
                let Some(r) = r else { fails += 1; if fails < 5 { eprintln!("fail {n} {s:?} {t:?}") }; continue };
                let mut before: Option<(u32, u32)> = None;
                for step in 0..4 * u64::from(n) {
                    let (x, y) = r.at_step(step);
                    assert_eq!(r.step_of(x, y), step);
                    if let Some((a, b)) = before { assert_eq!(a.abs_diff(x) * b.abs_diff(y), 2, "{n} {s:?} {t:?} step {step}"); }
                    before = Some((x, y));
                }
                assert_eq!(r.step_of(s.x as u32, s.y as u32), 0);
                assert_eq!(r.step_of(t.x as u32, t.y as u32), 4*u64::from(n)-1);
            }}
            eprintln!("4x{n} fails {fails} worst {worst:?} total {:?}", st.elapsed());
        }
    }
}
