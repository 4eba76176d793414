#!/bin/bash
# A day of an operator, typed on a bare Debian without a service manager: install, TLS, users, a report, a backup, a full disk, an
# upgrade, a restore elsewhere, a patient who is erased. operator-day.ts makes the machine: a root of debootstrap with processes
# and a network of its own, packages of two versions in /day, a small disk at /var/lib/laudio. Ends at the first step that fails.
set -eu -o pipefail

step() { printf '\n== %s\n' "$*"; }
fail() {
  printf 'FAILED: %s\n' "$*"
  exit 1
}
site=https://laudio.example.com
data=/var/lib/laudio/data
server() { laudio server "$@" --data-dir "${on:-$data}"; }
# As another computer of the hospital calls it.
ask() { curl --silent --show-error --cacert /etc/laudio/tls/laudio.pem --resolve laudio.example.com:443:127.0.0.1 "$@"; }
answers() { # answers COMMAND…: waits until it succeeds
  for _ in $(seq 240); do
    if "$@" >/dev/null 2>&1; then return; fi
    sleep 0.25
  done
  tail -20 /var/log/laudio.log
  fail "no success: $*"
}
# What a service manager would do with the unit: run it as its account, until it is told to stop.
start() { # start PORT HOME OPTION…
  install -d -o laudio -g laudio -m 0700 "$2" "$2/data" "$2/state"
  HOME=$2 LAUDIO_STATE_DIR=$2/state setpriv --reuid laudio --regid laudio --clear-groups laudio serve --port "$1" --data-dir "$2/data" --no-test-client "${@:3}" \
    >>/var/log/laudio.log 2>&1 &
  running=$!
  answers curl --fail "http://127.0.0.1:$1/readyz"
}
start_site() { start 8742 /var/lib/laudio --public-url $site --trust-proxy 127.0.0.1 --time-zone America/Sao_Paulo; }
stop() {
  kill -TERM "$running"
  wait "$running" || fail "it ended with $?"
}

step 'Install: the package makes the account and starts nothing'
dpkg --install /day/first.deb
getent passwd laudio
laudio --version

step 'Without a service manager the unit is written, and the command says that nothing runs yet'
laudio service install --public-url $site --trust-proxy 127.0.0.1 2>&1 | tee said
grep -q 'nothing was started' said
if laudio service status; then fail 'a service that does not run'; fi
# The caller lets systemd check it.
cp /etc/systemd/system/laudio.service /day/

step 'Start it, and TLS by nginx as in the guide'
install -d /etc/laudio/tls
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=laudio.example.com \
  -addext subjectAltName=DNS:laudio.example.com -keyout /etc/laudio/tls/laudio.key -out /etc/laudio/tls/laudio.pem 2>/dev/null
start_site
cp /day/nginx.conf /etc/nginx/conf.d/laudio.conf
nginx -t
nginx
answers ask --fail $site/readyz
ask --head $site/ | grep -i strict-transport-security

step 'People, and a system that sends exams and reports'
echo 'a long password of hers' | laudio user create helena --display-name 'Dra. Helena Prado' --licence 'CRM-SP 123456' --secret-stdin
laudio user list
laudio client create --name RIS --type server --scope worklists:write --scope worklists:read --scope medical_records:write \
  --scope medical_records:read --json >client.json
text() { sed -n "s/.*\"$1\": *\"\([^\"]*\)\".*/\1/p" | head -1; }
bearer=$(ask --fail -u "$(text id <client.json):$(text secret <client.json)" -d grant_type=client_credentials \
  $site/api/oauth/token | text access_token)
call() { ask -H "Authorization: Bearer $bearer" -H 'Content-Type: application/json' "$@"; }
send() { # send NUMBER PATIENT: one exam; prints the answer's status
  call -o answer.json -w '%{http_code}\n' -d "{
    \"accession_number\": \"$1\", \"patient_id\": \"$2\", \"patient_name\": \"TESTE^PACIENTE\", \"modality\": \"CT\",
    \"exam_datetime\": \"2026-03-02T08:30:00-03:00\", \"exam_description\": \"TC de tórax sem contraste\" }" \
    $site/api/v1/worklists/ingest
}
exams() { call --fail "$site/api/v1/worklists/items?limit=100" | grep -o '"accession_number":' | wc -l; }
[ "$(send A-1 P-1)" = 200 ] && [ "$(send A-2 P-2)" = 200 ] || fail "$(cat answer.json)"
call --fail -d '{"text": "Achados: pulmões sem alterações. Impressão: exame normal.", "mode": "sync"}' \
  $site/api/v1/medical-records/generate >record.json
[ "$(exams)" = 2 ] || fail "$(exams) exams"
server status
laudio doctor --data-dir $data

step 'A backup, and a copy that is broken'
mkdir /backups
server backup /backups/day.tar
head -c 6000 /backups/day.tar >/backups/broken.tar

step 'The disk is full: what cannot be kept is refused, what was acknowledged stays'
setpriv --reuid laudio --regid laudio --clear-groups dd if=/dev/zero of=$data/../filler bs=64k status=none || true
for number in $(seq 40); do
  status=$(send "F-$number" P-3)
  [ "$status" = 200 ] || break
done
[ "$status" != 200 ] || fail 'a full disk took everything'
cat answer.json
ask $site/readyz || true
kept=$(exams)
rm $data/../filler
answers ask --fail $site/readyz
[ "$(send G-1 P-3)" = 200 ] || fail "$(cat answer.json)"
[ "$(exams)" = $((kept + 1)) ] || fail "$(exams) exams after $kept"

step 'An upgrade, and everything is there'
laudio upgrade --check --from /day
stop
dpkg --install /day/second.deb
start_site
laudio upgrade --check
[ "$(exams)" = $((kept + 1)) ] || fail "$(exams) exams after the upgrade"

step 'A restore elsewhere: the broken copy changes nothing, the whole one brings the day back'
site_server=$running
start 8743 /srv/other
if on=/srv/other/data server restore /backups/broken.tar --yes; then fail 'a broken backup was restored'; fi
on=/srv/other/data server restore /backups/day.tar --yes
on=/srv/other/data server export items.ndjson --collection items
[ "$(grep -c accession_number items.ndjson)" = 2 ] || fail "$(cat items.ndjson)"
stop
running=$site_server

step 'A patient is found, exported, and erased; a restore erases again'
echo P-1 >request
patient=$(laudio patient find --json <request | text id)
laudio patient export "$patient" patient.tar
tar -tf patient.tar
laudio patient erase "$patient" --yes
[ -z "$(laudio patient find --json <request | text id)" ] || fail 'the patient is still there'
server restore /backups/day.tar --yes
[ -z "$(laudio patient find --json <request | text id)" ] || fail 'a restore brought the patient back'
server audit --json | grep -q erase
stop
echo 'A whole day.'
