#!/usr/bin/env bash
# Serves a small made-up crawl and asks it everything its own description
# allows and much that it does not: schemathesis reads the OpenAPI description
# and makes the requests up. No answer may be a server error, and what is
# described must be as described. Statuses are not compared: an address that is
# too long is refused (414) before any of our code sees it.
set -euo pipefail
cd "$(dirname "$0")/.."

tools="$PWD/target/schemathesis"
if [ ! -x "$tools/bin/schemathesis" ]; then
  python3 -m venv "$tools"
  "$tools/bin/pip" install --quiet --disable-pip-version-check "schemathesis==4.32.5"
fi
cargo build --package app --locked --quiet
program="$PWD/target/debug/locavore"

folder=$(mktemp -d)
server=
trap 'if [ -n "$server" ]; then kill "$server"; fi; rm -rf "$folder"' EXIT
cd "$folder"
"$program" crawl us-top100 --web lab --world-sites 3000 --world-seed 11 --pages 300 --out c \
  >crawl.log 2>&1
"$program" serve c --address 127.0.0.1:0 2>serve.log &
server=$!
until grep -q '^answering on ' serve.log; do
  kill -0 "$server" || { cat serve.log; exit 1; }
  sleep 0.1
done
address=$(sed -n 's/^answering on //p' serve.log)

"$tools/bin/schemathesis" run "$address/api/openapi.json" --seed 1 --max-time 30 \
  --warnings off --suppress-health-check all --output-truncate true \
  --checks not_a_server_error,response_schema_conformance
