#!/bin/sh
# Installs, upgrades or uninstalls stillup from a release. It asks no questions and prints each step.
set -eu
# Installed files are readable by all users, whatever the umask of root is. Files with secrets get their own mode.
umask 022

# The public key of minisign with which releases are signed. It is empty while stillup has no such key: then the signature is
# verified only with --public-key.
public_key=''

usage() {
  cat <<'USAGE'
usage: install.sh [FILE | URL]     install the server, or upgrade what is installed
       install.sh --probe --server URL --key-file FILE [FILE | URL]
                                   install the probe of another location, or give it another server or key
       install.sh --uninstall      remove the program; its data and settings are kept
       install.sh --purge          remove the program, its data, its settings and its users

  FILE             a release archive, stillup-VERSION-TARGET.tar.gz; default: the files of the unpacked archive
  URL              an https URL with the files of a release: downloads the archive for this machine and verifies it with
                   SHA256SUMS
  --public-key KEY a public key of minisign, which must have signed the SHA256SUMS of the URL
  --server URL     the server of the probe
  --key-file FILE  a file with the key of the location; - reads it from standard input
  --root DIR       install into the system below DIR, for example to build an image; nothing is started there

With --probe, --uninstall and --purge remove only the probe.
USAGE
}

main() {
  root='' source='' action=install wanted=stillup server='' key_file='' requires_signature=no
  while [ $# -gt 0 ]; do
    case $1 in
      --root) [ $# -gt 1 ] || misuse "--root requires a directory"; root=${2%/}; shift ;;
      --probe) wanted=stillup-probe ;;
      --server) [ $# -gt 1 ] || misuse "--server requires a URL"; server=${2%/}; shift ;;
      --key-file) [ $# -gt 1 ] || misuse "--key-file requires a file"; key_file=$2; shift ;;
      --public-key)
        [ $# -gt 1 ] || misuse "--public-key requires a key"
        public_key=$2 requires_signature=yes
        shift
        ;;
      --uninstall) [ "$action" = purge ] || action=uninstall ;;
      --purge) action=purge ;;
      --help | -h) usage; exit 0 ;;
      -*) misuse "unknown option $1" ;;
      *) [ -z "$source" ] || misuse "one archive at a time, got $source and $1"; source=$1 ;;
    esac
    shift
  done
  [ -z "$root" ] || [ -d "$root" ] || fail "--root $root is not a directory"
  case $requires_signature,$source in
    yes,http*://*) ;;
    yes,*) misuse "--public-key requires a URL: verify a file with minisign -V" ;;
  esac
  [ "$(id -u)" = 0 ] || fail "this must be run by root, for example with sudo"

  binary=$root/usr/local/bin/stillup
  units=$root/usr/local/lib/systemd/system
  users=$root/usr/local/lib/sysusers.d
  settings=$root/etc/stillup
  data=$root/var/lib/stillup
  probe_key=$settings/stillup-probe.key
  "$action"
}

install() {
  read_probe_arguments
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  find_files
  new=$("$files/stillup" version) ||
    fail "this archive is not for this machine, $(target); on musl, the C++ library is required: apk add libstdc++"

  find_installed
  # An upgrade of a machine that has only a probe adds no server.
  if [ "$services" = stillup-probe ]; then wanted=stillup-probe; fi
  # A program without a service was installed by hand.
  if [ -e "$binary" ] && [ "$services$wanted" = stillup ]; then services=stillup; fi

  if includes "$wanted"; then
    upgrade
  else
    # The server and the probe of a machine share the program.
    if [ -n "$services" ] && ! cmp -s "$files/stillup" "$binary"; then upgrade; fi
    say "Installing stillup $new"
    put 0755 stillup "$binary"
    add_service "$wanted"
  fi
}

# $1: a service that is not installed yet
add_service() {
  put_files_of "$1"
  if ! has_systemd; then
    explain_without_systemd "$1"
  elif [ -n "$root" ]; then
    do_it systemctl --root="$root" enable --quiet "$1.service"
  else
    do_it systemctl daemon-reload
    do_it systemctl enable --quiet --now "$1.service" || fail "it did not start: see journalctl -u $1"
    introduce "$1"
  fi
}

