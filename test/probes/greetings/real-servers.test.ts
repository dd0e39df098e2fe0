import { beforeAll, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { GreetingProtocol } from "../../../src/domain/monitors/kinds/tcp.ts";
import { observation } from "../../support/probes/observation.ts";
import { isMissing } from "../../support/requirements.ts";
import { createAuthority, type ServerCertificate } from "../../support/servers/certificates.ts";
import { startMariaDb, startPostgres, startRedis } from "../../support/servers/real/databases.ts";
import { startDovecot, startPostfix } from "../../support/servers/real/mail.ts";
import { startSshd, startVsftpd } from "../../support/servers/real/remote-access.ts";
import { findPrograms } from "../../support/store/postgres/programs.ts";

let own: ServerCertificate;
beforeAll(async () => {
  const authority = await createAuthority();
  own = await authority.issue([{ type: "dns", value: "localhost" }]);
});

type Tls = "none" | "direct" | "starttls";

const see = (protocol: GreetingProtocol, port: number | undefined, tls: Tls = "none") =>
  observation(
    "TCP",
    {
      host: "127.0.0.1",
      protocol,
      port: Number(port),
      tls,
      ...(tls !== "none" && { verifyTls: false }),
    } as never,
    { timeout: 10_000 },
  );

async function expectUp(protocol: GreetingProtocol, port: number | undefined, tls: Tls): Promise<void> {
  const seen = await see(protocol, port, tls);
  expect(seen).toMatchObject({
    outcome: "reached",
    ...(tls !== "none" && { certificate: { names: ["localhost"] } }),
  });
}

async function expectCertified(protocol: GreetingProtocol, port: number | undefined): Promise<void> {
  const config = { host: "127.0.0.1", port: Number(port), protocol } as never;
  expect(await observation("TLS", config, { timeout: 10_000 })).toMatchObject({
    outcome: "certified",
    certificate: { names: ["localhost"] },
  });
}

describe("behavior 20.10, 20.20, 20.23: real servers are reached", () => {
  test.skipIf(isMissing(["/usr/lib/postfix/sbin/master"], { root: true }))("Postfix", async () => {
    await using postfix = await startPostfix(own);
    const [plain, direct] = postfix.ports;
    await expectUp("smtp", plain, "none");
    await expectUp("smtp", plain, "starttls");
    await expectUp("smtp", direct, "direct");
    await expectCertified("smtp", plain);
  });

  test.skipIf(
    isMissing(["/usr/sbin/dovecot", "/usr/lib/dovecot/imap-login", "/usr/lib/dovecot/pop3-login"], {
      root: true,
    }),
  )("Dovecot", async () => {
    await using dovecot = await startDovecot(own);
    const [imap, pop3, imaps, pop3s] = dovecot.ports;
    await expectUp("imap", imap, "none");
    await expectUp("imap", imap, "starttls");
    await expectUp("imap", imaps, "direct");
    await expectCertified("imap", imap);
    await expectUp("pop3", pop3, "none");
    await expectUp("pop3", pop3, "starttls");
    await expectUp("pop3", pop3s, "direct");
    await expectCertified("pop3", pop3);
  });

  test.skipIf(isMissing(["/usr/sbin/sshd"]))("OpenSSH", async () => {
    await using sshd = await startSshd();
    await expectUp("ssh", sshd.ports[0], "none");
    expect(await see("smtp", sshd.ports[0])).toMatchObject({ reason: "unexpected" });
    expect(await see("postgres", sshd.ports[0])).toMatchObject({ reason: "unexpected" });
  });

  test.skipIf(isMissing(["/usr/sbin/vsftpd"]))("vsftpd", async () => {
    await using plain = await startVsftpd(own);
    const [port] = plain.ports;
    await expectUp("ftp", port, "none");
    await expectUp("ftp", port, "starttls");
    await expectCertified("ftp", port);
    await using direct = await startVsftpd(own, "implicit_ssl=YES");
    await expectUp("ftp", direct.ports[0], "direct");
    await using closed = await startVsftpd(own, "ssl_enable=NO");
    expect(await see("ftp", closed.ports[0], "starttls")).toMatchObject({
      reason: "unexpected",
      detail: { code: 530 },
    });
  });

  test.skipIf(isMissing(["redis-server"]))("Redis", async () => {
    await using redis = await startRedis(own);
    const [plain, direct] = redis.ports;
    await expectUp("redis", plain, "none");
    await expectUp("redis", direct, "direct");
    await using guarded = await startRedis(own, "--requirepass", "secret");
    await expectUp("redis", guarded.ports[0], "none");
  });

  test.skipIf(isMissing(["/usr/sbin/mariadbd"]))(
    "MariaDB, and one that has too many connections",
    async () => {
      await using database = await startMariaDb(own, "--max-connections=10");
      const port = Number(database.ports[0]);
      await expectUp("mysql", port, "none");
      await expectUp("mysql", port, "starttls");
      await expectCertified("mysql", port);
      // One more than the limit is for an administrator. Connections of the checks before may still end.
      const clients: Socket[] = [];
      while (clients.length < 11) {
        const client = connect(port, "127.0.0.1");
        const [first] = (await once(client, "data")) as [Buffer];
        if (first.at(4) === 0xff) client.destroy();
        else clients.push(client);
      }
      const seen = await see("mysql", port);
      for (const client of clients) client.destroy();
      expect(seen).toMatchObject({ reason: "unexpected", detail: { code: 1040 } });
    },
  );

  test.skipIf(findPrograms() === undefined)("PostgreSQL", async () => {
    await using database = await startPostgres(own);
    const [port] = database.ports;
    await expectUp("postgres", port, "none");
    await expectUp("postgres", port, "starttls");
    await expectCertified("postgres", port);
  });
});
