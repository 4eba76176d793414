#!/usr/bin/env bash
# Starts a server that ends with the job, and gives the steps that follow what `laudio exec` gives a command.
set -euo pipefail

place="$(mktemp -d)"
# The loop below may look before the shell in the background has opened it.
: >"$place/ready.json"
# The options are words, as somebody wrote them in the workflow.
# shellcheck disable=SC2086
nohup laudio serve --ephemeral --rate-limit 0 --json ${SERVE:-} >"$place/ready.json" 2>"$place/log" </dev/null &
server=$!

until [ "$(wc -l <"$place/ready.json")" -ge 1 ]; do
  if ! kill -0 "$server" 2>/dev/null; then
    cat "$place/log" >&2
    exit 1
  fi
  sleep 0.1
done

read_json() { node -e 'const [file, ...path] = process.argv.slice(1); console.log(path.reduce((value, name) => value[name], JSON.parse(require("fs").readFileSync(file, "utf8"))))' "$@"; }
LAUDIO_SERVER="$(read_json "$place/ready.json" url)"
LAUDIO_DATA_DIR="$(read_json "$place/ready.json" data_dir)"
export LAUDIO_SERVER LAUDIO_DATA_DIR

scopes="$(node -e 'fetch(process.env.LAUDIO_SERVER + "/.well-known/oauth-authorization-server").then((answer) => answer.json()).then((metadata) => console.log(metadata.scopes_supported.join(" ")))')"
# In the space of the built-in test client, which is that of the app's test mode.
(umask 077 && laudio client create --name 'GitHub Actions' --type server --test --space test_tc_local --scope "$scopes" \
  --redirect-uri http://127.0.0.1/callback --json >"$place/client.json")
LAUDIO_CLIENT_ID="$(read_json "$place/client.json" id)"
LAUDIO_CLIENT_SECRET="$(read_json "$place/client.json" secret)"
rm "$place/client.json"
echo "::add-mask::$LAUDIO_CLIENT_SECRET"
export LAUDIO_CLIENT_ID LAUDIO_CLIENT_SECRET
LAUDIO_TOKEN="$(laudio token)"
echo "::add-mask::$LAUDIO_TOKEN"

for name in LAUDIO_SERVER LAUDIO_DATA_DIR LAUDIO_TOKEN LAUDIO_CLIENT_ID LAUDIO_CLIENT_SECRET; do
  echo "$name=${!name}" >>"$GITHUB_ENV"
done
echo "server=$LAUDIO_SERVER" >>"$GITHUB_OUTPUT"
echo "Laudio is ready at $LAUDIO_SERVER"
