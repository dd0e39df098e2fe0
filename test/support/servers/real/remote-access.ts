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

/** vsftpd, with STARTTLS. @param changes lines of its configuration that win over others */
export async function startVsftpd(own: ServerCertificate, ...changes: string[]): Promise<Daemon> {
  const port = freePort();
  const folder = folderOf(unprivileged, certificateFiles(own));
  const { path } = folder;
  const config = `
listen=YES
listen_address=127.0.0.1
listen_port=${port}
background=NO
run_as_launching_user=YES
seccomp_sandbox=NO
anonymous_enable=YES
secure_chroot_dir=${path}
ssl_enable=YES
allow_anon_ssl=YES
rsa_cert_file=${path}/cert.pem
rsa_private_key_file=${path}/key.pem
${changes.join("\n")}
`;
  await Bun.write(join(path, "conf"), config);
  // It reads no other file than one of its user.
  if (unprivileged !== undefined) run(["chown", unprivileged, join(path, "conf")]);
  return startDaemon({ command: `vsftpd ${path}/conf`, folder, ports: [port], user: unprivileged });
}
