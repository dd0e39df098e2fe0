import { beforeAll, describe, expect, test } from "bun:test";
import type { TLSSocket, TlsOptions } from "node:tls";
import type { HttpConfig } from "../../../src/domain/monitors/kinds/http.ts";
import { Connector, type Endpoint } from "../../../src/probes/connections/connector.ts";
import type { ClientCertificate } from "../../../src/probes/connections/handshake.ts";
import { createNetwork, OpenSockets } from "../../../src/probes/connections/network.ts";
import { Lifetime } from "../../../src/probes/lifetime.ts";
import { observation } from "../../support/probes/observation.ts";
import {
  type Authority,
  createAuthority,
  type ServerCertificate,
  type Validity,
} from "../../support/servers/certificates.ts";
import { answer, startHttpServer } from "../../support/servers/http-answers.ts";
import { startHttpProxy } from "../../support/servers/proxies.ts";

const LOCALHOST = [{ type: "ip" as const, value: "127.0.0.1" }];

let authority: Authority;
let server: ServerCertificate;
beforeAll(async () => {
  authority = await createAuthority();
  server = await authority.issue(LOCALHOST);
});

/** A certificate of a client, issued by an authority between, which is part of its chain. */
async function clientCertificate(how: Validity = {}): Promise<ClientCertificate> {
  const between = await authority.authority();
  const { cert, key } = await between.issue([], { subject: [{ CN: ["Client of the tests"] }], ...how });
  return { certificate: `${cert}\n${between.cert}`, key };
}

const demanding = (more: TlsOptions = {}): TlsOptions => ({
  ...server,
  ca: authority.cert,
  requestCert: true,
  rejectUnauthorized: true,
  ...more,
});

/** A server whose body is the name in the certificate of its client. */
function startDemanding(tls: TlsOptions) {
  return startHttpServer(
    () => (socket) => {
      const { subject } = (socket as TLSSocket).getPeerCertificate();
      socket.end(answer("200 OK", [], `client: ${subject?.CN ?? "none"}`));
    },
    { tls },
  );
}

type Sent = Partial<HttpConfig> & { url: string };

/** The same check by TLS of Bun and by `node:tls`: directly, at an endpoint that was silent the last time, and through a proxy. */
async function seenByAll(config: Sent, endpoint: Endpoint) {
  using proxy = await startHttpProxy();
  const silenced = createNetwork({ privateTargets: "allow" });
  const cancelled = new Lifetime();
  silenced.connector.connect(endpoint, cancelled).catch(() => {});
  cancelled.close();
  const check = { verifyTls: false, ...config };
  return [
    await observation("HTTP", check, { isSampled: true }),
    await observation("HTTP", check, { isSampled: true, network: silenced }),
    await observation("HTTP", { ...check, proxy: { url: proxy.url } }, { isSampled: true }),
  ];
}

describe.each(["TLSv1.2", "TLSv1.3"] as const)("over %s", (maxVersion) => {
  test("behavior 26.10, 26.12: a server that demands a client certificate gets it, with its chain", async () => {
    using demands = await startDemanding(demanding({ maxVersion }));
    const client = await clientCertificate({ left: 20 });
    const config = { url: `https://127.0.0.1:${demands.port}/`, clientCertificate: client };
    for (const seen of await seenByAll(config, { address: "127.0.0.1", port: demands.port }))
      expect(seen).toMatchObject({
        outcome: "reached",
        sample: { isPrivate: true },
        tls: { protocol: maxVersion, client: { validTo: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) } },
      });
  });

  test("behavior 26.10: a server that demands none gets none, and one that asks for it may do without", async () => {
    using free = await startDemanding({ ...server, maxVersion });
    using asks = await startDemanding(demanding({ maxVersion, rejectUnauthorized: false }));
    const expected = (text: string) => ({ expect: { contains: [text] } });
    const client = { clientCertificate: await clientCertificate() };
    const toFree = { url: `https://127.0.0.1:${free.port}/`, ...client, ...expected("client: none") };
    const toAsking = {
      url: `https://127.0.0.1:${asks.port}/`,
      ...client,
      ...expected("client: Client of the tests"),
    };
    const without = { url: toAsking.url, ...expected("client: none") };
    for (const [config, { port }] of [
      [toFree, free],
      [toAsking, asks],
      [without, asks],
    ] as const)
      for (const seen of await seenByAll(config, { address: "127.0.0.1", port }))
        expect(seen.outcome).toBe("reached");
  });

  test.each([
    [
      "has expired",
      { left: -1, old: 30 },
      /; the client certificate of this monitor expired on \d{4}-\d\d-\d\d$/,
    ],
    [
      "is not valid yet",
      { left: 30, old: -3 },
      /; the client certificate of this monitor is only valid from \d{4}-\d\d-\d\d on$/,
    ],
  ])("behavior 26.14: a refusal says that the own certificate %s", async (_, how, words) => {
    using demands = await startDemanding(demanding({ maxVersion }));
    const config = {
      url: `https://127.0.0.1:${demands.port}/`,
      clientCertificate: await clientCertificate(how),
    };
    for (const seen of await seenByAll(config, { address: "127.0.0.1", port: demands.port }))
      expect(seen).toMatchObject({
        outcome: "failed",
        reason: expect.stringMatching(/^(closed|reset|tls_failed)$/),
        detail: { message: expect.stringMatching(words) },
      });
  });

  test("behavior 26.14: a refusal of a valid certificate says nothing of its end", async () => {
    const other = await createAuthority([{ CN: ["Another authority"] }]);
    using demands = await startDemanding(demanding({ maxVersion, ca: other.cert }));
    const config = {
      url: `https://127.0.0.1:${demands.port}/`,
      clientCertificate: await clientCertificate(),
    };
    for (const seen of await seenByAll(config, { address: "127.0.0.1", port: demands.port })) {
      expect(seen.outcome).toBe("failed");
      expect(JSON.stringify(seen)).not.toContain("client certificate of this monitor");
    }
  });
});

