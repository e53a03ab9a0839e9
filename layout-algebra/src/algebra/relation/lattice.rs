//! The solutions of a relation as the points of a lattice in a box.
//!
//! The solutions of `sum x_k d_k = 0` are a lattice. Its basis is reduced (Lenstra, Lenstra, Lovász 1982), with coordinates divided by the
//! width of their bounds, so that the box is a cube. Then few sums of basis vectors are as short as its diagonal, and these are visited
//! (Fincke and Pohst 1985). Basis vectors are exact integers. Floating-point numbers only choose the steps of the reduction and
//! bound the visited sums, with a margin of [`MARGIN`] for each coordinate.

use super::{Relation, bezout, spend};

/// The maximum number of steps of a relation whose lattice is searched.
const DIMENSION: usize = 24;

/// The maximum number of sums that are visited, and of steps of the reduction.
const MOST: usize = 1 << 14;

/// The error that a coordinate along the orthogonalised basis may have.
const MARGIN: f64 = 1e-6;

/// A basis of the lattice, and its orthogonalisation.
struct Basis {
    /// The number of coordinates, and of vectors.
    len: usize,
    count: usize,
    vector: [[i128; DIMENSION]; DIMENSION],
    /// The vectors with scaled coordinates.
    scaled: [[f64; DIMENSION]; DIMENSION],
    weight: [f64; DIMENSION],
    /// The coordinates of the vectors along the orthogonalised vectors, and the squares of the lengths of these.
    along: [[f64; DIMENSION]; DIMENSION],
    square: [f64; DIMENSION],
}

/// Returns the nearest integer.
const fn round(x: f64) -> i128 {
    (if x < 0.0 { x - 0.5 } else { x + 0.5 }) as i128
}

/// Returns a number that is at least the square root of `x`, and nearly equal to it.
const fn root(x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    // Halve the exponent, and improve by Newton's method, which approaches from above.
    let mut out = f64::from_bits((x.to_bits() >> 1) + (0x3ff << 51));
    each!(_step, 0..4, {
        out = 0.5 * (out + x / out);
    });
    out * (1.0 + 1e-12)
}

/// Returns the number as a float. Most numbers fit 64 bits, which convert faster.
const fn float(x: i128) -> f64 {
    if x as i64 as i128 == x { x as i64 as f64 } else { x as f64 }
}

/// Returns the product, or `None` on overflow. Products of 64 bits are faster.
const fn multiplied(a: i128, b: i128) -> Option<i128> {
    if a as i64 as i128 == a && b as i64 as i128 == b { Some((a as i64 as i128) * (b as i64 as i128)) } else { a.checked_mul(b) }
}

const fn least_integer(x: f64) -> i128 {
    let whole = x as i128;
    if (whole as f64) < x { whole + 1 } else { whole }
}

impl Basis {
    const fn new<const N: usize>(relation: &Relation<N>) -> Self {
        let mut weight = [1.0; DIMENSION];
        each!(k, 0..relation.len, {
            weight[k] = 2.0 / (relation.high[k] - relation.low[k]) as f64;
        });
        let (vector, zero) = ([[0; DIMENSION]; DIMENSION], [[0.0; DIMENSION]; DIMENSION]);
        Basis { len: relation.len, count: 0, vector, scaled: zero, weight, along: zero, square: [0.0; DIMENSION] }
    }

    const fn scale(&mut self, row: usize) {
        each!(k, 0..self.len, {
            self.scaled[row][k] = float(self.vector[row][k]) * self.weight[k];
        });
    }

    /// Computes the coordinates of vector `row` along the orthogonalised vectors before it, and its square.
    const fn orthogonalise(&mut self, row: usize) {
        let mut product = [0.0; DIMENSION];
        let mut square = 0.0;
        each!(k, 0..self.len, {
            square += self.scaled[row][k] * self.scaled[row][k];
        });
        each!(j, 0..row, {
            let mut sum = 0.0;
            each!(k, 0..self.len, {
                sum += self.scaled[row][k] * self.scaled[j][k];
            });
            each!(i, 0..j, {
                sum -= self.along[j][i] * product[i];
            });
            product[j] = sum;
            self.along[row][j] = sum / self.square[j];
            square -= sum * self.along[row][j];
        });
        self.square[row] = square;
    }

