import { beforeAll, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { join } from "node:path";
import type { HttpConfig } from "../../../src/domain/monitors/kinds/http.ts";
import { Background } from "../../support/documentation/shell.ts";
import { eventually } from "../../support/eventually.ts";
import { freePort } from "../../support/free-port.ts";
import { observation } from "../../support/probes/observation.ts";
import { isMissing } from "../../support/requirements.ts";
import {
  type Authority,
  createAuthority,
  type ServerCertificate,
} from "../../support/servers/certificates.ts";
import { answer, startHttpServer } from "../../support/servers/http-answers.ts";
import { unprivileged } from "../../support/servers/real/daemon.ts";
import { startSshd } from "../../support/servers/real/remote-access.ts";
import { startNginx } from "../../support/servers/real/web-server.ts";
import { closedPort } from "../../support/servers/tcp-server.ts";
import { tempDir } from "../../support/temp-dir.ts";

let authority: Authority;
let own: ServerCertificate;
beforeAll(async () => {
  authority = await createAuthority();
  own = await authority.issue([{ type: "dns", value: "localhost" }]);
});

const see = (url: string, config: Partial<HttpConfig>) =>
  observation("HTTP", { url, verifyTls: false, ...config }, { timeout: 10_000 });

const withoutNginx = isMissing(["/usr/sbin/nginx"]);

const demanding =
  (protocol: string) =>
  ({ secure, plain }: { secure: number; plain: number }) =>
    `
server {
  ssl_protocols ${protocol};
  listen 127.0.0.1:${secure} ssl;
  ssl_certificate cert.pem; ssl_certificate_key key.pem;
  ssl_client_certificate client-ca.pem; ssl_verify_client on;
  location / { return 200 "$ssl_client_verify $ssl_client_s_dn"; }
}
server {
  listen 127.0.0.1:${plain};
  location / { proxy_pass $scheme://$http_host$request_uri; }
}`;

test.skipIf(withoutNginx).each(["TLSv1.2", "TLSv1.3"])(
  "behavior 26.10, 26.14: over %s, nginx takes a client certificate, and a message says that one has expired",
  async (protocol) => {
    await using nginx = await startNginx(own, authority.cert, demanding(protocol));
    const url = `https://127.0.0.1:${nginx.ports[0]}/`;
    const shown = async (how: { left?: number; old?: number } = {}) => {
      const { cert, key } = await authority.issue([], { subject: [{ CN: ["stillup"] }], ...how });
      return { clientCertificate: { certificate: cert, key } };
    };
    const expected = { expect: { contains: ["SUCCESS CN=stillup"] } };
    expect(await see(url, { ...(await shown()), ...expected })).toMatchObject({ outcome: "reached" });
    expect(await see(url, { ...(await shown({ left: -1, old: 30 })), ...expected })).toMatchObject({
      outcome: "failed",
      reason: "unexpected",
      detail: {
        statusCode: 400,
        message: expect.stringMatching(
          /^400 Bad Request, expected 2xx; the client certificate of this monitor expired on \d{4}-\d\d-\d\d$/,
        ),
      },
    });
    expect(await see(url, expected)).toMatchObject({ reason: "unexpected", detail: { statusCode: 400 } });
  },
);

test.skipIf(withoutNginx)("behavior 26.20, 26.24: nginx forwards requests in absolute form", async () => {
  await using nginx = await startNginx(own, authority.cert, demanding("TLSv1.3"));
  using server = await startHttpServer((_, request) => answer("200 OK", [], request));
  const proxy = { url: `http://127.0.0.1:${nginx.ports[1]}` };
  const seen = await see(`http://127.0.0.1:${server.port}/path?a=b`, {
    proxy,
    expect: { contains: ["GET /path?a=b"] },
  });
  expect(seen).toMatchObject({ outcome: "reached" });
  expect(await see(`http://127.0.0.1:${await closedPort()}/`, { proxy })).toMatchObject({
    outcome: "failed",
    reason: "unreachable",
  });
  // It has no CONNECT.
  expect(await see(`https://127.0.0.1:${server.port}/`, { proxy })).toMatchObject({
    outcome: "inconclusive",
    reason: "proxy_failed",
  });
});

test.skipIf(isMissing(["/usr/sbin/sshd", "ssh"]))(
  "behavior 26.20, 26.22: OpenSSH is a SOCKS proxy",
  async () => {
    using server = await startHttpServer((_, request) => answer("200 OK", [], request), { tls: own });
    using folder = tempDir();
    const key = join(folder.path, "client");
    chmodSync(folder.path, 0o755);
    expect(Bun.spawnSync(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key]).exitCode).toBe(0);
    await using sshd = await startSshd(`-o AuthorizedKeysFile=${key}.pub -o StrictModes=no -o UsePAM=no`);
    const port = freePort();
    const options =
      "-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o BatchMode=yes -F /dev/null";
    await using _ = new Background(
      `exec ssh -N -D 127.0.0.1:${port} -i ${key} ${options} -p ${sshd.ports[0]} ${unprivileged ?? process.env.USER}@127.0.0.1`,
      { cwd: folder.path, env: { PATH: process.env.PATH ?? "" } },
    );
    const proxy = { url: `socks5://127.0.0.1:${port}` };
    await eventually(
      async () => (await see(`https://localhost:${server.port}/`, { proxy })).outcome === "reached",
    );
    // It closes the connection without a reply.
    expect(await see(`https://127.0.0.1:${await closedPort()}/`, { proxy })).toEqual({
      outcome: "inconclusive",
      reason: "proxy_failed",
      message: "the proxy broke off the connection before it answered",
    });
  },
);