test("behavior 26.14: an answer over HTTP that refuses an expired certificate says it too", async () => {
  using demands = await startDemanding(demanding({ rejectUnauthorized: false }));
  const seen = await observation("HTTP", {
    url: `https://127.0.0.1:${demands.port}/`,
    verifyTls: false,
    clientCertificate: await clientCertificate({ left: -1, old: 30 }),
    expect: { status: [204] },
  });
  expect(seen).toMatchObject({
    reason: "unexpected",
    detail: {
      statusCode: 200,
      message: expect.stringContaining("the client certificate of this monitor expired on"),
    },
  });
});

test("behavior 26.10: a redirect to another origin does not get the client certificate", async () => {
  using other = await startDemanding(demanding({ rejectUnauthorized: false }));
  using first = await startHttpServer(
    (path) =>
      path === "/away"
        ? answer("302 Found", [`Location: https://127.0.0.1:${other.port}/`])
        : answer("302 Found", ["Location: /away"]),
    { tls: demanding() },
  );
  const seen = await observation("HTTP", {
    url: `https://127.0.0.1:${first.port}/`,
    verifyTls: false,
    redirects: 3,
    clientCertificate: await clientCertificate(),
    expect: { contains: ["client: none"] },
  });
  expect(seen).toMatchObject({ outcome: "reached", detail: { statusCode: 200 } });
});

test("behavior 26.10: the certificate of the server is verified as without a client certificate", async () => {
  using demands = await startDemanding(demanding());
  const url = `https://127.0.0.1:${demands.port}/`;
  const seen = await observation("HTTP", { url, clientCertificate: await clientCertificate() });
  expect(seen).toMatchObject({ outcome: "failed", reason: "tls_invalid" });
});

test("a connector shows a client certificate only if it is asked to", async () => {
  using asks = await startDemanding(demanding({ rejectUnauthorized: false }));
  const lifetime = new Lifetime();
  const connector = new Connector(new OpenSockets());
  const endpoint = { address: "127.0.0.1", port: asks.port };
  const client = await clientCertificate();
  const namesOf = async (asked: { client?: ClientCertificate }) => {
    const { connection } = await (
      await connector.connectTls(endpoint, { host: "127.0.0.1", ...asked }, lifetime)
    ).shakeHands();
    connection.write("GET / HTTP/1.1\r\n\r\n");
    return (await connection.read())?.split("\r\n\r\n")[1];
  };
  expect([await namesOf({ client }), await namesOf({})]).toEqual([
    "client: Client of the tests",
    "client: none",
  ]);
  lifetime.close();
});

test("behavior 26.10: with steps, the origin of the first step gets the client certificate, also in a later step, and no other origin", async () => {
  using own = await startDemanding(demanding({ rejectUnauthorized: false }));
  using other = await startDemanding(demanding({ rejectUnauthorized: false }));
  const step = ({ port }: { port: number }, text: string) => {
    return { url: `https://127.0.0.1:${port}/`, expect: { contains: [text] } };
  };
  const steps = [
    step(own, "client: Client of the tests"),
    step(other, "client: none"),
    step(own, "client: Client of the tests"),
  ];
  const config = { steps, verifyTls: false, clientCertificate: await clientCertificate() };
  expect(await observation("HTTP", config)).toMatchObject({ outcome: "reached" });
});
