#!/bin/bash

# The first start of a new version may copy and migrate a large database: as long as the unit allows it.
start_timeout=900

# Installs the program of the release, and what an installation and an upgrade write in the same way.
set_up() {
  ynh_setup_source --dest_dir="$install_dir" --full_replace
  chmod 755 "$install_dir/stillup"
  write_settings
  ynh_config_add_systemd
  ynh_config_add_nginx
}

# The file contains the password of a mail account.
write_settings() {
  ynh_config_add --template="stillup.env" --destination="$install_dir/stillup.env"
  chmod 400 "$install_dir/stillup.env"
  chown root:root "$install_dir/stillup.env"
}

start() {
  ynh_systemctl --service="$app" --action="start" --log_path=systemd --timeout="$start_timeout"
}
