#!/bin/sh
# A day of an agent, at the top of a new repository: it writes a skill, lets a panel judge it, and
# remembers what came of that; then it edits the skill, and the panel disagrees.
set -eu

field() { # of the JSON on standard input
  python3 -c 'import json, sys; print(json.dumps(json.load(sys.stdin)[sys.argv[1]]))' "$1" |
    sed 's/^"\(.*\)"$/\1/'
}

say() { # FILE TEXT: what a judge wrote
  printf '%s\n' "$2" > "$reasons/$1"
}

panel() { # ID SCORE SCORE SCORE: three judges, each a process of its own, all at the same time
  kattest attest judge "$1" --judge domain-expert --score "$2" \
    --rationale-file "$reasons/expert" & expert=$!
  kattest attest judge "$1" --judge critic --score "$3" \
    --rationale-file "$reasons/critic" & critic=$!
  kattest attest judge "$1" --judge completeness-auditor --score "$4" \
    --rationale-file - < "$reasons/auditor" & auditor=$!
  wait "$expert"
  wait "$critic"
  wait "$auditor"
}

reasons=$(mktemp -d)
trap 'rm -rf "$reasons"' EXIT

kattest init
kattest hook install
mkdir -p skills/explore
printf '# Explore\n\nIt explores a subject and writes down what it found.\n' > skills/explore/SKILL.md

id=$(kattest attest open skills/explore/SKILL.md | field evaluation_id)
say expert "Clear protocol steps, and the references hold examples that can be followed."
say critic "Edge cases for inputs in several languages are not handled; recovery is unclear."
say auditor "All required sections are present, but performance benchmarks are missing so far."
panel "$id" 8.2 7.5 8.0
kattest attest close "$id"

kattest memory query --domain banking --phase phase-2
answer="ok, but expand the competitor section"
verdict=$(kattest memory classify "$answer")
test "$(printf '%s' "$verdict" | field decided)" = true
kattest memory store << JSON
{
  "case_slug": "bank_kc_automation",
  "domain": "banking",
  "phase": "phase-2",
  "phase_name": "Research",
  "skill_used": "explore",
  "reward": $(printf '%s' "$verdict" | field reward),
  "reward_label": "$(printf '%s' "$verdict" | field reward_label)",
  "reward_reason": "User requested minor edits to the competitor section",
  "context": {
    "phase_number": 2,
    "domain_detected": "banking",
    "upstream_promises": ["CASE_EXPLORED"],
    "patterns_loaded": 0,
    "time_budget_pct": 15.0,
    "agent_count": 3
  },
  "outcome": {
    "artifacts_created": ["02_research_findings.md"],
    "checkpoint_response": "$answer",
    "iterations": 2,
    "promise_emitted": "RESEARCH_PARANOID_PASSED"
  }
}
JSON
test "$(kattest memory maintain --dry-run | field changed)" = false
git add --all
git commit --quiet --message "A skill, judged"
kattest verify --strict

printf '\nIt asks before it decides.\n' >> skills/explore/SKILL.md
second=$(kattest attest open skills/explore/SKILL.md | field evaluation_id)
say expert "The new step fits what practitioners do, and it is said where it belongs."
say critic "Asking without a limit blocks every unattended run, and nothing says what then."
say auditor "The section is there and complete, and an example of a question would help."
panel "$second" 8.5 4.0 8.0
status=0
kattest attest close "$second" > "$reasons/closed" || status=$?
test "$status" -eq 1
test "$(field needs_meta_judge < "$reasons/closed")" = true
say meta "The panel disagrees on unattended runs; weighing both sides, this is what remains."
kattest attest judge "$second" --judge meta-judge --score 6.5 --rationale-file "$reasons/meta"
test "$(kattest attest close "$second" | field final_score)" = 6.5
git commit --quiet --all --message "The skill, edited and judged again"
kattest verify --strict
