//! Points, rectangles and what is measured between them.

/// A place on the plane: `[x, y]`.
pub type Point = [f64; 2];

pub(crate) fn add(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1]]
}

pub(crate) fn sub(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

pub(crate) fn times(a: Point, factor: f64) -> Point {
    [a[0] * factor, a[1] * factor]
}

pub(crate) fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// Positive when `b` lies anticlockwise of `a` (y up).
pub(crate) fn cross(a: Point, b: Point) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

pub(crate) fn length(a: Point) -> f64 {
    a[0].hypot(a[1])
}

pub(crate) fn distance(a: Point, b: Point) -> f64 {
    length(sub(a, b))
}

/// Direction from `a` to `b`, of length 1; along x where they coincide.
pub(crate) fn direction(a: Point, b: Point) -> Point {
    let d = sub(b, a);
    let l = length(d);
    if l < 1e-9 { [1.0, 0.0] } else { times(d, 1.0 / l) }
}

/// Turned anticlockwise by a quarter.
pub(crate) fn left(a: Point) -> Point {
    [-a[1], a[0]]
}

pub(crate) fn angle(a: Point) -> f64 {
    a[1].atan2(a[0])
}

pub(crate) fn rotate(a: Point, about: Point, radians: f64) -> Point {
    let (sin, cos) = radians.sin_cos();
    let d = sub(a, about);
    add(about, [cos * d[0] - sin * d[1], sin * d[0] + cos * d[1]])
}

/// Mirrored on the line through `a` and `b`.
pub(crate) fn mirror(p: Point, a: Point, b: Point) -> Point {
    let axis = direction(a, b);
    let d = sub(p, a);
    let along = dot(d, axis);
    let foot = add(a, times(axis, along));
    sub(times(foot, 2.0), p)
}

/// Distance of `p` from the segment between `a` and `b`.
pub(crate) fn distance_to_segment(p: Point, a: Point, b: Point) -> f64 {
    let d = sub(b, a);
    let square = dot(d, d);
    let t = if square < 1e-12 { 0.0 } else { (dot(sub(p, a), d) / square).clamp(0.0, 1.0) };
    distance(p, add(a, times(d, t)))
}

/// Whether two segments cross between their ends.
pub(crate) fn segments_cross(a: Point, b: Point, c: Point, d: Point) -> bool {
    let side = |p: Point, q: Point, r: Point| cross(sub(q, p), sub(r, p));
    side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0
}

/// A rectangle along the axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// Least x and y.
    pub low: Point,
    /// Greatest x and y.
    pub high: Point,
}

impl Rect {
    /// The rectangle of this width and height with its low corner at `low`.
    pub fn new(low: Point, width: f64, height: f64) -> Rect {
        Rect { low, high: [low[0] + width, low[1] + height] }
    }

    /// A rectangle that holds nothing yet.
    pub(crate) fn nothing() -> Rect {
        Rect { low: [f64::INFINITY; 2], high: [f64::NEG_INFINITY; 2] }
    }

    pub(crate) fn around(centre: Point, width: f64, height: f64) -> Rect {
        Rect::new(sub(centre, [width / 2.0, height / 2.0]), width, height)
    }

    pub(crate) fn is_nothing(&self) -> bool {
        self.low[0] > self.high[0]
    }

    /// Width.
    pub fn width(&self) -> f64 {
        (self.high[0] - self.low[0]).max(0.0)
    }

    /// Height.
    pub fn height(&self) -> f64 {
        (self.high[1] - self.low[1]).max(0.0)
    }

    pub(crate) fn centre(&self) -> Point {
        [(self.low[0] + self.high[0]) / 2.0, (self.low[1] + self.high[1]) / 2.0]
    }

    pub(crate) fn include(&mut self, p: Point) {
        self.low = [self.low[0].min(p[0]), self.low[1].min(p[1])];
        self.high = [self.high[0].max(p[0]), self.high[1].max(p[1])];
    }

    pub(crate) fn include_rect(&mut self, other: &Rect) {
        if !other.is_nothing() {
            self.include(other.low);
            self.include(other.high);
        }
    }

    pub(crate) fn grown(&self, by: f64) -> Rect {
        Rect { low: sub(self.low, [by; 2]), high: add(self.high, [by; 2]) }
    }

    pub(crate) fn moved(&self, by: Point) -> Rect {
        Rect { low: add(self.low, by), high: add(self.high, by) }
    }

    pub(crate) fn overlaps(&self, other: &Rect) -> bool {
        (0..2).all(|k| self.low[k] < other.high[k] && other.low[k] < self.high[k])
    }

    /// The part of the way from `a` to `b` (0 to 1) that lies inside, if any does.
    pub(crate) fn span_of(&self, a: Point, b: Point) -> Option<(f64, f64)> {
        let d = sub(b, a);
        let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
        for k in 0..2 {
            if d[k].abs() < 1e-12 {
                if a[k] <= self.low[k] || a[k] >= self.high[k] {
                    return None;
                }
                continue;
            }
            let (t, u) = ((self.low[k] - a[k]) / d[k], (self.high[k] - a[k]) / d[k]);
            enter = enter.max(t.min(u));
            leave = leave.min(t.max(u));
        }
        (enter < leave).then_some((enter, leave))
    }
}
