import { join } from "node:path";
import { freePort } from "../../free-port.ts";
import { run } from "../../store/postgres/programs.ts";
import type { ServerCertificate } from "../certificates.ts";
import { certificateFiles, type Daemon, folderOf, startDaemon, unprivileged } from "./daemon.ts";

/** OpenSSH. */
export async function startSshd(...options: string[]): Promise<Daemon> {
  const port = freePort();
  const folder = folderOf(unprivileged);
  const key = join(folder.path, "key");
  run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key]);
  if (unprivileged !== undefined) run(["chown", unprivileged, key]);
  const command = `/usr/sbin/sshd -D -e -f /dev/null -h ${key} -p ${port} -o ListenAddress=127.0.0.1 -o PidFile=none ${options.join(" ")}`;
  return startDaemon({ command, folder, ports: [port], user: unprivileged });
}

/** vsftpd. @returns with STARTTLS and with TLS from the start */
export async function startVsftpd(own: ServerCertificate): Promise<[Daemon, Daemon]> {
  const start = async (isDirect: boolean) => {
    const port = freePort();
    const folder = folderOf(unprivileged, certificateFiles(own));
    const { path } = folder;
    const options = {
      ...{ listen: "YES", listen_address: "127.0.0.1", listen_port: port, background: "NO" },
      ...{ run_as_launching_user: "YES", anonymous_enable: "YES", seccomp_sandbox: "NO" },
      ...{ ssl_enable: "YES", implicit_ssl: isDirect ? "YES" : "NO", allow_anon_ssl: "YES" },
      ...{ rsa_cert_file: `${path}/cert.pem`, rsa_private_key_file: `${path}/key.pem` },
      ...{ secure_chroot_dir: path, anon_root: path, ftp_username: unprivileged ?? "ftp" },
    };
    const lines = Object.entries(options).map(([name, value]) => `${name}=${value}\n`);
    await Bun.write(join(path, "conf"), lines.join(""));
    // It reads no other file than one of its user.
    if (unprivileged !== undefined) run(["chown", unprivileged, join(path, "conf")]);
    return startDaemon({ command: `vsftpd ${path}/conf`, folder, ports: [port], user: unprivileged });
  };
  return [await start(false), await start(true)];
}
