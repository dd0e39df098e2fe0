import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../free-port.ts";
import { createAuthority } from "../../servers/certificates.ts";
import { createCluster, runSql } from "./cluster.ts";
import { findUnprivilegedUser, run } from "./programs.ts";

/** A cluster on a TCP port, with a user whose connections need a password. */
export interface TlsCluster {
  port: number;
  user: string;
  password: string;
  /** The file of the certificate of the authority that issued the certificate of the server, for `localhost`. */
  authority: string;
  /** The file of the certificate of another authority. */
  otherAuthority: string;
  /** Restarts it with or without TLS. */
  setTls(on: boolean): Promise<void>;
  end(): void;
}

export async function createTlsCluster(): Promise<TlsCluster> {
  const port = freePort();
  const cluster = await createCluster({ listen_addresses: "'127.0.0.1'", port: String(port) });
  const file = (name: string, text: string) => {
    const path = join(cluster.dir, name);
    writeFileSync(path, text);
    return path;
  };
  const [authority, other] = [await createAuthority(), await createAuthority()];
  const { cert, key } = await authority.issue([{ type: "dns", value: "localhost" }]);
  const paths = { cert: file("server.crt", cert), key: file("server.key", key) };
  chmodSync(paths.key, 0o600);
  const owner = findUnprivilegedUser();
  if (owner) run(["chown", owner, paths.key]);
  const socket = { ...cluster.config("postgres"), port };
  await runSql(socket, "CREATE ROLE someone LOGIN SUPERUSER PASSWORD 's3cret'");
  file("data/pg_hba.conf", "local all all trust\nhost all all all scram-sha-256\n");
  const settings = join(cluster.dir, "data/postgresql.auto.conf");
  const base = await Bun.file(settings).text();

  async function setTls(on: boolean): Promise<void> {
    const tls = `ssl = on\nssl_cert_file = '${paths.cert}'\nssl_key_file = '${paths.key}'\n`;
    cluster.crash();
    await Bun.write(settings, on ? base + tls : base);
    cluster.start();
  }

  await setTls(true);
  return {
    port,
    user: "someone",
    password: "s3cret",
    authority: file("authority.crt", authority.cert),
    otherAuthority: file("other.crt", other.cert),
    setTls,
    end: cluster.end,
  };
}
