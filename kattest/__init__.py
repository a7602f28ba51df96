"""kattest: verify who judged what, with what score, in which order."""

__version__ = "0.1.0"
