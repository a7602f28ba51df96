"""``.kattest.yaml``: what can be decided there, what is refused, and what the decisions do."""

from __future__ import annotations

import time
from datetime import timedelta
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kattest.config import DOCUMENT_BYTES, INDEX_BYTES, Config, HistoryBase
from kattest.configfile import LONGEST_GRACE_DAYS, parse_config
from kattest.errors import ConfigError
from kattest.finding import Severity
from kattest.roster import PROTOCOL_PANELS, Panel, Seat
from tests.support.memory import CONFIG_1_0, STORED, archive, make_record, make_tree
from tests.support.rounds import ARTIFACT, dumps, make_round
from tests.unit.judging import FILE, codes, errors, judge
from tests.unit.remembering import instant, judge_tree


def read(text: str | bytes) -> Config:
    return parse_config(text.encode() if isinstance(text, str) else text, ".kattest.yaml")


def attempt(text: str | bytes) -> Config | ConfigError:
    """What becomes of a text: a configuration, or an error that names the file and a remedy."""
    found: Config | ConfigError
    try:
        found = read(text)
    except ConfigError as error:
        found = error
    if isinstance(found, ConfigError):
        assert found.message.startswith(".kattest.yaml")
        assert found.remedy
    return found


def refusal(text: str | bytes) -> ConfigError:
    error = attempt(text)
    assert isinstance(error, ConfigError), error
    return error


class TestWhatCanBeDecided:
    @pytest.mark.parametrize("text", ["", "\n", "# nothing but a comment\n", "{}", "---\n{}\n"])
    def test_nothing(self, text: str) -> None:
        config = read(text)
        assert config == Config()
        assert dict(config.severity) == {}

    @pytest.mark.parametrize("text", ["---\n", "~", "null", "--- # nothing\n"])
    def test_nothing_by_an_explicit_null_as_the_schema_says(self, text: str) -> None:
        assert read(text) == Config()

    def test_everything(self) -> None:
        config = read(
            """
severity:
  KA111: error
  KA115: warning
  KA140: info
  KA141: off
panels:
  pair:
    - judge: domain-expert
      weight: 0.75
      titles: [lead, "reviewer no. 1"]
    - {judge: critic, weight: 0.25}
  open: [{judge: a}, {judge: b-2}]
exclude:
  - "vendor/"
  - "!vendor/ours/**"
lifecycle:
  grace_days: 14
history:
  base: head
  protect: [refs/heads/main, "refs/tags/*"]
limits:
  document_bytes: 1048576
"""
        )
        assert config.severity == {
            "KA111": Severity.ERROR,
            "KA115": Severity.WARNING,
            "KA140": Severity.INFO,
            "KA141": None,
        }
        assert config.panels == (
            *PROTOCOL_PANELS,
            Panel(
                "pair",
                (
                    Seat("domain-expert", Decimal("0.75"), ("lead", "reviewer no. 1")),
                    Seat("critic", Decimal("0.25")),
                ),
            ),
            Panel("open", (Seat("a"), Seat("b-2"))),
        )
        assert config.exclude == ("vendor/", "!vendor/ours/**")
        assert config.document_bytes == 1048576
        assert config.grace_days == 14
        assert config.history_base is HistoryBase.HEAD
        assert config.protected == ("refs/heads/main", "refs/tags/*")

    @pytest.mark.parametrize("level", ["off", "OFF", "'off'", '"off"', "Off"])
    def test_off_whether_yaml_takes_it_for_a_boolean_or_not(self, level: str) -> None:
        assert read(f"severity: {{KA111: {level}}}").severity == {"KA111": None}

    def test_json_too(self) -> None:
        text = '{"severity": {"KA111": "off"}, "exclude": ["a"], "limits": {}}'
        assert read(text) == Config(severity={"KA111": None}, exclude=("a",))

    def test_a_byte_order_mark_is_layout(self) -> None:
        assert read(b"\xef\xbb\xbfexclude: [a]").exclude == ("a",)

    @pytest.mark.parametrize("size", [1, DOCUMENT_BYTES, INDEX_BYTES])
    def test_limits_within_bounds(self, size: int) -> None:
        assert read(f"limits: {{document_bytes: {size}}}").document_bytes == size

    @pytest.mark.parametrize("days", [0, 1, 30, LONGEST_GRACE_DAYS])
    def test_grace_within_bounds(self, days: int) -> None:
        assert read(f"lifecycle: {{grace_days: {days}}}") == Config(grace_days=days)

    def test_no_grace_where_the_lifecycle_says_nothing(self) -> None:
        assert read("lifecycle: {}") == Config()
        assert Config().grace_days == 0

    @pytest.mark.parametrize("base", [*HistoryBase])
    def test_what_local_work_is_compared_with(self, base: HistoryBase) -> None:
        assert read(f"history: {{base: {base}}}") == Config(history_base=base)

    def test_what_is_published_where_the_history_says_nothing(self) -> None:
        assert read("history: {}") == Config()
        assert Config().history_base is HistoryBase.UPSTREAM
        assert Config().protected == ()


