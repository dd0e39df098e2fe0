import { join } from "node:path";
import { freePort } from "../../free-port.ts";
import { createCluster } from "../../store/postgres/cluster.ts";
import type { ServerCertificate } from "../certificates.ts";
import { certificateFiles, type Daemon, folderOf, startDaemon, unprivileged } from "./daemon.ts";

/** MariaDB, without its tables of users: nobody signs in. */
export async function startMariaDb(own: ServerCertificate, ...options: string[]): Promise<Daemon> {
  const port = freePort();
  const folder = folderOf(unprivileged, certificateFiles(own));
  const command = [
    "mariadbd --no-defaults --datadir=. --socket=socket --pid-file=pid --bind-address=127.0.0.1",
    `--port=${port} --ssl-cert=cert.pem --ssl-key=key.pem --skip-grant-tables --skip-innodb`,
    "--default-storage-engine=MyISAM --skip-log-bin",
    ...options,
  ].join(" ");
  return startDaemon({ command, folder, ports: [port], user: unprivileged });
}

/** @returns without and with TLS */
export async function startRedis(own: ServerCertificate, ...options: string[]): Promise<Daemon> {
  const ports = [freePort(), freePort()];
  const [plain, direct] = ports;
  const folder = folderOf(unprivileged, certificateFiles(own));
  const command = [
    `redis-server --port ${plain} --tls-port ${direct} --bind 127.0.0.1 --save '' --tls-auth-clients no`,
    "--tls-cert-file cert.pem --tls-key-file key.pem --tls-ca-cert-file cert.pem",
    ...options,
  ].join(" ");
  return startDaemon({ command, folder, ports, user: unprivileged });
}

export async function startPostgres(own: ServerCertificate): Promise<Daemon> {
  const port = freePort();
  const files = folderOf(unprivileged, certificateFiles(own));
  const cluster = await createCluster({
    listen_addresses: "'127.0.0.1'",
    port: `${port}`,
    ssl: "on",
    ssl_cert_file: `'${join(files.path, "cert.pem")}'`,
    ssl_key_file: `'${join(files.path, "key.pem")}'`,
  });
  return {
    ports: [port],
    async [Symbol.asyncDispose]() {
      cluster.end();
      files[Symbol.dispose]();
    },
  };
}
