//! The standard normal distribution.

/// Below this distance from one half the central expansion holds.
const CENTRAL: f64 = 0.425;

/// The probability of a value of at most `z`.
///
/// Φ(z) = erfc(−z / √2) / 2.
pub fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z * std::f64::consts::FRAC_1_SQRT_2)
}

/// The value below which a standard normal variable falls with this probability, which lies in [0, 1]; infinite at the ends.
///
/// Source: algorithm AS 241 (PPND16) of Wichura 1988, "The percentage points of the normal distribution", Applied Statistics 37(3);
/// about 1 part in 10¹⁶.
pub fn normal_quantile(probability: f64) -> f64 {
    let q = probability - 0.5;
    if q.abs() <= CENTRAL {
        return q * ratio(&CENTRE, CENTRAL * CENTRAL - q * q);
    }
    let tail = if q < 0.0 { probability } else { 1.0 - probability };
    if tail <= 0.0 {
        return f64::INFINITY.copysign(q);
    }
    let r = (-tail.ln()).sqrt();
    let value = if r <= 5.0 { ratio(&NEAR_TAIL, r - 1.6) } else { ratio(&FAR_TAIL, r - 5.0) };
    value.copysign(q)
}

/// A quotient of two polynomials, coefficients from the constant upwards.
fn ratio((above, below): &(Coefficients, Coefficients), x: f64) -> f64 {
    let polynomial = |coefficients: &Coefficients| coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c);
    polynomial(above) / polynomial(below)
}

type Coefficients = [f64; 8];

const CENTRE: (Coefficients, Coefficients) = (
    [
        3.387_132_872_796_366_5,
        133.141_667_891_784_38,
        1_971.590_950_306_551_3,
        13_731.693_765_509_46,
        45_921.953_931_549_87,
        67_265.770_927_008_7,
        33_430.575_583_588_13,
        2_509.080_928_730_122_7,
    ],
    [
        1.0,
        42.313_330_701_600_91,
        687.187_007_492_057_9,
        5_394.196_021_424_751,
        21_213.794_301_586_597,
        39_307.895_800_092_71,
        28_729.085_735_721_943,
        5_226.495_278_852_545,
    ],
);

const NEAR_TAIL: (Coefficients, Coefficients) = (
    [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        0.241_780_725_177_450_6,
        0.022_723_844_989_269_184,
        7.745_450_142_783_414e-4,
    ],
    [
        1.0,
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        0.689_767_334_985_1,
        0.148_103_976_427_480_08,
        0.015_198_666_563_616_457,
        5.475_938_084_995_345e-4,
        1.050_750_071_644_416_9e-9,
    ],
);

const FAR_TAIL: (Coefficients, Coefficients) = (
    [
        6.657_904_643_501_103,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        0.296_560_571_828_504_87,
        0.026_532_189_526_576_124,
        0.001_242_660_947_388_078_4,
        2.711_555_568_743_487_6e-5,
        2.010_334_399_292_288_1e-7,
    ],
    [
        1.0,
        0.599_832_206_555_888,
        0.136_929_880_922_735_8,
        0.014_875_361_290_850_615,
        7.868_691_311_456_133e-4,
        1.846_318_317_510_054_8e-5,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_8e-15,
    ],
);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_ends_are_infinite_and_the_middle_is_zero() {
        assert_eq!([0.0, 0.5, 1.0].map(normal_quantile), [f64::NEG_INFINITY, 0.0, f64::INFINITY]);
    }

    proptest! {
        #[test]
        fn quantile_and_probability_are_each_others_inverse(z in -8.0..5.0) {
            prop_assert!((normal_quantile(normal_cdf(z)) - z).abs() < 1e-9, "{z}");
        }
    }
}