# What is refused: the text, where, and words of the message or the remedy.
REFUSED = {
    "an unknown key": ("severty: {}", "1:1", 'did you mean "severity"?'),
    "an unknown key like no other": ("\nzzz: 1", "2:1", "known keys: severity, panels"),
    "an unknown limit": ("limits: {document_byte: 1}", "1:10", 'did you mean "document_bytes"?'),
    "an unknown key of a seat": ("panels: {p: [{juge: a}]}", "1:15", 'did you mean "judge"?'),
    "keys in another case": ("Severity: {}", "1:1", "severity"),
    "a repeated key": ("exclude: [a]\nexclude: [b]", "2:1", "twice"),
    "a repeated code": ("severity: {KA111: off, KA111: error}", "1:24", "twice"),
    "a repeated panel": ("panels:\n  p: [{judge: a}]\n  p: [{judge: b}]", "3:3", "twice"),
    "a repeated key of a seat": ("panels: {p: [{judge: a, judge: b}]}", "1:25", "twice"),
    "a list": ("- severity", "1:1", "mapping"),
    "a word": ("severity", "1:1", "mapping"),
    "a number as a key": ("1: x", "1:1", "string"),
    "null as a key": ("~: x", "1:1", "string"),
    "a list as a key": ("? [a]\n: x", "1:3", "string"),
    "severity: a list": ("severity: [KA111]", "1:11", "mapping"),
    "severity: nothing": ("severity:", "1:10", "mapping"),
    "severity: no code": ("severity: {chain-link: off}", "1:", "KA111"),
    "severity: lower case": ("severity: {ka111: off}", "1:", "KA111"),
    "severity: a prefix": ("severity: {KA1: off}", "1:", "KA111"),
    "severity: an unknown level": ("severity: {KA111: fatal}", "1:19", "error, warning, info, off"),
    "severity: a level in capitals": ("severity: {KA111: ERROR}", "1:19", "error, warning"),
    "severity: yes": ("severity: {KA111: on}", "1:19", "error, warning, info, off"),
    "severity: a number": ("severity: {KA111: 0}", "1:19", "error, warning, info, off"),
    "severity: nothing for a code": ("severity: {KA111: }", "1:18", "error, warning, info, off"),
    "severity: a list for a code": ("severity: {KA111: [off]}", "1:19", "error, warning"),
    "severity: a mapping for a code": ("severity: {KA111: {a: b}}", "1:19", "error, warning"),
    "panels: a list": ("panels: [a]", "1:9", "mapping"),
    "panels: the protocol's own": ("panels: {standard: [{judge: a}]}", "1:20", "protocol's"),
    "panels: without seats": ("panels: {p: []}", "1:13", "seat"),
    "panels: a mapping of seats": ("panels: {p: {judge: a}}", "1:13", "list"),
    "panels: a word for a seat": ("panels: {p: [critic]}", "1:14", "mapping"),
    "panels: a seat without a judge": ("panels: {p: [{weight: 1}]}", "1:14", "judge"),
    "panels: a judge twice": ("panels: {p: [{judge: a}, {judge: a}]}", "1:13", "seat"),
    "panels: the meta-judge": ("panels: {p: [{judge: meta-judge}]}", "1:22", "meta-judge"),
    "panels: a judge in capitals": ("panels: {p: [{judge: Critic}]}", "1:22", "lower-case"),
    "panels: a judge with a bar": ("panels: {p: [{judge: 'a|b'}]}", "1:22", "lower-case"),
    "panels: a judge without a name": ("panels: {p: [{judge: ''}]}", "1:22", "lower-case"),
    "panels: a long judge": (f"panels: {{p: [{{judge: {'a' * 65}}}]}}", "1:22", "lower-case"),
    "panels: a judge with a line break": ('panels: {p: [{judge: "a\\n"}]}', "1:22", "lower-case"),
    "panels: a number for a judge": ("panels: {p: [{judge: 7}]}", "1:22", "lower-case"),
    "panels: a date for a judge": ("panels: {p: [{judge: 2026-03-01}]}", "1:22", "lower-case"),
    "panels: a list for a judge": ("panels: {p: [{judge: [a]}]}", "1:22", "lower-case"),
    "panels: weights of some": (
        "panels: {p: [{judge: a, weight: 1}, {judge: b}]}",
        "1:13",
        "weigh",
    ),
    "panels: weights that miss 1": ("panels: {p: [{judge: a, weight: 0.9}]}", "1:13", "sum to 1"),
    "panels: a weight of 0": ("panels: {p: [{judge: a, weight: 0}]}", "1:33", "above 0"),
    "panels: a weight below 0": ("panels: {p: [{judge: a, weight: -1}]}", "1:33", "above 0"),
    "panels: a weight above 1": ("panels: {p: [{judge: a, weight: 1.1}]}", "1:33", "above 0"),
    "panels: an infinite weight": ("panels: {p: [{judge: a, weight: .inf}]}", "1:33", "above 0"),
    "panels: a weight that is no number": (
        "panels: {p: [{judge: a, weight: .nan}]}",
        "1:33",
        "above 0",
    ),
    "panels: yes for a weight": ("panels: {p: [{judge: a, weight: yes}]}", "1:33", "above 0"),
    "panels: a word for a weight": ("panels: {p: [{judge: a, weight: '1'}]}", "1:33", "above 0"),
    "panels: one title": ("panels: {p: [{judge: a, titles: x}]}", "1:33", "list"),
    "panels: an empty title": ("panels: {p: [{judge: a, titles: ['']}]}", "1:34", "string"),
    "panels: a number for a title": ("panels: {p: [{judge: a, titles: [7]}]}", "1:34", "string"),
    "exclude: one pattern": ("exclude: vendor/", "1:10", "list"),
    "exclude: a number": ("exclude: [a, 7]", "1:14", "string"),
    "exclude: yes": ("exclude: [yes]", "1:11", "string"),
    "exclude: an empty pattern": ("exclude: ['']", "1:11", "string"),
    "exclude: a list in the list": ("exclude: [[a]]", "1:11", "string"),
    "exclude: no pattern": ("exclude: ['!']", "1:10", "gitignore"),
    "limits: a number": ("limits: 7", "1:9", "mapping"),
    "limits: 0 bytes": ("limits: {document_bytes: 0}", "1:26", "whole number"),
    "limits: too many bytes": (
        f"limits: {{document_bytes: {INDEX_BYTES + 1}}}",
        "1:26",
        "whole number",
    ),
    "limits: a fraction": ("limits: {document_bytes: 1.5}", "1:26", "whole number"),
    "limits: yes": ("limits: {document_bytes: yes}", "1:26", "whole number"),
    "limits: a word": ("limits: {document_bytes: '8'}", "1:26", "whole number"),
    "limits: a unit": ("limits: {document_bytes: 8 MiB}", "1:26", "whole number"),
    "an unknown key of the lifecycle": (
        "lifecycle: {grace: 1}",
        "1:13",
        'did you mean "grace_days"?',
    ),
    "lifecycle: a number": ("lifecycle: 7", "1:12", "mapping"),
    "lifecycle: nothing": ("lifecycle:", "1:11", "mapping"),
    "lifecycle: a day too few": ("lifecycle: {grace_days: -1}", "1:25", "from 0 to 3650"),
    "lifecycle: a day too many": ("lifecycle: {grace_days: 3651}", "1:25", "from 0 to 3650"),
    "lifecycle: a number without end": (
        f"lifecycle: {{grace_days: 1{'0' * 39}}}",
        "1:25",
        "whole number",
    ),
    "lifecycle: a fraction": ("lifecycle: {grace_days: 1.5}", "1:25", "whole number"),
    "lifecycle: yes": ("lifecycle: {grace_days: yes}", "1:25", "whole number"),
    "lifecycle: a word": ("lifecycle: {grace_days: '7'}", "1:25", "whole number"),
    "lifecycle: a unit": ("lifecycle: {grace_days: 7d}", "1:25", "whole number"),
    "lifecycle: no number of days": ("lifecycle: {grace_days: }", "1:24", "whole number"),
    "lifecycle: a list": ("lifecycle: {grace_days: [7]}", "1:25", "whole number"),
    "an unknown key of the history": ("history: {bas: head}", "1:11", 'did you mean "base"?'),
    "history: a word": ("history: head", "1:10", "mapping"),
    "history: nothing": ("history:", "1:9", "mapping"),
    "history: another base": ("history: {base: origin/main}", "1:17", "upstream or head"),
    "history: a base in capitals": ("history: {base: HEAD}", "1:17", "upstream or head"),
    "history: no base": ("history: {base: }", "1:16", "upstream or head"),
    "history: a list for a base": ("history: {base: [head]}", "1:17", "upstream or head"),
    "history: one reference": ("history: {protect: refs/heads/main}", "1:20", "list"),
    "history: a number": ("history: {protect: [7]}", "1:21", "string"),
    "history: an empty reference": ("history: {protect: ['']}", "1:21", "string"),
    "history: a branch by its short name": (
        "history: {protect: [main]}",
        "1:20",
        "refs/heads/main",
    ),
    "history: every reference": ("history: {protect: ['*']}", "1:20", "refs/heads/main"),
    "a merge key": ("<<: {exclude: [a]}", "1:1", "plain value"),
    "a foreign tag": ("exclude: [!secret x]", "1:11", "plain value"),
}


