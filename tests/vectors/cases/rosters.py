"""Panels that several subjects need: scores, and rosters that a configuration adds."""

from __future__ import annotations

from typing import Any

from tests.support.rounds import make_round
from tests.vectors.case import Round, World, judged

FIVE = ("8.2", "7.5", "8.0", "7.9", "8.1")
APART = ("9.0", "5.5", "8.0")  # more than 3.0 between the highest and the lowest
APART_FIVE = (*APART, "7.9", "8.1")

QUARTET = """\
panels:
  quartet:
    - {judge: domain-expert, weight: 0.25}
    - {judge: critic, weight: 0.25}
    - {judge: security-reviewer, weight: 0.25, titles: [Security Lead]}
    - {judge: completeness-auditor, weight: 0.25}
"""
PAIR = """\
panels:
  pair:
    - judge: reader
    - judge: writer
"""
PEERS = """\
panels:
  peers:
    - {judge: author, weight: 0.5}
    - {judge: reader, weight: 0.25}
    - {judge: editor, weight: 0.25}
"""
QUARTET_SEATS = ("domain-expert", "critic", "security-reviewer", "completeness-auditor")


def quartet(scores: tuple[str, ...] = ("8.2", "7.5", "7.9", "8.0"), **choices: Any) -> Round:
    weights = dict.fromkeys(QUARTET_SEATS, 0.25)
    return make_round(scores=scores, weights=weights, **choices)


def pair(reader: float = 0.5, writer: float = 0.5) -> Round:
    return make_round(scores=("8.2", "7.5"), weights={"reader": reader, "writer": writer})


def peers() -> Round:
    return make_round(weights={"author": 0.5, "reader": 0.25, "editor": 0.25})


def under(config: str, *made: Round) -> World:
    """These rounds in a repository with this configuration."""
    return judged(*made)._replace(config=config)
