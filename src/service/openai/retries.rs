//! The waits between the attempts of a call.

use std::time::{Duration, SystemTime};

use reqwest::header::{HeaderMap, RETRY_AFTER};

use super::failure::{FailureKind, RequestFailure};

/// How failed calls are retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retries {
    /// The maximum random wait after the first failure; it doubles with each further failure.
    pub first: Duration,
    /// The limit of the doubling.
    pub longest: Duration,
    /// The number of equal failures after which a server is given up that has never answered since the program started.
    pub tries_unproven: usize,
}

/// The number of failures of a call.
#[derive(Debug, Default)]
pub(super) struct CallFailures {
    /// All failures.
    pub count: usize,
    /// The last failures that were of one kind.
    pub alike: usize,
    last: Option<FailureKind>,
}

impl CallFailures {
    pub(super) fn add(&mut self, failure: &RequestFailure) -> &Self {
        let kind = Some(failure.kind());
        self.alike = if self.last == kind { self.alike + 1 } else { 1 };
        (self.count, self.last) = (self.count + 1, kind);
        self
    }
}

impl Default for Retries {
    fn default() -> Self {
        Self { first: Duration::from_secs(1), longest: Duration::from_secs(30), tries_unproven: 4 }
    }
}

impl Retries {
    /// The wait after this many consecutive failures (from 1): the wait that the server asks for, plus a random part from zero to
    /// a bound that doubles ("full jitter"), so that calls that failed together do not return together. `lot` is a uniform random
    /// number.
    ///
    /// Source: M. Brooker, Exponential Backoff And Jitter, AWS Architecture Blog, 2015.
    pub fn wait_after(&self, failures: u32, lot: u64, asked: Option<Duration>) -> Duration {
        let doubled = self.first.saturating_mul(1_u32.checked_shl(failures.saturating_sub(1)).unwrap_or(u32::MAX));
        let bound = doubled.min(self.longest).as_nanos();
        let share = bound.saturating_mul(u128::from(lot)) >> 64;
        let drawn = Duration::from_nanos(u64::try_from(share).unwrap_or(u64::MAX));
        asked.unwrap_or_default().saturating_add(drawn)
    }
}

/// The wait that a server requests in milliseconds, in seconds or as a date; `None` if it does not, or the header is invalid.
pub fn requested_wait(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let number = |text: &str| text.parse::<f64>().ok().filter(|number| *number >= 0.0);
    if let Some(ms) = text("retry-after-ms").and_then(number) {
        return Duration::try_from_secs_f64(ms / 1_000.0).ok();
    }
    let said = text(RETRY_AFTER.as_str())?;
    match number(said) {
        Some(seconds) => Duration::try_from_secs_f64(seconds).ok(),
        // A past date requests no wait.
        None => httpdate::parse_http_date(said).ok().map(|date| date.duration_since(now).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use reqwest::header::{HeaderName, HeaderValue};

    use super::*;

    fn headers(name: &'static str, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(HeaderName::from_static(name), HeaderValue::from_str(value).unwrap())])
    }

    #[test]
    fn a_servers_wish_is_read_in_seconds_in_milliseconds_and_as_a_date() {
        // The date of RFC 9110, section 5.6.7.
        let now = httpdate::parse_http_date("Sun, 06 Nov 1994 08:49:37 GMT").unwrap();
        for (name, value, expected) in [
            ("retry-after", "120", Some(120_000)),
            ("retry-after", " 0.5 ", Some(500)),
            ("retry-after-ms", "250", Some(250)),
            ("retry-after", "Sun, 06 Nov 1994 08:51:37 GMT", Some(120_000)),
            ("retry-after", "Sunday, 06-Nov-94 08:50:37 GMT", Some(60_000)),
            ("retry-after", "Sun, 06 Nov 1994 08:00:00 GMT", Some(0)),
            ("retry-after", "soon", None),
            ("retry-after", "-3", None),
            ("retry-after", "NaN", None),
            ("retry-after", "1e300", None),
            ("x-other", "3", None),
        ] {
            let wish = requested_wait(&headers(name, value), now).map(|wait| wait.as_millis());
            assert_eq!(wish, expected, "{name}: {value}");
        }
    }

    proptest! {
        #[test]
        fn a_wait_is_within_its_bound_and_never_shorter_than_the_server_asks(
            failures in 1_u32..200, lot: u64, asked in prop::option::of(0_u64..1_000_000),
        ) {
            let retries = Retries::default();
            let asked = asked.map(Duration::from_millis);
            let wait = retries.wait_after(failures, lot, asked);
            let least = asked.unwrap_or_default();
            prop_assert!(wait >= least);
            prop_assert!(wait - least <= retries.longest);
            if failures <= 5 {
                prop_assert!(wait - least <= retries.first * 2_u32.pow(failures - 1));
            }
        }

        #[test]
        fn a_greater_lot_never_waits_less(failures in 1_u32..20, one: u64, other: u64) {
            let wait = |lot| Retries::default().wait_after(failures, lot, None);
            prop_assert!(wait(one.min(other)) <= wait(one.max(other)));
        }
    }
}
