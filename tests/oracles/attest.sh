#!/usr/bin/env bash
# Writes an attestation file into the folder named, by the words of the protocol's sections 1, 2
# and 4 alone: nothing but printf, sha256sum and awk. The artifact hash enters each evaluation hash
# bare, as section 1 computes it.
set -euo pipefail

folder=$1
null_hash=0000000000000000000000000000000000000000000000000000000000000000

sha() {
  if command -v sha256sum > /dev/null; then sha256sum "$@"; else shasum -a 256 "$@"; fi
}

printf '# A skill\n\nIt says what it does, and does it.\n' > "$folder/SKILL.md"
artifact_hash=$(sha "$folder/SKILL.md" | awk '{print $1}')

# attest JUDGE SCORE RATIONALE SECOND: one attestation, linked to the one before it.
previous=$null_hash
separator=
attestations=
attest() {
  local hash
  hash=$(printf '%s' "$1|$artifact_hash|$2|$3" | sha | awk '{print $1}')
  attestations+=$(
    printf '%s\n        {\n' "$separator"
    printf '          "judge_id": "%s",\n' "$1"
    printf '          "score": %s,\n' "$2"
    printf '          "rationale_summary": "%s",\n' "$3"
    printf '          "evaluation_hash": "sha256:%s",\n' "$hash"
    printf '          "timestamp": "2026-03-01T12:00:%02dZ",\n' "$4"
    printf '          "previous_attestation_hash": "sha256:%s"\n        }' "$previous"
  )
  previous=$hash
  separator=,
}

attest domain-expert 8.2 "Clear steps that practitioners would follow as they stand." 10
attest critic 7.5 "Handles no input in other languages; recovery from errors is vague." 20
attest completeness-auditor 8.0 "Every required section is there; examples are few but whole." 30

# 0.4 * 8.2 + 0.3 * 7.5 + 0.3 * 8.0
final_score=$(awk 'BEGIN { printf "%.2f", 0.4 * 8.2 + 0.3 * 7.5 + 0.3 * 8.0 }')

cat > "$folder/.judge-attestations.json" << JSON
{
  "evaluations": [
    {
      "evaluation_id": "by-hand-2026-03-01",
      "artifact_path": "SKILL.md",
      "artifact_hash": "sha256:$artifact_hash",
      "panel_size": 3,
      "started_at": "2026-03-01T12:00:00Z",
      "completed_at": "2026-03-01T12:01:00Z",
      "attestations": [$attestations
      ],
      "final_score": $final_score,
      "weights": {
        "domain-expert": 0.4,
        "critic": 0.3,
        "completeness-auditor": 0.3
      }
    }
  ]
}
JSON
