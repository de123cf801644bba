//! Exact fractions of 128-bit integers: arithmetic, order and rounding.
//!
//! Fractions are always reduced. Factors are cancelled before they are multiplied, so an operation reports an overflow only if its
//! reduced result, or the numerator of a sum over the common denominator, does not fit.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_integer::{Integer, gcd};

use super::failure::FailureCause;

/// The largest number of decimal places that [`Fraction::round_half_even`] takes, and of zeros before the point that it leaves.
const ROUNDING_DECIMALS_MAX: u8 = 18;

/// An exact fraction with a numerator and a denominator below 2^127.
///
/// The fraction is reduced and the denominator positive, so equal numbers have equal fields. Operations fail with
/// [`FailureCause::Overflow`] if their result does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fraction {
    /// At least `-i128::MAX`, so that a number can always be negated.
    numerator: i128,
    denominator: i128,
}

impl Fraction {
    /// 0.
    pub const ZERO: Fraction = Fraction { numerator: 0, denominator: 1 };
    /// 1.
    pub const ONE: Fraction = Fraction { numerator: 1, denominator: 1 };

    /// The number `numerator / denominator`.
    pub fn from_fraction(numerator: i128, denominator: i128) -> Result<Self, FailureCause> {
        if denominator == 0 {
            return Err(FailureCause::DivisionByZero);
        }
        let (above, below) = (numerator.unsigned_abs(), denominator.unsigned_abs());
        let factor = gcd(above, below);
        let above = i128::try_from(above / factor).map_err(|_| FailureCause::Overflow)?;
        let below = i128::try_from(below / factor).map_err(|_| FailureCause::Overflow)?;
        let is_negative = (numerator < 0) != (denominator < 0);
        Ok(Self { numerator: if is_negative { -above } else { above }, denominator: below })
    }

    /// A whole number.
    pub fn from_integer(integer: i128) -> Result<Self, FailureCause> {
        match integer {
            i128::MIN => Err(FailureCause::Overflow),
            numerator => Ok(Self { numerator, denominator: 1 }),
        }
    }

    /// The numerator of the reduced fraction. It carries the sign.
    pub fn numerator(self) -> i128 {
        self.numerator
    }

    /// The denominator of the reduced fraction, at least 1.
    pub fn denominator(self) -> i128 {
        self.denominator
    }

    /// The number as an integer; `None` if it is not whole.
    pub fn to_integer(self) -> Option<i128> {
        (self.denominator == 1).then_some(self.numerator)
    }

    /// Whether the number is below 0.
    pub fn is_negative(self) -> bool {
        self.numerator < 0
    }

    /// The number with the other sign.
    pub fn negate(self) -> Self {
        Self { numerator: -self.numerator, ..self }
    }

    /// The distance from 0.
    pub fn absolute(self) -> Self {
        Self { numerator: self.numerator.abs(), ..self }
    }

    /// The sum.
    pub fn checked_add(self, other: Self) -> Result<Self, FailureCause> {
        if self.denominator == 1 && other.denominator == 1 {
            return Self::from_sum(self.numerator.checked_add(other.numerator));
        }
        let shared = gcd(self.denominator, other.denominator);
        let left = self.numerator.checked_mul(divide_out(other.denominator, shared));
        let right = other.numerator.checked_mul(divide_out(self.denominator, shared));
        let sum = left.zip(right).and_then(|(left, right)| left.checked_add(right)).ok_or(FailureCause::Overflow)?;
        // Only factors of the shared part can be common to the sum and the denominator (Knuth, 4.5.1).
        let factor = gcd(sum, shared);
        let denominator = divide_out(self.denominator, shared).checked_mul(divide_out(other.denominator, factor));
        Ok(Self {
            denominator: denominator.ok_or(FailureCause::Overflow)?,
            ..Self::from_sum(Some(divide_out(sum, factor)))?
        })
    }

    /// The difference.
    pub fn checked_sub(self, other: Self) -> Result<Self, FailureCause> {
        self.checked_add(other.negate())
    }

    /// The product.
    pub fn checked_mul(self, other: Self) -> Result<Self, FailureCause> {
        if self.denominator == 1 && other.denominator == 1 {
            return Self::from_sum(self.numerator.checked_mul(other.numerator));
        }
        let first = gcd(self.numerator, other.denominator);
        let second = gcd(other.numerator, self.denominator);
        let numerator = divide_out(self.numerator, first).checked_mul(divide_out(other.numerator, second));
        let denominator = divide_out(self.denominator, second).checked_mul(divide_out(other.denominator, first));
        Ok(Self { denominator: denominator.ok_or(FailureCause::Overflow)?, ..Self::from_sum(numerator)? })
    }

