# The helpers of YunoHost (version 2.1) that the scripts of deploy/yunohost call, without a YunoHost. The archive of a release is
# /root/archive.tar.gz, and YNH_APP_BASEDIR has the files of the app.
set -eu

ynh_script_progression() { echo "$@"; }
ynh_print_info() { echo "$@"; }
ynh_hide_warnings() { "$@" 2>/dev/null; }
ynh_safe_rm() { rm -rf "$1"; }
ynh_exec_as_app() { runuser -u "$app" -- "$@"; }
yunohost() { echo "yunohost $*"; }

# Sets variables of the caller from options like --key=value.
options() {
  local option
  for option in "$@"; do
    option=${option#--}
    printf -v "${option%%=*}" %s "${option#*=}"
  done
}

ynh_setup_source() {
  local dest_dir full_replace keep
  options "$@"
  find "$dest_dir" -mindepth 1 -delete
  tar -xzf /root/archive.tar.gz -C "$dest_dir" --strip-components=1
}

# __NAME__ becomes the variable of the same name in small letters.
ynh_config_add() {
  local template destination text name variable
  options "$@"
  text=$(cat "$YNH_APP_BASEDIR/conf/$template")
  for name in $(grep -o '__[A-Z_]*__' <<<"$text" | sort -u); do
    variable=${name//__/}
    variable=${variable,,}
    text=${text//$name/${!variable}}
  done
  mkdir -p "$(dirname "$destination")"
  printf '%s\n' "$text" >"$destination"
}

ynh_config_add_systemd() {
  ynh_config_add --template=systemd.service --destination="/etc/systemd/system/$app.service"
  systemctl daemon-reload
  systemctl enable --quiet "$app"
}

ynh_config_remove_systemd() {
  systemctl disable --quiet --now "$app"
  rm "/etc/systemd/system/$app.service"
  systemctl daemon-reload
}

ynh_config_add_nginx() { ynh_config_add --template=nginx.conf --destination="/etc/nginx/conf.d/$domain.d/$app.conf"; }
ynh_config_remove_nginx() { rm "/etc/nginx/conf.d/$domain.d/$app.conf"; }

ynh_config_change_url_nginx() {
  mkdir -p "/etc/nginx/conf.d/$new_domain.d"
  mv "/etc/nginx/conf.d/$domain.d/$app.conf" "/etc/nginx/conf.d/$new_domain.d/$app.conf"
}

ynh_systemctl() {
  local service action log_path timeout
  options "$@"
  case $service in nginx) return ;; esac
  systemctl daemon-reload
  timeout "${timeout:-60}" systemctl "$action" "$service"
}

ynh_backup() { cp --archive --parents "$1" .; }
ynh_restore() {
  rm -rf "$1"
  mkdir -p "$(dirname "$1")"
  cp --archive "./$1" "$1"
}
