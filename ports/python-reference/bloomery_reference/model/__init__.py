"""spec/model.md: the rates a filter reports, before it is filled and from its bits."""

from .before import portable_fpr
from .attainable import promise
