import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../free-port.ts";
import { run } from "../../store/postgres/programs.ts";
import type { ServerCertificate } from "../certificates.ts";
import { certificateFiles, type Daemon, folderOf, startDaemon } from "./daemon.ts";

/** Postfix, which only root may start. @returns with STARTTLS and with TLS from the start */
export async function startPostfix(own: ServerCertificate): Promise<Daemon> {
  const ports = [freePort(), freePort()];
  const [plain, direct] = ports;
  const folder = folderOf(undefined, certificateFiles(own));
  const { path } = folder;
  for (const name of ["data", "queue/pid", "queue/private", "queue/public"])
    mkdirSync(join(path, name), { recursive: true });
  run(["chown", "postfix", ...["data", "queue/private", "queue/public"].map((name) => join(path, name))]);
  const main = `
compatibility_level = 3.6
queue_directory = ${path}/queue
data_directory = ${path}/data
maillog_file = ${path}/log
maillog_file_prefixes = ${path}
smtpd_tls_cert_file = ${path}/cert.pem
smtpd_tls_key_file = ${path}/key.pem
smtpd_tls_security_level = may
myhostname = mail.test
local_recipient_maps =
inet_interfaces = 127.0.0.1
`;
  const services = [
    `127.0.0.1:${plain} inet n - n - - smtpd`,
    `127.0.0.1:${direct} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes`,
    ...[
      "cleanup unix n - n - 0 cleanup",
      "rewrite unix - - n - - trivial-rewrite",
      "anvil unix - - n - 1 anvil",
    ],
    ...["tlsmgr unix - - n 1000? 1 tlsmgr", "postlog unix-dgram n - n - 1 postlogd"],
  ];
  await Bun.write(join(path, "main.cf"), main);
  await Bun.write(join(path, "master.cf"), `${services.join("\n")}\n`);
  // `postfix start` would leave the session of the test, and check all folders before.
  return startDaemon({ command: `/usr/lib/postfix/sbin/master -d -c ${path}`, folder, ports });
}

/** Dovecot. @returns the ports of IMAP and POP3, then with TLS from the start */
export async function startDovecot(own: ServerCertificate): Promise<Daemon> {
  const ports = [freePort(), freePort(), freePort(), freePort()];
  const [imap, pop3, imaps, pop3s] = ports;
  const folder = folderOf(undefined, certificateFiles(own));
  const { path } = folder;
  mkdirSync(join(path, "run"));
  chmodSync(join(path, "run"), 0o755);
  const service = (name: string, plain: number | undefined, direct: number | undefined) => `
service ${name}-login {
  chroot =
  inet_listener ${name} {
    port = ${plain}
  }
  inet_listener ${name}s {
    port = ${direct}
    ssl = yes
  }
}`;
  const config = `
protocols = imap pop3
listen = 127.0.0.1
base_dir = ${path}/run
log_path = ${path}/log
ssl = yes
ssl_cert = <${path}/cert.pem
ssl_key = <${path}/key.pem
passdb {
  driver = static
  args = nopassword=y
}
userdb {
  driver = static
  args = uid=nobody gid=nogroup home=${path}
}
${service("imap", imap, imaps)}
${service("pop3", pop3, pop3s)}
`;
  await Bun.write(join(path, "dovecot.conf"), config);
  return startDaemon({ command: `dovecot -F -c ${path}/dovecot.conf`, folder, ports });
}
