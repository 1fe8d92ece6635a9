"""How far chance alone may have moved a score.

The games of one deal share its deck, so they are no independent observations: the *deal* is. The
standard error is that of the mean over deals, ``se = sqrt(variance of the deals' scores / deals)``,
and pairing makes it smaller than that of as many unrelated games.

The interval is Wilson's score interval (E. B. Wilson, JASA 22, 1927) for as many independent games
as would have this standard error, ``n = p (1 - p) / se**2``: the usual way to carry it over to
clustered observations (Korn and Graubard, Survey Methodology 24, 1998; compared with others by
Franco, Little, Louis and Slud, J. Survey Statistics and Methodology 7, 2019). In the middle it is
``p +- z se``; near 0 and 1 it stays inside, and wide enough. ``z`` is Student's quantile, because
the variance is an estimate itself: 1.96 for many deals, 2.26 for ten. Where all deals scored the
same there is no standard error to go by, and every deal counts as one game: 100 won deals of 100
give [0.963, 1], not [1, 1].
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

CONFIDENCE = 0.95
NORMAL_QUANTILE = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)


def confidence_interval(score: float, variance: float, deals: int) -> tuple[float, float]:
    """The 95 % confidence interval of a mean score, inside [0, 1].

    Args:
        score: the mean over the deals of their scores, each 0 ... 1.
        variance: the sample variance of the deals' scores (divided by ``deals - 1``).
        deals: how many there are, 1 or more.
    """
    if variance <= 0:
        return wilson(score, deals, NORMAL_QUANTILE)
    independent_games = score * (1 - score) * deals / variance
    return wilson(score, independent_games, student_quantile(deals - 1))


def wilson(share: float, games: float, quantile: float) -> tuple[float, float]:
    """Wilson's score interval for a share of independent games."""
    pull = quantile**2 / games
    centre = (share + pull / 2) / (1 + pull)
    half = sqrt(pull * share * (1 - share) + pull**2 / 4) / (1 + pull)
    return max(0.0, centre - half), min(1.0, centre + half)


def student_quantile(freedom: int) -> float:
    """The two-sided 95 % quantile of Student's distribution.

    By its expansion in powers of ``1 / freedom`` (Abramowitz and Stegun, 26.7.5), which is too
    small by 0.1 % for 5 degrees of freedom, and for 1 by a quarter.
    """
    z = NORMAL_QUANTILE
    return (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