# A tag, a value and a place for it: any combination must be followed or refused.
TAGS = [
    "",
    "",
    "",
    *(f"!!{name} " for name in ["str", "int", "float", "bool", "null", "timestamp", "binary"]),
]
TAGS += [*(f"!!{name} " for name in ["seq", "map", "set", "omap", "pairs"]), "!x ", "&a "]
SCALARS = ["", "''", "x", "off", "1", "0.5", "-1", ".nan", ".inf", "~", "2026-03-01", "1:30", "0x"]
SCALARS += ["0b2", "1_0", "=", "<<", "[]", "{}", "[a]", "{a: b}", "*a", "KA111", "'!'"]
TEMPLATES = [
    "{0}: {1}",
    "severity: {{{0}: {1}}}",
    "severity: {{KA111: {0}, KA112: {1}}}",
    "panels: {{{0}: [{{judge: {1}}}]}}",
    "panels: {{p: [{{judge: a, weight: {0}, titles: {1}}}]}}",
    "panels: {{p: [{{judge: a, titles: [{0}, {1}]}}]}}",
    "exclude: [{0}, {1}]",
    "limits: {{document_bytes: {0}, {1}}}",
    "limits: {{document_bytes: {0}}}\nexclude: {1}",
    "lifecycle: {{grace_days: {0}, {1}}}",
    "history: {{base: {0}, protect: [{1}]}}",
    "history: {{protect: {0}, {1}}}",
    "lifecycle: {{grace_days: {0}}}\nexclude: {1}",
]


