export const KEY_FILE = "/etc/stillup/stillup-probe.key";
export const UNIT_FILE = "/etc/systemd/system/stillup-probe.service";

/** The command that runs a probe. @param server the address of this server */
export function probeCommand(server: string): string {
  return `stillup probe --server ${server} --key-file probe.key`;
}

/**
 * A systemd unit that runs a probe with few rights: the one of the installer, without its user. The credential lets a user
 * that exists only while the probe runs read a key that only root can read.
 *
 * @param server the address of this server
 */
export function probeUnit(server: string): string {
  return `[Unit]
Description=stillup probe
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=0

[Service]
Type=notify
NotifyAccess=all
ExecStart=/usr/local/bin/stillup probe --server ${server} --key-file \${CREDENTIALS_DIRECTORY}/key --data-dir \${STATE_DIRECTORY}
LoadCredential=key:${KEY_FILE}
Restart=on-failure
RestartSec=2
RestartPreventExitStatus=2
WatchdogSec=60
LimitNOFILE=65536
LimitNICE=-10

DynamicUser=yes
StateDirectory=stillup-probe
StateDirectoryMode=0700
UMask=0077
NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateUsers=yes
ProtectClock=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectProc=invisible
ProcSubset=pid
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
RestrictNamespaces=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallFilter=setpriority sched_setattr
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;
}