introduce() {
  if [ "$1" = stillup-probe ]; then
    await_connection
  else
    say "It is running. Its address is in the output of: journalctl -u stillup"
    say "The first API key is in $data/initial-owner-key"
  fi
}

# Waits up to ten seconds until the server accepts the probe, or refuses it.
await_connection() {
  tries=1
  until probe_log | grep -q -e 'is connected to' -e 'does not accept the key' -e 'do not understand each other'; do
    [ "$tries" -lt 10 ] || break
    tries=$((tries + 1))
    sleep 1
  done
  if probe_log | grep 'is connected to'; then return; fi
  probe_log >&2
  fail "the probe is installed and tries again and again, but it is not connected yet: see journalctl -u stillup-probe"
}

# The log of the probe since its latest start.
probe_log() {
  start=$(systemctl show --property=InvocationID --value stillup-probe.service)
  journalctl --quiet --no-pager --output=cat "_SYSTEMD_INVOCATION_ID=$start" || true
}

upgrade() {
  old=$("$binary" version) || old=unknown
  say "Upgrading stillup $old to $new"
  note_health
  back_up
  do_it cp -p "$binary" "$binary.old"
  for service in $services; do keep_unit "$units/$service.service"; done
  put 0755 stillup "$binary"
  for service in $services; do put_files_of "$service"; done
  if [ -z "$root" ] && is_systemd_running; then do_it systemctl daemon-reload; fi
  running=''
  for service in $services; do if is_running "$service"; then running="$running $service"; fi; done
  for service in $running; do
    do_it systemctl restart "$service.service" || roll_back "did not start" "$service"
    if [ "$service" != stillup ] || is_healthy; then continue; fi
    if [ "$was_healthy" = yes ] || ! responds; then roll_back "started, but is unhealthy" stillup; fi
    say "stillup $new is running, but unhealthy, as stillup $old was before: see journalctl -u stillup"
  done
  do_it rm -f "$binary.old"
  for service in $services; do do_it rm -f "$units/$service.service.old"; done
  if [ -z "$running" ]; then
    say "stillup was not running and is not restarted: the new version runs from its next start."
    return
  fi
  say "stillup $new is running."
  # Only then is it clear that the server and the key belong together.
  case $running in *stillup-probe*) [ -z "$server$key" ] || await_connection ;; esac
}

# A version that replaces one that is unhealthy is not to blame for it, and may be the remedy.
note_health() {
  was_healthy=yes
  if [ -n "$root" ] || ! includes stillup || ! is_running stillup; then return; fi
  ask_health || was_healthy=no
}

keep_unit() {
  if [ -e "$1" ]; then do_it cp -p "$1" "$1.old"; else rm -f "$1.old"; fi
}

# Checks the health at the address that the service reports, until it is healthy or ten seconds have passed, or half a
# minute if it does not respond.
is_healthy() {
  tries=1
  until ask_health; do
    [ "$tries" -lt 6 ] || return 1
    tries=$((tries + 1))
    sleep 2
  done
}

ask_health() {
  address=$(systemctl show --property=StatusText --value stillup.service)
  do_it "$binary" health --insecure --url "${address#Listening on }"
}

responds() {
  if ask_health 2>&1 | grep -q "can't be reached: "; then return 1; fi
}

# The previous version creates the backup, before the new version opens the database.
back_up() {
  backup=''
  includes stillup || return 0
  [ -e "$data/stillup.db" ] || return 0
  [ -z "$root" ] || return 0
  until
    backup=$data/before-upgrade-$(date -u +%Y%m%dT%H%M%SZ).db
    [ ! -e "$backup" ] # another upgrade in the same second has created it
  do
    sleep 1
  done
  on_data backup "$backup" || fail "without a backup nothing is changed"
}

# $1: the failure of the new version  $2: the service that failed
roll_back() {
  say "stillup $new $1. The reason, from journalctl -u $2:"
  journalctl --quiet --no-pager --lines=10 --output=cat -u "$2.service" >&2 || true
  for service in $running; do do_it systemctl stop "$service.service" || true; done
  do_it mv "$binary.old" "$binary"
  # The old unit may be elsewhere, for example in /etc/systemd/system.
  for service in $services; do
    unit=$units/$service.service
    if [ -e "$unit.old" ]; then do_it mv "$unit.old" "$unit"; else do_it rm -f "$unit"; fi
  done
  do_it systemctl daemon-reload
  for service in $running; do
    do_it systemctl start "$service.service" || start_from_backup "$1" "$service"
  done
  fail "stillup $new $1; stillup $old is running again"
}

