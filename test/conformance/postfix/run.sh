#!/bin/sh
# Runs a Postfix of its own until standard input ends: run.sh <folder with main.cf and master.cf> <master>. It takes
# root, because the programs of Postfix run as other users. It runs beside a Postfix of the machine, because its folders
# and its port are its own.
set -eu
dir=$1
chmod 755 "$dir"
cd "$dir"
mkdir data queue queue/active queue/bounce queue/corrupt queue/defer queue/deferred queue/flush queue/hold queue/incoming \
  queue/maildrop queue/pid queue/private queue/public queue/saved queue/trace
owner=$(sed -n 's/^mail_owner = //p' main.cf)
chown "$owner" data queue/*
chown root queue/pid
: >log
chmod 644 log
export MAIL_CONFIG="$dir" LD_LIBRARY_PATH="$(dirname "$2")/.."
"$2" -d -c "$dir" &
master=$!
cat >/dev/null || true
kill $master
wait $master || true
rm -rf "$dir"