class TestWhatIsRefused:
    @pytest.mark.parametrize(("text", "place", "words"), REFUSED.values(), ids=REFUSED)
    def test_names_place_and_remedy(self, text: str, place: str, words: str) -> None:
        error = refusal(text)
        assert error.message.startswith(f".kattest.yaml:{place}"), error.message
        assert words in f"{error.message} {error.remedy}"

    @pytest.mark.parametrize(
        "text",
        [
            "severity: [",
            "severity: }",
            "a: b: c",
            "exclude:\n- a\n -b: :",
            "exclude: [*nowhere]",
            "exclude: ['open",
            "\tseverity: {}",
            "%YAML 3.0\n---\n{}",
            "exclude: [a\0b]",
            "exclude: [a\x1bb]",
            "exclude: [a]\n---\nexclude: [b]",
            "@",
            "exclude: ['\\",
            'exclude: ["\\q"]',
        ],
    )
    def test_what_is_not_one_yaml_document(self, text: str) -> None:
        error = refusal(text)
        assert error.message.startswith(".kattest.yaml is not YAML: ")

    @pytest.mark.parametrize(
        "data", [b"\xff", b"exclude: [\xe9]", "exclude: [a]".encode("utf-16"), b"a\xed\xa0\x80"]
    )
    def test_what_is_not_utf8(self, data: bytes) -> None:
        assert "not UTF-8" in refusal(data).message

    @pytest.mark.parametrize(
        "text",
        [
            "!!python/object/apply:os.system ['true']",
            "exclude: [!!python/object/apply:os.getcwd []]",
            "exclude: [!!python/name:os.system x]",
            "exclude: [!!python/module:os x]",
            "severity: {KA111: !!python/object:kattest.config.Config {}}",
            "exclude: !!python/tuple [a]",
            "!!python/object:os.path {exclude: [a]}",
            "exclude: !secret [a]",
            "severity: !!omap {KA111: off}",
        ],
    )
    def test_tags_that_name_other_types(self, text: str) -> None:
        refusal(text)

    @pytest.mark.parametrize("tag", ["seq", "map", "set", "omap", "pairs", "bool", "timestamp"])
    def test_a_tag_that_does_not_fit_its_value(self, tag: str) -> None:
        refusal(f"severity: {{KA111: !!{tag} x}}")

    @pytest.mark.parametrize("tag", ["int", "float", "bool", "timestamp", "binary", "null"])
    @pytest.mark.parametrize("value", ["''", "x", "-", "0x", "1:x"])
    def test_a_scalar_tag_that_does_not_fit_its_value(self, tag: str, value: str) -> None:
        refusal(f"limits: {{document_bytes: !!{tag} {value}}}")

    def test_a_tag_that_does_not_fit_a_key(self) -> None:
        refusal("!!bool x: y")

    @pytest.mark.parametrize("value", ["2026-13-45", "1" * 5000, "1" + ":0" * 200 + ".0", "0o9"])
    def test_a_value_beyond_what_yaml_can_hold(self, value: str) -> None:
        refusal(f"limits: {{document_bytes: {value}}}")

    @pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "? ", "!!seq [", "&a ["])
    def test_deep_nesting_quickly(self, opening: str) -> None:
        begin = time.process_time()
        refusal(opening * 50_000)
        assert time.process_time() - begin < 5

    def test_a_mapping_that_holds_itself(self) -> None:
        refusal("severity: &a {KA111: *a}")
        refusal("&a [*a]")
        refusal("panels: {p: &a [*a]}")

    def test_a_billion_laughs_quickly(self) -> None:
        lines = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
        lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
        begin = time.process_time()
        refusal("\n".join([*lines, "exclude: *a11"]))
        refusal("\n".join(line.replace("a0: ", "exclude: ", 1) for line in lines))
        assert time.process_time() - begin < 2

    def test_aliases_that_multiply_a_panel_quickly(self) -> None:
        seats = ", ".join(f"{{judge: j{number}}}" for number in range(500))
        names = "".join(f"  p{number}: *seats\n" for number in range(2000))
        begin = time.process_time()
        attempt(f"panels:\n  first: &seats [{seats}]\n{names}")  # followed or refused, at no cost
        assert time.process_time() - begin < 2

    @settings(max_examples=300)
    @given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
    def test_any_bytes_are_followed_or_refused(self, data: bytes) -> None:
        found = attempt(data)
        assert isinstance(found, ConfigError) or found == Config()

    @settings(max_examples=500)
    @given(st.data())
    def test_any_value_in_any_place_is_followed_or_refused(self, data: st.DataObject) -> None:
        value = st.builds(str.__add__, st.sampled_from(TAGS), st.sampled_from(SCALARS))
        template = data.draw(st.sampled_from(TEMPLATES))
        text = template.format(data.draw(value), data.draw(value))
        assert attempt(text)