    /// The exact quotient.
    pub fn checked_div(self, other: Self) -> Result<Self, FailureCause> {
        if other.numerator == 0 {
            return Err(FailureCause::DivisionByZero);
        }
        let sign = other.numerator.signum();
        self.checked_mul(Self { numerator: sign * other.denominator, denominator: other.numerator.abs() })
    }

    /// The largest whole number that is at most the quotient: `-7 // 2` is -4.
    pub fn floor_div(self, other: Self) -> Result<Self, FailureCause> {
        Ok(self.checked_div(other)?.floor())
    }

    /// The remainder of [`Fraction::floor_div`], which has the sign of the divisor: `-7 % 3` is 2.
    pub fn floor_mod(self, other: Self) -> Result<Self, FailureCause> {
        self.checked_sub(other.checked_mul(self.floor_div(other)?)?)
    }

    /// The largest whole number that is at most this one.
    pub fn floor(self) -> Self {
        Self { numerator: self.numerator.div_euclid(self.denominator), denominator: 1 }
    }

    /// The smallest whole number that is at least this one.
    pub fn ceiling(self) -> Self {
        self.negate().floor().negate()
    }

    /// The nearest number with so many decimal places. A number halfway between two is rounded to the one whose last digit is even.
    /// With -2, the result is a multiple of 100.
    ///
    /// # Errors
    /// [`FailureCause::Undefined`] if `decimals` is further from 0 than `ROUNDING_DECIMALS_MAX`.
    pub fn round_half_even(self, decimals: i8) -> Result<Self, FailureCause> {
        if decimals.unsigned_abs() > ROUNDING_DECIMALS_MAX {
            return Err(FailureCause::Undefined("the decimals of `round` are not a whole number from -18 to 18"));
        }
        let scale = 10_i128.pow(decimals.unsigned_abs().into());
        if decimals < 0 {
            let scale = Self::from_integer(scale)?;
            return self.checked_div(scale)?.round_half_even(0)?.checked_mul(scale);
        }
        if scale % self.denominator == 0 {
            return Ok(self);
        }
        let whole = self.floor();
        let (mut units, rest) = divide_scaled(self.numerator.rem_euclid(self.denominator), decimals, self.denominator);
        let is_odd = if scale == 1 { whole.numerator % 2 != 0 } else { units % 2 != 0 };
        match rest.cmp(&(self.denominator - rest)) {
            Ordering::Greater => units += 1,
            Ordering::Equal if is_odd => units += 1,
            Ordering::Equal | Ordering::Less => {}
        }
        whole.checked_add(Self::from_fraction(units, scale)?)
    }

    /// The number as a stored value: a multiple of 10^-6, rounded half to even.
    pub fn round_for_storage(self) -> Result<Self, FailureCause> {
        self.round_half_even(6)
    }

    /// The square root, computed in double precision and rounded to 10^-6.
    pub fn square_root(self) -> Result<Self, FailureCause> {
        if self.is_negative() {
            return Err(FailureCause::Undefined("the square root of a negative number"));
        }
        Self::round_double(libm::sqrt(self.to_double()))
    }

    /// e to the power of this number, computed in double precision and rounded to 10^-6.
    pub fn exponential(self) -> Result<Self, FailureCause> {
        Self::round_double(libm::exp(self.to_double()))
    }

    /// The natural logarithm, computed in double precision and rounded to 10^-6.
    pub fn natural_logarithm(self) -> Result<Self, FailureCause> {
        if self.numerator <= 0 {
            return Err(FailureCause::Undefined("the logarithm of a number that is not positive"));
        }
        Self::round_double(libm::log(self.to_double()))
    }

    /// A whole number from the result of an integer operation; `None` is an overflow.
    fn from_sum(integer: Option<i128>) -> Result<Self, FailureCause> {
        integer.map_or(Err(FailureCause::Overflow), Self::from_integer)
    }