# For a previous version that does not start. $1: the failure of the new version  $2: the service
start_from_backup() {
  neither="stillup $new $1, and stillup $old does not start either: see journalctl -u $2"
  if [ -z "$backup" ] || [ "$2" != stillup ]; then fail "$neither"; fi
  say "stillup $old can't read the database of stillup $new."
  do_it systemctl stop stillup.service || true
  on_data restore "$backup" || fail "$neither; the backup of the database is $backup"
  do_it systemctl start stillup.service || fail "$neither"
}

# Runs a command of stillup on the data, as the owner of the data: root would follow links that the owner has created.
on_data() {
  owner=$(stat -c %U "$data")
  if command -v runuser >/dev/null; then
    do_it runuser -u "$owner" -- "$binary" "$@" --data-dir "$data"
  else
    do_it su -s /bin/sh -c "exec $binary $* --data-dir $data" "$owner"
  fi
}

# --- Installed files ---

# $1: the service
put_files_of() {
  if [ -e "$settings/$1.env" ]; then
    say "Keeping $settings/$1.env unchanged; the settings of this version are in $1.env.new beside it"
    put 0600 "$1.env" "$settings/$1.env.new"
  else
    put 0600 "$1.env" "$settings/$1.env"
  fi
  if has_systemd; then
    put 0644 "$1.sysusers" "$users/$1.conf"
    put 0644 "$1.service" "$units/$1.service"
    if command -v systemd-sysusers >/dev/null; then do_it systemd-sysusers --root="${root:-/}" "$1.conf"; fi
    # An archive of an earlier version has no such file.
    if [ -e "$files/allow-ping" ]; then sh "$files/allow-ping" "$root" || say "stillup may not ping: see docs/monitors.md"; fi
  fi
  if [ "$1" = stillup-probe ]; then configure_probe; fi
}

# Copies beside the target first, so that the target is never a partial file.
put() {
  say "Writing $3"
  mkdir -p "$(dirname "$3")"
  cp "$files/$2" "$3.partial"
  chown 0:0 "$3.partial"
  chmod "$1" "$3.partial"
  mv -f "$3.partial" "$3"
}

# --- The probe ---

# Reads the key first, because it may come from standard input.
read_probe_arguments() {
  key=''
  if [ "$wanted" != stillup-probe ]; then
    [ -z "$server$key_file" ] || misuse "--server and --key-file require --probe"
    return 0
  fi
  case $server in
    '') [ -e "$settings/stillup-probe.env" ] || misuse "--probe requires --server URL" ;;
    *[!]A-Za-z0-9.:/_~%[-]*) misuse "--server must be a URL without a user and a query, got $server" ;;
    http://?* | https://?*) ;;
    *) misuse "--server must begin with https:// or http://, got $server" ;;
  esac
  if [ -n "$key_file" ]; then
    [ "$key_file" = - ] || [ -r "$key_file" ] || fail "$key_file can't be read"
    key=$(first_line_of "$key_file" | tr -d '[:space:]')
    printf '%s\n' "$key" | grep -qx 'stillup_probe_[0-9A-Za-z]\{43\}' ||
      fail "the first line of --key-file must be the key of a location, which begins with stillup_probe_"
  else
    [ -e "$probe_key" ] || misuse "--probe requires --key-file FILE"
  fi
}

# Standard input may be a socket, which can't be opened as a file.
first_line_of() { if [ "$1" = - ]; then head -n 1; else head -n 1 "$1"; fi; }