class TestWhatTheDecisionsDo:
    def test_a_severity_takes_the_place_of_the_rules_own(self) -> None:
        short = dumps(make_round(rationales=("Too short.", "Shorter.", "Short.")))
        assert codes(judge(short)) == ["KA141"] * 3
        assert judge(short).ok
        strict = judge(short, config=read("severity: {KA141: error}"))
        assert errors(strict) == {"KA141"}
        assert not strict.ok
        silent = judge(short, config=read("severity: {KA141: off}"))
        assert codes(silent) == []
        assert [rule.code for rule in silent.disabled] == ["KA141"]
        weak = judge(dumps(), config=read("severity: {KA136: info}"))
        assert codes(weak) == ["KA136"]
        assert weak.ok

    def test_a_rule_that_is_off_does_not_report_though_its_round_still_failed(self) -> None:
        forged = dumps(make_round() | {"final_score": 10.0})
        assert codes(judge(forged)) == ["KA133"]
        lax = judge(forged, config=read("severity: {KA133: off}"))
        assert codes(lax) == []
        assert lax.ok
        assert [round_.status for round_ in lax.rounds] == ["failed"]

    @pytest.mark.parametrize("level", ["off", "error"])
    def test_a_code_that_is_no_rules_is_refused_by_the_check(self, level: str) -> None:
        config = read(f"severity: {{KA999: {level}}}")
        with pytest.raises(ConfigError, match="KA999"):
            judge(dumps(make_round()), config=config)

    def test_the_limit_on_documents_holds_to_the_byte(self) -> None:
        data = dumps(make_round())
        exact = read(f"limits: {{document_bytes: {len(data)}}}")
        assert codes(judge(data, config=exact)) == []
        less = read(f"limits: {{document_bytes: {len(data) - 1}}}")
        assert codes(judge(data, config=less)) == ["KA005"]

    @pytest.mark.parametrize("grace", [0, 1, 14])
    def test_the_grace_of_a_record_holds_to_the_second(self, grace: int) -> None:
        config = read(f"lifecycle: {{grace_days: {grace}}}")
        active = make_tree(make_record())
        archived = make_tree(archive(make_record(), STORED + timedelta(days=91)))
        expiring = make_tree(make_record(version="1.0"), config=CONFIG_1_0)
        for files, days, code in (
            (active, 90, "KA401"),
            (archived, 180, "KA402"),
            (expiring, 90, "KA406"),
        ):
            last = STORED + timedelta(days=days + grace)
            assert codes(judge_tree(files, last, config=config)) == []
            late = judge_tree(files, last + timedelta(seconds=1), config=config)
            assert codes(late) == [code]
            assert [(root.overdue, root.overdue_since) for root in late.memory] == [
                (1, instant(STORED + timedelta(days=days)))
            ]

    def test_an_excluded_document_is_not_judged_but_counted(self) -> None:
        report = judge(b"{", path=f"vendor/x/{FILE}", config=read("exclude: [vendor/]"))
        assert codes(report) == []
        assert report.files == ()
        assert report.counts.attestation_files == 0
        assert report.counts.excluded == 1

    @pytest.mark.parametrize(
        ("patterns", "path", "excluded"),
        [
            ("[vendor]", f"vendor/{FILE}", True),
            ("[vendor/]", f"a/vendor/{FILE}", True),
            ("[/vendor/]", f"a/vendor/{FILE}", False),
            ("['*.json']", FILE, True),
            ("['**/drafts/**']", f"a/drafts/b/{FILE}", True),
            ("['drafts/*', '!drafts/ours']", f"drafts/ours/{FILE}", False),
            ("['# a comment']", FILE, False),
            ("[Vendor]", f"vendor/{FILE}", False),
        ],
    )
    def test_exclude_speaks_gitignores_language(
        self, patterns: str, path: str, *, excluded: bool
    ) -> None:
        report = judge(b"{", path=path, config=read(f"exclude: {patterns}"))
        assert report.counts.excluded == int(excluded)

    def test_an_excluded_document_does_not_take_an_evaluation_id(self) -> None:
        data = dumps(make_round())
        copies = {"SKILL.md": ARTIFACT, f"vendor/{FILE}": data}
        assert codes(judge(data, files=copies)) == ["KA135"]
        assert codes(judge(data, files=copies, config=read("exclude: [vendor/]"))) == []

    @pytest.mark.parametrize(
        ("patterns", "ref", "protected"),
        [
            ("[]", "refs/heads/main", False),
            ("[refs/heads/main]", "refs/heads/main", True),
            ("[refs/heads/main]", "refs/heads/mains", False),
            ("[refs/heads/main]", "refs/heads/Main", False),
            ("[refs/heads/main]", "refs/tags/main", False),
            ("['refs/heads/release-*']", "refs/heads/release-1", True),
            ("['refs/heads/release-*']", "refs/heads/release-1/mended", True),
            ("['refs/tags/*', refs/heads/main]", "refs/heads/main", True),
            ("['refs/*']", "refs/notes/commits", True),
        ],
    )
    def test_protected_references_are_known_by_their_whole_names(
        self, patterns: str, ref: str, *, protected: bool
    ) -> None:
        assert read(f"history: {{protect: {patterns}}}").protects(ref) is protected
