//! Cells about amounts: how far they are from the right amount and from each other, in whole numbers as far as possible.

use super::{Cell, real, show};

/// The amounts of the last poll or vote, if the motion is about an amount alone.
fn list_amounts(cell: &Cell<'_>) -> Option<Vec<i128>> {
    let positions = cell.last_positions().filter(|_| cell.arm().alternatives.len() == 1)?;
    let amounts: Vec<i128> = positions.iter().filter_map(|position| position.amount.map(i128::from)).collect();
    Some(amounts).filter(|amounts| !amounts.is_empty())
}

pub fn count_amounts(cell: &Cell<'_>) -> Option<String> {
    show(list_amounts(cell)?.len())
}

/// The variance of the amounts.
pub fn diversity(cell: &Cell<'_>) -> Option<String> {
    let amounts = list_amounts(cell)?;
    let (n, sum) = (amounts.len() as i128, amounts.iter().sum::<i128>());
    let squares: i128 = amounts.iter().map(|x| x * x).sum();
    real((n * squares - sum * sum) as f64 / (n * n) as f64)
}

/// The squared error of the mean.
pub fn crowd_error(cell: &Cell<'_>) -> Option<String> {
    let (amounts, right) = (list_amounts(cell)?, cell.right_amount()?);
    let n = amounts.len() as i128;
    let error = amounts.iter().sum::<i128>() - n * right;
    real((error * error) as f64 / (n * n) as f64)
}

pub fn individual_mse(cell: &Cell<'_>) -> Option<String> {
    let (amounts, right) = (list_amounts(cell)?, cell.right_amount()?);
    let errors: i128 = amounts.iter().map(|x| (x - right) * (x - right)).sum();
    real(errors as f64 / amounts.len() as f64)
}

/// The squared error of the median.
pub fn median_error(cell: &Cell<'_>) -> Option<String> {
    let (mut amounts, right) = (list_amounts(cell)?, cell.right_amount()?);
    amounts.sort_unstable();
    let double = amounts[(amounts.len() - 1) / 2] + amounts[amounts.len() / 2];
    let error = double - 2 * right;
    real((error * error) as f64 / 4.0)
}

/// How far the amount decided for is from the right one, and the right one.
fn find_result_error(cell: &Cell<'_>) -> Option<(i128, i128)> {
    let decided = cell.decided().filter(|_| cell.arm().alternatives.len() == 1)?;
    let right = cell.right_amount()?;
    Some((i128::from(decided.amount?) - right, right))
}

/// The squared error of the amount decided for.
pub fn result_error(cell: &Cell<'_>) -> Option<String> {
    let (error, _) = find_result_error(cell)?;
    real((error * error) as f64)
}

/// The error of the amount decided for, over the right amount.
pub fn result_relative_error(cell: &Cell<'_>) -> Option<String> {
    let (error, right) = find_result_error(cell)?;
    if right == 0 { None } else { real(error.abs() as f64 / right as f64) }
}
