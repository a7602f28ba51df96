#!/bin/sh
# kattest's native git hook, the same under each of its names: pre-commit, pre-merge-commit, pre-push,
# pre-receive, update. It refuses where kattest is missing. A hook that was there before, kept as
# NAME.before-kattest, runs first and is told the same.
program=kattest # `kattest hook install` writes here which one installed it
name=${0##*/}
name=${name%.legacy} # what pre-commit and prek call a hook that was there before them
before=${0%/*}/$name.before-kattest

# A hook that was a link to another one, whose place this script has taken: that one is meant.
case $name in
*.before-kattest)
    before=$(readlink "$0")
    before=${0%/*}/${before##*/}.before-kattest
    [ -x "$before" ] || exit 0
    exec "$before" "$@"
    ;;
esac

input=
case $name in
pre-push | pre-receive)
    input=$(cat && echo .)
    input=${input%.}
    ;;
esac

if [ -f "$before" ] && [ -x "$before" ]; then
    printf %s "$input" | "$before" "$@" || exit
fi
command -v "$program" >/dev/null 2>&1 || program=kattest
if ! command -v "$program" >/dev/null 2>&1; then
    cat >&2 <<'MESSAGE'
kattest: not found on PATH, so this could not be checked and is refused.
  what to do: install kattest where git finds it, or activate the environment that
  has it, and try again.
MESSAGE
    exit 2
fi
printf %s "$input" | "$program" hook "$name" "$@"
status=$?
if [ "$status" -ne 0 ]; then
    case $name in
    *commit) echo "kattest: this commit is refused. git diff --cached shows what it would hold." ;;
    *) echo "kattest: this push is refused." ;;
    esac >&2
fi
exit "$status"