    /// Subtracts multiples of the vectors before it from vector `row`, so that its coordinates are at most about a half. Fails on
    /// overflow, and if the steps `left` are used up.
    const fn shorten(&mut self, row: usize, left: &mut usize) -> Option<()> {
        each!(_round, 0..64, {
            if !spend(left, 1 + row) {
                return None;
            }
            self.scale(row);
            self.orthogonalise(row);
            let mut changed = false;
            let mut j = row;
            while j > 0 {
                j -= 1;
                let times = round(self.along[row][j]);
                // A coordinate of one half would change its sign forever.
                if self.along[row][j].abs() > 0.501 {
                    changed = true;
                    each!(k, 0..self.len, {
                        let Some(term) = multiplied(times, self.vector[j][k]) else { return None };
                        let Some(next) = self.vector[row][k].checked_sub(term) else { return None };
                        self.vector[row][k] = next;
                    });
                    each!(i, 0..j, {
                        self.along[row][i] -= times as f64 * self.along[j][i];
                    });
                }
            }
            if !changed {
                return Some(());
            }
        });
        None
    }

    /// Reduces the basis. Fails on overflow, and if it takes too many steps.
    const fn reduce(&mut self, left: &mut usize) -> Option<()> {
        let (mut row, mut steps) = (0, 0);
        while row < self.count {
            if self.shorten(row, left).is_none() || steps == MOST {
                return None;
            }
            steps += 1;
            if row == 0 {
                row = 1;
                continue;
            }
            let along = self.along[row][row - 1];
            if self.square[row] >= (0.9 - along * along) * self.square[row - 1] {
                row += 1;
            } else {
                (self.vector[row], self.vector[row - 1]) = (self.vector[row - 1], self.vector[row]);
                row -= 1;
            }
        }
        Some(())
    }
}

/// Returns a solution, `Some(None)` if there is none, and `None` if the search fails or the steps `left` are used up.
pub(super) const fn search<const N: usize>(relation: &Relation<N>, left: &mut usize) -> Option<Option<[i128; N]>> {
    let len = relation.len;
    if len < 2 || len > DIMENSION {
        return None;
    }
    let mut basis = Basis::new(relation);
    // A vector whose sum is the greatest common divisor of the steps so far.
    let (mut common, mut unit) = (relation.step[0], [0i128; DIMENSION]);
    unit[0] = 1;
    each!(k, 1..len, {
        let (divisor, x, y) = bezout(common, relation.step[k]);
        let row = basis.count;
        let mut next = [0; DIMENSION];
        each!(j, 0..k, {
            let (Some(a), Some(b)) = (unit[j].checked_mul(relation.step[k] / divisor), unit[j].checked_mul(x)) else { return None };
            basis.vector[row][j] = a;
            next[j] = b;
        });
        basis.vector[row][k] = -(common / divisor);
        next[k] = y;
        basis.count += 1;
        // The new vector is long: subtract the others from it first.
        if basis.reduce(left).is_none() {
            return None;
        }
        // The first steps alone may have a solution.
        if relation.moves {
            each!(short, 0..basis.count, {
                if let Some(found) = inside(relation, &basis.vector[short]) {
                    return Some(Some(found));
                }
            });
        }
        common = divisor;
        // The next row is free for the shortening.
        if basis.count < DIMENSION {
            basis.vector[basis.count] = next;
            if basis.shorten(basis.count, left).is_none() {
                return None;
            }
            unit = basis.vector[basis.count];
            basis.vector[basis.count] = [0; DIMENSION];
        }
    });
    if relation.target % common != 0 {
        return Some(None);
    }
    // A point of the lattice of solutions near the center of the box.
    let mut start = [0i128; DIMENSION];
    each!(k, 0..len, {
        let Some(x) = unit[k].checked_mul(relation.target / common) else { return None };
        let Some(from_middle) = x.checked_sub((relation.low[k] + relation.high[k]).div_euclid(2)) else { return None };
        start[k] = from_middle;
    });
    basis.vector[basis.count] = start;
    if basis.shorten(basis.count, left).is_none() {
        return None;
    }
    start = basis.vector[basis.count];
    each!(k, 0..len, {
        let Some(x) = start[k].checked_add((relation.low[k] + relation.high[k]).div_euclid(2)) else { return None };
        start[k] = x;
    });
    visit(relation, &basis, &start, left)
}