configure_probe() {
  if [ -n "$server" ]; then
    file=$settings/stillup-probe.env
    say "Setting STILLUP_SERVER in $file"
    # grep fails if no line is left.
    rm -f "$file.partial"
    (umask 077 && { grep -v '^STILLUP_SERVER=' "$file" || true; echo "STILLUP_SERVER=$server"; } >"$file.partial")
    mv -f "$file.partial" "$file"
  fi
  [ -n "$key" ] || return 0
  say "Writing $probe_key"
  rm -f "$probe_key.partial"
  (umask 077 && printf '%s\n' "$key" >"$probe_key.partial")
  group=$(sed -n 's/^stillup-probe:[^:]*:\([0-9]*\):.*/\1/p' "$root/etc/group" 2>/dev/null || true)
  chown "0:${group:-0}" "$probe_key.partial"
  chmod 0640 "$probe_key.partial"
  mv -f "$probe_key.partial" "$probe_key"
}

# --- Removal ---

uninstall() {
  say "Removing $(removed_services); the data below $root/var/lib and the settings in $settings are kept"
  remove_program
}

purge() {
  say "Removing $(removed_services) with all data and settings"
  remove_program
  for service in $(removed_services); do
    do_it rm -rf "$root/var/lib/$service" "$settings/$service.env" "$settings/$service.env.new"
    if [ -z "$root" ] && id "$service" >/dev/null 2>&1; then do_it userdel "$service"; fi
  done
  do_it rm -f "$probe_key"
  if [ "$wanted" = stillup ]; then do_it rm -rf "$settings"; fi
  rmdir "$settings" 2>/dev/null || true # with the last service
}

remove_program() {
  for service in $(removed_services); do
    if [ -z "$root" ] && is_systemd_running && systemctl cat "$service.service" >/dev/null 2>&1; then
      do_it systemctl disable --quiet --now "$service.service"
    else
      do_it rm -f "$root/etc/systemd/system/multi-user.target.wants/$service.service"
    fi
    do_it rm -f "$units/$service.service" "$users/$service.conf"
  done
  if [ "$wanted" = stillup ] || ! is_installed stillup; then
    do_it rm -f "$binary" "$root/etc/sysctl.d/10-stillup.conf" "$root/etc/sysctl.d/90-stillup.conf"
  fi
  if [ -z "$root" ] && is_systemd_running; then do_it systemctl daemon-reload; fi
}

removed_services() { if [ "$wanted" = stillup ]; then echo stillup stillup-probe; else echo stillup-probe; fi; }

# --- Files of the release ---

