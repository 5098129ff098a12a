"""spec/filters.md, section 1.5: attainable rates. The format cannot deliver every rate."""

from ..errors import UNATTAINABLE, Refusal
from ..portable_sizing import size_by_rate
from .before import portable_fpr

KEPT, WARNED, REFUSED = "kept", "warned", "refused"
FEW_KEYS = 100


def promise(n, p):
    """(verdict, true rate) for a filter sized by rate."""
    m, k = size_by_rate(n, p)
    true = portable_fpr(m, k, n)
    if true <= 1.1 * p:
        return KEPT, true
    if true > 4 * p and n >= FEW_KEYS:
        return REFUSED, true
    return WARNED, true


def size_checked(n, p, insist=False):
    """(m, k), refused where the true rate is beyond the limit, unless the user insists."""
    m, k = size_by_rate(n, p)
    if not insist:
        verdict, true = promise(n, p)
        if verdict == REFUSED:
            raise Refusal(UNATTAINABLE, f"{n} keys at the rate {p}: the true rate would be {true:.3e}")
    return m, k