/// Returns the vector as a solution if it is one.
const fn inside<const N: usize>(relation: &Relation<N>, vector: &[i128; DIMENSION]) -> Option<[i128; N]> {
    let (mut out, mut moves) = ([0; N], !relation.moves);
    each!(k, 0..relation.len, {
        if vector[k] < relation.low[k] || vector[k] > relation.high[k] {
            return None;
        }
        moves |= vector[k] != 0;
        out[k] = vector[k];
    });
    if moves { Some(out) } else { None }
}

/// Visits the points of the lattice around `start` that may lie in the box.
const fn visit<const N: usize>(
    relation: &Relation<N>,
    basis: &Basis,
    start: &[i128; DIMENSION],
    left: &mut usize,
) -> Option<Option<[i128; N]>> {
    let (len, count) = (relation.len, basis.count);
    // The start, from the center of the box, along the orthogonalised vectors.
    let (mut offset, mut product) = ([0.0; DIMENSION], [0.0; DIMENSION]);
    let mut scaled = [0.0; DIMENSION];
    each!(k, 0..len, {
        // Twice the distance is an integer.
        let Some(twice) = start[k].checked_mul(2) else { return None };
        let Some(away) = twice.checked_sub(relation.low[k] + relation.high[k]) else { return None };
        scaled[k] = 0.5 * away as f64 * basis.weight[k];
    });
    each!(j, 0..count, {
        let mut sum = 0.0;
        each!(k, 0..len, {
            sum += scaled[k] * basis.scaled[j][k];
        });
        each!(i, 0..j, {
            sum -= basis.along[j][i] * product[i];
        });
        product[j] = sum;
        offset[j] = sum / basis.square[j];
    });
    // No coordinate of a point in the cube is longer than 1.
    let bound = len as f64 * (1.0 + MARGIN);
    let (mut factor, mut first, mut last) = ([0i128; DIMENSION], [0i128; DIMENSION], [0i128; DIMENSION]);
    // The factor nearest to the center of the box, and the number of factors that have been tried around it.
    let (mut middle, mut turn) = ([0i128; DIMENSION], [0i128; DIMENSION]);
    let mut used = [0.0; DIMENSION + 1];
    let (mut row, mut visited, mut enter) = (count, 0, true);
    loop {
        if row == 0 && enter {
            if !spend(left, count) {
                return None;
            }
            let mut point = *start;
            each!(j, 0..count, {
                each!(k, 0..len, {
                    let Some(term) = multiplied(factor[j], basis.vector[j][k]) else { return None };
                    let Some(next) = point[k].checked_add(term) else { return None };
                    point[k] = next;
                });
            });
            if let Some(found) = inside(relation, &point) {
                return Some(Some(found));
            }
            enter = false;
        } else if enter {
            // Enter row `row - 1`, with the factors of the rows above.
            row -= 1;
            let mut center = offset[row];
            each!(j, row + 1..count, {
                center += factor[j] as f64 * basis.along[j][row];
            });
            let reach = root((bound - used[row + 1]) / basis.square[row]) + MARGIN;
            if !(reach < 1e15 && center.abs() < 1e15) {
                return None;
            }
            first[row] = least_integer(-center - reach);
            last[row] = -least_integer(center - reach);
            (middle[row], turn[row]) = (round(-center), -1);
            enter = false;
        } else {
            // Take the next factor of row `row`: the nearest first, above and below in turn.
            let widest =
                if last[row] - middle[row] > middle[row] - first[row] { last[row] - middle[row] } else { middle[row] - first[row] };
            loop {
                turn[row] += 1;
                factor[row] = middle[row] + if turn[row] % 2 == 1 { (turn[row] + 1) / 2 } else { -turn[row] / 2 };
                if turn[row] > 2 * widest || first[row] <= factor[row] && factor[row] <= last[row] {
                    break;
                }
            }
            if turn[row] > 2 * widest || first[row] > last[row] {
                factor[row] = 0;
                row += 1;
                if row == count {
                    return Some(None);
                }
                continue;
            }
            visited += 1;
            if visited == MOST || !spend(left, 1) {
                return None;
            }
            let mut center = offset[row] + factor[row] as f64;
            each!(j, row + 1..count, {
                center += factor[j] as f64 * basis.along[j][row];
            });
            let away = if center.abs() > MARGIN { center.abs() - MARGIN } else { 0.0 };
            used[row] = used[row + 1] + away * away * basis.square[row];
            enter = true;
        }
    }
}