    /// The nearest double up to two roundings; the same on every machine.
    fn to_double(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// A double rounded to 10^-6, half to even. It is printed from its exact value.
    fn round_double(double: f64) -> Result<Self, FailureCause> {
        Self::parse(&format!("{double:.6}")).map_err(|_| FailureCause::Overflow)
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    /// The order of the values. It never overflows.
    fn cmp(&self, other: &Self) -> Ordering {
        if self.denominator == other.denominator {
            return self.numerator.cmp(&other.numerator);
        }
        let signs = self.numerator.signum().cmp(&other.numerator.signum());
        let product = |a: i128, b: i128| {
            let (low, high) = a.unsigned_abs().carrying_mul(b.unsigned_abs(), 0);
            (high, low)
        };
        let sizes = product(self.numerator, other.denominator).cmp(&product(other.numerator, self.denominator));
        signs.then(if self.is_negative() { sizes.reverse() } else { sizes })
    }
}

macro_rules! from_small_integers {
    ($($integer:ty),*) => {$(
        impl From<$integer> for Fraction {
            fn from(integer: $integer) -> Self {
                Self { numerator: integer.into(), denominator: 1 }
            }
        }
    )*};
}
from_small_integers!(u8, u32, i32, u64, i64);

/// The quotient by a common divisor, which is mostly 1; a division of 128 bits is slow.
fn divide_out(part: i128, divisor: i128) -> i128 {
    if divisor == 1 { part } else { part / divisor }
}

/// Divides `rest × 10^decimals` by `divisor`, which is above `rest`: the quotient and the remainder. It never overflows.
fn divide_scaled(rest: i128, decimals: i8, divisor: i128) -> (i128, i128) {
    const FITS: &str = "invariant: the quotient is below 10^decimals, and the remainder below the divisor";
    let (quotient, rest) = (BigInt::from(rest) * 10_u64.pow(decimals.unsigned_abs().into())).div_rem(&divisor.into());
    (quotient.try_into().expect(FITS), rest.try_into().expect(FITS))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_small() -> impl Strategy<Value = Fraction> {
        (-1_000_000_i128..1_000_000, 1_i128..10_000)
            .prop_map(|(above, below)| Fraction::from_fraction(above, below).expect("it fits"))
    }

    /// Numbers of any size, most of them near a bound.
    fn any_number() -> impl Strategy<Value = Fraction> {
        let size = || (any::<i128>(), 0_u32..127).prop_map(|(bits, shift)| (bits >> shift).max(-i128::MAX));
        (size(), size()).prop_map(|(above, below)| Fraction::from_fraction(above, below.max(1)).expect("it fits"))
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

        #[test]
        fn numbers_are_a_field(a in any_small(), b in any_small(), c in any_small()) {
            let add = |a: Fraction, b: Fraction| a.checked_add(b).expect("it fits");
            let multiply = |a: Fraction, b: Fraction| a.checked_mul(b).expect("it fits");
            prop_assert_eq!(add(a, b), add(b, a));
            prop_assert_eq!(multiply(a, b), multiply(b, a));
            prop_assert_eq!(add(add(a, b), c), add(a, add(b, c)));
            prop_assert_eq!(multiply(multiply(a, b), c), multiply(a, multiply(b, c)));
            prop_assert_eq!(multiply(a, add(b, c)), add(multiply(a, b), multiply(a, c)));
            prop_assert_eq!((add(a, Fraction::ZERO), multiply(a, Fraction::ONE)), (a, a));
            prop_assert_eq!(add(a, a.negate()), Fraction::ZERO);
            prop_assert_eq!(a.checked_sub(b), a.checked_add(b.negate()));
            if b == Fraction::ZERO {
                prop_assert_eq!(a.checked_div(b), Err(FailureCause::DivisionByZero));
            } else {
                prop_assert_eq!(multiply(a.checked_div(b).expect("it fits"), b), a);
            }
        }

        #[test]
        fn quotient_and_remainder_give_the_number_back(a in any_small(), b in any_small()) {
            prop_assume!(b != Fraction::ZERO);
            let (quotient, rest) = (a.floor_div(b).expect("it fits"), a.floor_mod(b).expect("it fits"));
            prop_assert!(quotient.to_integer().is_some());
            prop_assert_eq!(b.checked_mul(quotient).and_then(|product| product.checked_add(rest)), Ok(a));
            prop_assert!(rest == Fraction::ZERO || rest.is_negative() == b.is_negative());
            prop_assert!(rest.absolute() < b.absolute());
        }

        #[test]
        fn results_of_any_size_are_reduced_or_an_overflow(a in any_number(), b in any_number()) {
            for result in [a.checked_add(b), a.checked_sub(b), a.checked_mul(b), a.checked_div(b), a.floor_mod(b), a.round_for_storage()] {
                match result {
                    Ok(number) => {
                        prop_assert!(number.denominator >= 1 && number.numerator != i128::MIN);
                        prop_assert_eq!(gcd(number.numerator, number.denominator), 1);
                    }
                    Err(error) => prop_assert!(error == FailureCause::Overflow || b == Fraction::ZERO),
                }
            }
        }

        #[test]
        fn the_order_is_that_of_differences(a in any_number(), b in any_number()) {
            prop_assert_eq!(a.cmp(&b), b.cmp(&a).reverse());
            prop_assert_eq!(a.cmp(&b) == Ordering::Equal, a == b);
            if let Ok(difference) = a.checked_sub(b) {
                prop_assert_eq!(a.cmp(&b), difference.cmp(&Fraction::ZERO));
            }
            prop_assert!(a.floor() <= a && a <= a.ceiling());
        }

        #[test]
        fn rounding_finds_the_nearest_and_prefers_even(a in any_small(), decimals in -3_i8..9) {
            let unit = Fraction::parse(&format!("1e{}", -decimals)).expect("a number");
            let rounded = a.round_half_even(decimals).expect("it fits");
            let units = rounded.checked_div(unit).expect("it fits").to_integer().expect("a multiple of the unit");
            let twice = a.checked_sub(rounded).and_then(|distance| distance.absolute().checked_mul(Fraction::from(2_u32))).expect("it fits");
            prop_assert!(twice <= unit);
            prop_assert!(twice < unit || units % 2 == 0);
        }

        #[test]
        fn digits_of_a_large_division_agree_with_small_steps(rest in any::<i128>(), divisor in any::<i128>(), decimals in 0_i8..8) {
            let divisor = divisor.max(-i128::MAX).abs().max(2);
            let rest = rest.rem_euclid(divisor);
            let (quotient, left) = divide_scaled(rest, decimals, divisor);
            let scaled = BigInt::from(rest) * 10_u64.pow(decimals.unsigned_abs().into());
            prop_assert_eq!(BigInt::from(quotient) * divisor + left, scaled);
            prop_assert!((0..divisor).contains(&left));
        }

        #[test]
        fn a_double_is_rounded_from_its_exact_value(units in -(1_i64 << 53)..(1_i64 << 53), shift in 0_u32..60) {
            let exact = Fraction::from_fraction(units.into(), 1 << shift).expect("it fits");
            prop_assert_eq!(Fraction::round_double(exact.to_double()), exact.round_for_storage());
        }
    }

    #[test]
    fn bounds_overflow_and_do_not_wrap() {
        let largest = Fraction::from_integer(i128::MAX).expect("it fits");
        assert_eq!(largest.checked_add(Fraction::ONE), Err(FailureCause::Overflow));
        assert_eq!(largest.negate().checked_sub(Fraction::ONE), Err(FailureCause::Overflow));
        assert_eq!(largest.checked_mul(largest), Err(FailureCause::Overflow));
        assert_eq!(largest.checked_div(largest), Ok(Fraction::ONE));
        assert_eq!(Fraction::from_integer(i128::MIN), Err(FailureCause::Overflow));
        assert_eq!(Fraction::from_fraction(i128::MIN, 2).map(Fraction::numerator), Ok(i128::MIN / 2));
        assert_eq!(Fraction::from_fraction(1, i128::MIN), Err(FailureCause::Overflow));
        assert_eq!(Fraction::from_fraction(1, 0), Err(FailureCause::DivisionByZero));
        assert_eq!(largest.exponential(), Err(FailureCause::Overflow));
        assert!(matches!(Fraction::from(-1_i32).square_root(), Err(FailureCause::Undefined(_))));
        assert!(matches!(Fraction::ZERO.natural_logarithm(), Err(FailureCause::Undefined(_))));
    }

    #[test]
    fn doubles_at_the_ends_of_their_range_are_read() {
        assert_eq!(Fraction::round_double(f64::MAX), Err(FailureCause::Overflow));
        assert_eq!(Fraction::round_double(f64::INFINITY), Err(FailureCause::Overflow));
        assert_eq!(Fraction::round_double(5e-324), Ok(Fraction::ZERO));
        assert_eq!(Fraction::round_double(-0.0), Ok(Fraction::ZERO));
        assert_eq!(Fraction::round_double(-2_f64.powi(126)), Fraction::from_integer(-(1 << 126)));
        assert_eq!(Fraction::round_double(2_f64.powi(127)), Err(FailureCause::Overflow));
        assert_eq!(Fraction::round_double(0.4e-6), Ok(Fraction::ZERO));
        assert_eq!(Fraction::round_double(-1.6e-6), Fraction::from_fraction(-1, 500_000));
    }
}