# Sets `files` to a folder with the files of one release.
find_files() {
  case $source in
    '')
      files=$(cd "$(dirname "$0")" && pwd)
      [ -e "$files/stillup" ] || misuse "give a release archive or its URL: $files is not an unpacked archive"
      return
      ;;
    https://*) download "${source%/}" ;;
    http://*)
      is_this_machine "$source" || fail "$source must begin with https://: plain HTTP does not prove the origin of a file"
      download "${source%/}"
      ;;
    *) archive=$source ;;
  esac
  [ -f "$archive" ] || fail "$archive does not exist"
  mkdir "$work/unpacked"
  tar -xzf "$archive" -C "$work/unpacked" || fail "$archive is not a release archive"
  files=$(echo "$work"/unpacked/*)
  [ -x "$files/stillup" ] || fail "$archive is not a release archive of stillup"
}

download() {
  fetch "$1" SHA256SUMS
  verify_signature "$1"
  grep "^[0-9a-f]\{64\}  stillup-[^/]*-$(target)\.tar\.gz\$" "$work/SHA256SUMS" >"$work/wanted" ||
    fail "$1/SHA256SUMS has no archive for this machine, $(target)"
  count=$(wc -l <"$work/wanted")
  [ "$count" -eq 1 ] || fail "$1/SHA256SUMS must have one archive for this machine, $(target), got $count: give the archive"
  name=$(cut -c 67- "$work/wanted")
  fetch "$1" "$name"
  archive=$work/$name
  (cd "$work" && sha256sum -c wanted >/dev/null 2>&1) ||
    fail "$1/$name does not match SHA256SUMS: it is damaged or not authentic"
}

# $1: the URL of the release
verify_signature() {
  if [ -z "$public_key" ]; then
    say "SHA256SUMS has no verified signature: only its URL proves its origin"
  elif command -v minisign >/dev/null; then
    fetch "$1" SHA256SUMS.minisig
    signed=$(minisign -V -Q -P "$public_key" -m "$work/SHA256SUMS" 2>/dev/null) ||
      fail "the signature of $1/SHA256SUMS is not that of the public key $public_key: it is not authentic"
    say "The signature of SHA256SUMS is valid: $signed"
  elif [ "$requires_signature" = yes ]; then
    fail "--public-key requires minisign"
  else
    say "The signature of SHA256SUMS is not verified, because minisign is missing: only its URL proves its origin"
  fi
}

# Redirects must use https. wget has no option for that, so it follows no redirect.
fetch() {
  say "Downloading $1/$2"
  if command -v curl >/dev/null; then
    curl -fsSL --proto-redir '=https' -o "$work/$2" "$1/$2" || fail "$1/$2 can't be downloaded"
  elif command -v wget >/dev/null; then
    wget -q --max-redirect=0 -O "$work/$2" "$1/$2" ||
      fail "$1/$2 can't be downloaded; a redirect requires curl"
  else
    fail "curl or wget is required to download; or give an archive on this machine"
  fi
}

# A plain HTTP URL is accepted only for the local machine.
is_this_machine() {
  authority=${1#http://}
  case ${authority%%/*} in
    *@*) return 1 ;; # a user name can look like an address
    127.0.0.1 | 127.0.0.1:* | localhost | localhost:*) return 0 ;;
    *) return 1 ;;
  esac
}

# The target of the archive for this machine.
target() {
  case $(uname -m) in
    x86_64) cpu=x64 ;;
    aarch64) cpu=arm64 ;;
    *) fail "there is no stillup for $(uname -m), only for x86_64 and aarch64" ;;
  esac
  for loader in "$root"/lib/ld-musl-*.so.1; do
    if [ -e "$loader" ] && [ ! -e "$root/bin/dpkg" ]; then cpu=$cpu-musl; fi
  done
  case $cpu in
    x64) grep -q ' avx2 ' /proc/cpuinfo || cpu=x64-baseline ;;
  esac
  echo "linux-$cpu"
}

# --- The system ---

# Sets `services` to the installed ones.
find_installed() {
  services=''
  for service in stillup stillup-probe; do
    if is_installed "$service"; then services="$services${services:+ }$service"; fi
  done
}

# The unit may be elsewhere, for example in /etc/systemd/system.
is_installed() {
  [ -e "$binary" ] || return 1
  if has_systemd; then
    [ -e "$units/$1.service" ] || { [ -z "$root" ] && systemctl cat "$1.service" >/dev/null 2>&1; }
  else
    [ -e "$settings/$1.env" ]
  fi
}

# Whether a service belongs to this upgrade.
includes() { case " $services " in *" $1 "*) ;; *) return 1 ;; esac; }

has_systemd() {
  if [ -n "$root" ]; then
    [ -x "$root/usr/lib/systemd/systemd" ] || [ -x "$root/lib/systemd/systemd" ]
  else
    is_systemd_running
  fi
}

is_systemd_running() { [ -d /run/systemd/system ]; }

is_running() { [ -z "$root" ] && is_systemd_running && systemctl is-active --quiet "$1.service"; }

# $1: the service
explain_without_systemd() {
  if [ "$1" = stillup-probe ]; then
    cat <<EXPLANATION
This system has no systemd. To run the probe as its own user, run as root (the first two lines only once):
  useradd --system --create-home --home-dir $root/var/lib/stillup-probe stillup-probe
  chgrp stillup-probe $probe_key
  set -a; . $settings/stillup-probe.env; set +a
  su -s /bin/sh -c 'exec $binary probe --data-dir $root/var/lib/stillup-probe --key-file $probe_key' stillup-probe
To let it ping, set net.ipv4.ping_group_range so that it has the group of this user.
EXPLANATION
  else
    cat <<EXPLANATION
This system has no systemd. To run stillup as its own user, run as root (the first line only once):
  useradd --system --create-home --home-dir $data stillup
  set -a; . $settings/stillup.env; set +a
  su -s /bin/sh -c 'exec $binary serve --data-dir $data' stillup
To let it ping, set net.ipv4.ping_group_range so that it has the group of this user.
EXPLANATION
  fi
}

# --- Output ---

say() { printf '%s\n' "$*"; }

do_it() {
  say "Running: $*"
  "$@"
}

fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

misuse() {
  printf 'install.sh: %s\n' "$*" >&2
  usage >&2
  exit 2
}

main "$@"
