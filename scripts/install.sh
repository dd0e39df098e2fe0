#!/bin/sh
# Installs, upgrades or uninstalls stillup from a release. It asks no questions and prints each step.
set -eu
# Installed files are readable by all users, whatever the umask of root is. Files with secrets get their own mode.
umask 022

usage() {
  cat <<'USAGE'
usage: install.sh [FILE | URL]     install, or upgrade an installation
       install.sh --uninstall      remove the program; its data and settings are kept
       install.sh --purge          remove the program, its data, its settings and its user

  FILE         a release archive, stillup-VERSION-TARGET.tar.gz; default: the files of the unpacked archive
  URL          an https URL with the files of a release: downloads the archive for this machine and verifies it with
               SHA256SUMS
  --root DIR   install into the system below DIR, for example to build an image; nothing is started there
USAGE
}

main() {
  root='' source='' action=install
  while [ $# -gt 0 ]; do
    case $1 in
      --root) [ $# -gt 1 ] || misuse "--root requires a directory"; root=${2%/}; shift ;;
      --uninstall) [ "$action" = purge ] || action=uninstall ;;
      --purge) action=purge ;;
      --help | -h) usage; exit 0 ;;
      -*) misuse "unknown option $1" ;;
      *) [ -z "$source" ] || misuse "one archive at a time, got $source and $1"; source=$1 ;;
    esac
    shift
  done
  [ -z "$root" ] || [ -d "$root" ] || fail "--root $root is not a directory"
  [ "$(id -u)" = 0 ] || fail "this must be run by root, for example with sudo"

  binary=$root/usr/local/bin/stillup
  unit=$root/usr/local/lib/systemd/system/stillup.service
  user_file=$root/usr/local/lib/sysusers.d/stillup.conf
  settings=$root/etc/stillup
  data=$root/var/lib/stillup
  "$action"
}

install() {
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  find_files
  new=$("$files/stillup" version) ||
    fail "this archive is not for this machine, $(target); on musl, the C++ library is required: apk add libstdc++"

  if [ -e "$binary" ]; then upgrade; else first_install; fi
}

first_install() {
  say "Installing stillup $new"
  put 0755 stillup "$binary"
  put_other_files
  if ! has_systemd; then
    explain_without_systemd
  elif [ -n "$root" ]; then
    do_it systemctl --root="$root" enable --quiet stillup.service
  else
    do_it systemctl daemon-reload
    do_it systemctl enable --quiet --now stillup.service || fail "it did not start: see journalctl -u stillup"
    say "It is running. Its address is in the output of: journalctl -u stillup"
    say "The first API key is in $data/initial-owner-key"
  fi
}

upgrade() {
  old=$("$binary" version) || old=unknown
  say "Upgrading stillup $old to $new"
  back_up
  do_it cp -p "$binary" "$binary.old"
  if [ -e "$unit" ]; then do_it cp -p "$unit" "$unit.old"; else rm -f "$unit.old"; fi
  put 0755 stillup "$binary"
  put_other_files
  if [ -z "$root" ] && is_systemd_running; then do_it systemctl daemon-reload; fi
  if ! is_running; then
    do_it rm -f "$binary.old" "$unit.old"
    say "stillup was not running and is not restarted: the new version runs from its next start."
    return
  fi
  do_it systemctl restart stillup.service || roll_back "did not start"
  is_healthy || roll_back "started, but is unhealthy"
  do_it rm -f "$binary.old" "$unit.old"
  say "stillup $new is running."
}

# Checks the health at the address that the service reports, until it is healthy or ten seconds have passed, or half a
# minute if it does not respond.
is_healthy() {
  address=$(systemctl show --property=StatusText --value stillup.service)
  tries=1
  until do_it "$binary" health --insecure --url "${address#Listening on }"; do
    [ "$tries" -lt 6 ] || return 1
    tries=$((tries + 1))
    sleep 2
  done
}

# The previous version creates the backup, before the new version opens the database.
back_up() {
  backup=''
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

# $1: the failure of the new version
roll_back() {
  say "stillup $new $1. The reason, from journalctl -u stillup:"
  journalctl --quiet --no-pager --lines=10 --output=cat -u stillup.service >&2 || true
  do_it systemctl stop stillup.service || true
  do_it mv "$binary.old" "$binary"
  # The old unit may be elsewhere, for example in /etc/systemd/system.
  if [ -e "$unit.old" ]; then do_it mv "$unit.old" "$unit"; else do_it rm -f "$unit"; fi
  do_it systemctl daemon-reload
  do_it systemctl start stillup.service || start_from_backup "$1"
  fail "stillup $new $1; stillup $old is running again"
}

# For a previous version that does not start. $1: the failure of the new version
start_from_backup() {
  neither="stillup $new $1, and stillup $old does not start either: see journalctl -u stillup"
  [ -n "$backup" ] || fail "$neither"
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

put_other_files() {
  if [ -e "$settings/stillup.env" ]; then
    say "Keeping $settings/stillup.env unchanged; the settings of this version are in stillup.env.new beside it"
    put 0600 stillup.env "$settings/stillup.env.new"
  else
    put 0600 stillup.env "$settings/stillup.env"
  fi
  if has_systemd; then
    put 0644 stillup.sysusers "$user_file"
    put 0644 stillup.service "$unit"
    if command -v systemd-sysusers >/dev/null; then do_it systemd-sysusers --root="${root:-/}" stillup.conf; fi
  fi
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

uninstall() {
  say "Removing stillup; its data in $data and its settings in $settings are kept"
  remove_program
}

purge() {
  say "Removing stillup with its data and its settings"
  remove_program
  do_it rm -rf "$data" "$settings"
  if [ -z "$root" ] && id stillup >/dev/null 2>&1; then do_it userdel stillup; fi
}

remove_program() {
  if [ -z "$root" ] && is_systemd_running && systemctl cat stillup.service >/dev/null 2>&1; then
    do_it systemctl disable --quiet --now stillup.service
  else
    do_it rm -f "$root/etc/systemd/system/multi-user.target.wants/stillup.service"
  fi
  do_it rm -f "$binary" "$unit" "$user_file"
  if [ -z "$root" ] && is_systemd_running; then do_it systemctl daemon-reload; fi
}

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

has_systemd() {
  if [ -n "$root" ]; then
    [ -x "$root/usr/lib/systemd/systemd" ] || [ -x "$root/lib/systemd/systemd" ]
  else
    is_systemd_running
  fi
}

is_systemd_running() { [ -d /run/systemd/system ]; }

is_running() { [ -z "$root" ] && is_systemd_running && systemctl is-active --quiet stillup.service; }

explain_without_systemd() {
  cat <<EXPLANATION
This system has no systemd. To run stillup as its own user, run as root (the first line only once):
  useradd --system --create-home --home-dir $data stillup
  set -a; . $settings/stillup.env; set +a
  su -s /bin/sh -c 'exec $binary serve --data-dir $data' stillup
EXPLANATION
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
