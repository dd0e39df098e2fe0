import { beforeAll, describe, expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { connect } from "node:net";
import { createSecureContext, type TLSSocket, type TlsOptions } from "node:tls";
import { judgeCertificate } from "../../src/domain/checks/certificate.ts";
import type { Status } from "../../src/domain/monitors/status.ts";
import { eventually } from "../support/eventually.ts";
import { observation } from "../support/probes/observation.ts";
import { observeTimes, observeTrusting } from "../support/probes/observe-trusting.ts";
import {
  type Authority,
  createAuthority,
  type DerTime,
  withValidity,
} from "../support/servers/certificates.ts";
import { startDnsServer } from "../support/servers/dns-server.ts";
import {
  answering,
  closedPort,
  silent,
  startServer,
  type TestServer,
} from "../support/servers/tcp-server.ts";
import { type HandshakeMessage, SERVER_KEY_EXCHANGE, startTlsProxy } from "../support/servers/tls-proxy.ts";

const HERE = [
  { type: "dns" as const, value: "localhost" },
  { type: "ip" as const, value: "127.0.0.1" },
];

let authority: Authority;
beforeAll(async () => {
  authority = await createAuthority();
});

const serve = async (days: { left?: number; old?: number } = {}, options: TlsOptions = {}) =>
  startServer(answering("HTTP/1.1 200 OK\r\n\r\n"), {
    tls: { ...(await authority.issue(HERE, days)), ...options },
  });

async function certificateAt(port: number) {
  const seen = await observation("TLS", { host: "127.0.0.1", port });
  if (seen.outcome !== "certified") throw new Error(JSON.stringify(seen));
  return seen;
}

/** Passes the bytes of a TLS client on. @returns with the records of the client, and the end of its side */
async function startRecordingProxy(to: number): Promise<TestServer & { client: string[] }> {
  const client: string[] = [];
  const proxy = await startServer((socket) => {
    const server = connect(to, "127.0.0.1");
    server.on("error", () => socket.destroy());
    server.pipe(socket);
    let read = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      server.write(chunk);
      for (
        read = Buffer.concat([read, chunk]);
        read.length >= 5;
        read = read.subarray(5 + read.readUInt16BE(3))
      ) {
        if (read.length < 5 + read.readUInt16BE(3)) break;
        client.push(RECORDS[`${read[0]} ${read.readUInt16BE(3)}`] ?? RECORDS[String(read[0])] ?? "unknown");
      }
    });
    socket.on("end", () => client.push("end"));
    socket.on("close", () => server.end());
  });
  return { ...proxy, client };
}

/** By type, or by type and length where TLS 1.3 hides what an encrypted record is. */
const RECORDS: Record<string, string> = {
  20: "change cipher",
  21: "alert",
  22: "handshake",
  "23 19": "alert",
  "23 53": "handshake",
  23: "data",
};

describe("behavior 1.66: a check finishes its handshake and says that it closes", () => {
  test.each([
    ["TLSv1.3", ["handshake", "change cipher", "handshake"]],
    ["TLSv1.2", ["handshake", "handshake", "change cipher", "handshake"]],
  ] as const)("with %s", async (version, shaken) => {
    using server = await serve({}, { maxVersion: version });
    const seeBy = async <T>(see: (port: number) => Promise<T>) => {
      using proxy = await startRecordingProxy(server.port);
      const seen = await see(proxy.port);
      await eventually(() => proxy.client.at(-1) === "end");
      return { seen, client: proxy.client };
    };
    const url = (port: number) => `https://127.0.0.1:${port}/`;
    const ended = (...data: string[]) => [...shaken, ...data, "alert", "end"];

    expect(await seeBy((port) => observation("TLS", { host: "127.0.0.1", port }))).toMatchObject({
      seen: { outcome: "certified" },
      client: ended(),
    });
    expect(await seeBy((port) => observation("HTTP", { url: url(port) }))).toMatchObject({
      seen: { reason: "tls_invalid" },
      client: ended(),
    });
    expect(await seeBy((port) => observation("HTTP", { url: url(port), verifyTls: false }))).toMatchObject({
      seen: { outcome: "reached" },
      client: ended("data"),
    });
    const direct = { host: "127.0.0.1", protocol: "redis", tls: "direct" } as const;
    expect(await seeBy((port) => observation("TCP", { ...direct, port }))).toMatchObject({
      seen: { reason: "tls_invalid" },
      client: ended(),
    });
  });
});

describe("a certificate", () => {
  test("behavior 1.36, 1.37: is described, and the latency is to the end of the handshake", async () => {
    using server = await serve({ left: 90, old: 1 });
    const { certificate, latencyMs, detail } = await certificateAt(server.port);
    expect(certificate).toEqual({
      authorized: false,
      authorizationError: expect.stringMatching(/^UNABLE_TO_/),
      subject: expect.stringContaining("CN=Server of the tests"),
      issuer: "CN=Authority of the tests",
      names: ["localhost", "127.0.0.1"],
      validFrom: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      validTo: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      fingerprint: expect.stringMatching(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/),
      protocol: "TLSv1.3",
    });
    expect(latencyMs).toBeWithin(0, 2000);
    expect(detail).toMatchObject({ address: "127.0.0.1", phases: { tls: expect.any(Number) } });
  });

  test.each([
    ["only in its subject", [], "www.site.test", false],
    ["as a part of a label", ["w*.site.test"], "www.site.test", false],
    ["as a label", ["*.site.test"], "WWW.site.test", true],
    ["as two labels", ["*.test"], "www.site.test", false],
    ["as it is", ["other.test", "www.site.test"], "www.site.test", true],
  ])("behavior 1.36: that has the name %s", async (_, names, servername, authorized) => {
    const subject = [{ CN: ["www.site.test"] }];
    const own = await authority.issue(
      names.map((value) => ({ type: "dns" as const, value })),
      { subject },
    );
    using server = await startServer(silent, { tls: own });
    const config = { host: "127.0.0.1", port: server.port, servername };
    expect(await observeTrusting(authority.cert, "TLS", config)).toMatchObject({
      outcome: "certified",
      certificate: {
        authorized,
        authorizationError: authorized ? null : "ERR_TLS_CERT_ALTNAME_INVALID",
      },
    });
  });

  test.each([
    ["is valid for 90 days", { left: 90 }, "active"],
    ["expires within 14 days", { left: 13 }, "expiring_soon"],
    ["has expired", { left: -1, old: 90 }, "expired"],
    ["is not yet valid", { left: 90, old: -1 }, "expired"],
  ])("that %s is read and judged", async (_, days, status) => {
    using server = await serve(days);
    const { certificate } = await certificateAt(server.port);
    expect(judgeCertificate(certificate, Date.now())).toBe(status as "active");
  });

  test.each(["TLSv1", "TLSv1.1", "TLSv1.2"] as const)("is read over %s", async (version) => {
    using server = await serve({}, { minVersion: "TLSv1", maxVersion: version });
    const { certificate } = await certificateAt(server.port);
    expect(certificate.protocol).toBe(version);
  });

  test.each(["TLSv1.2", "TLSv1.3"] as const)(
    "behavior 1.38: is read from a server that requires a client certificate, over %s",
    async (version) => {
      const options = { requestCert: true, rejectUnauthorized: true, maxVersion: version };
      using server = await serve({}, options);
      const { certificate } = await certificateAt(server.port);
      expect(certificate.subject).toContain("CN=Server of the tests");
    },
  );

  test.each<[DerTime, string, Status]>([
    [["UTCTime", "491231235959Z"], "2049-12-31T23:59:59.000Z", "active"],
    [["UTCTime", "500101000000Z"], "1950-01-01T00:00:00.000Z", "expired"],
    [["UTCTime", "480101003000+0200"], "2047-12-31T22:30:00.000Z", "active"],
    [["GeneralizedTime", "99991231235959Z"], "9999-12-31T23:59:59.000Z", "active"],
    [["GeneralizedTime", "00490101000000Z"], "0049-01-01T00:00:00.000Z", "expired"],
  ])("with notAfter %p is valid to %s and is %s", async (end, validTo, status) => {
    const own = await authority.issue(HERE);
    const tls = withValidity(own, ["UTCTime", "200101000000Z"], end);
    using server = await startServer(silent, { tls });
    const { certificate } = await certificateAt(server.port);
    expect(certificate).toMatchObject({ validFrom: "2020-01-01T00:00:00.000Z", validTo });
    expect(judgeCertificate(certificate, Date.now())).toBe(status);
  });

  test.each(["127.0.0.1.", "127.1", "0x7f.1"])("is read at %s, which is an IP address", async (host) => {
    using server = await serve();
    expect(await observation("TLS", { host, port: server.port })).toMatchObject({ outcome: "certified" });
  });

  test("is requested for the host name in ASCII (SNI)", async () => {
    using dns = await startDnsServer({
      "A xn--bcher-kva.test": [{ type: "A", name: "xn--bcher-kva.test", data: "127.0.0.1" }],
    });
    const names: string[] = [];
    const own = await authority.issue(HERE);
    using server = await startServer(silent, {
      tls: {
        ...own,
        SNICallback(name, done) {
          names.push(name);
          done(null);
        },
      },
    });
    const config = { host: "bücher.test.", port: server.port };
    expect(await observation("TLS", config, { dnsServers: [dns] })).toMatchObject({ outcome: "certified" });
    expect(names).toEqual(["xn--bcher-kva.test"]);
  });
});

describe("behavior 1.33: no certificate", () => {
  const tls = (port: number, timeout = 2000) => observation("TLS", { host: "127.0.0.1", port }, { timeout });

  test("is read if nothing listens", async () => {
    expect(await tls(await closedPort())).toMatchObject({ outcome: "failed", reason: "refused" });
  });

  test("is read from a server of plain text", async () => {
    using server = await startServer((socket) => socket.end("220 mail.example.com ESMTP\r\n"));
    expect(await tls(server.port)).toMatchObject({
      outcome: "failed",
      reason: "tls_failed",
      detail: { message: "the server does not speak TLS on that port" },
    });
  });

  test("is read from a server that stays silent", async () => {
    using server = await startServer(silent);
    expect(await tls(server.port, 300)).toMatchObject({
      outcome: "failed",
      reason: "timeout",
      detail: { message: "no TLS handshake within 0.3 s" },
    });
  });

  test("is read from a server that closes the connection", async () => {
    using server = await startServer((socket) => socket.once("data", () => socket.end()));
    expect(await tls(server.port)).toMatchObject({ outcome: "failed", reason: "closed" });
  });

  test("is read from a server that resets the connection", async () => {
    using server = await startServer((socket) => socket.once("data", () => socket.resetAndDestroy()));
    expect(await tls(server.port)).toMatchObject({ outcome: "failed", reason: "reset" });
  });

  test("is read from a server that fails after it sent the certificate", async () => {
    using server = await serve({}, { maxVersion: "TLSv1.2" });
    using proxy = await startTlsProxy(server.port, ([hello, certificate]) =>
      [hello, certificate].filter(isPresent),
    );
    expect(await tls(proxy.port)).toMatchObject({ outcome: "failed", reason: "tls_failed" });
  });

  test("is read from a server without the key of its certificate", async () => {
    using server = await serve({}, { maxVersion: "TLSv1.2" });
    using proxy = await startTlsProxy(server.port, (messages) => messages.map(withWrongSignature));
    expect(await tls(proxy.port)).toMatchObject({ outcome: "failed", reason: "tls_failed" });
  });

  test("is read from a link-local address without a zone", async () => {
    const host = "fe80::1";
    for (const type of ["TLS", "TCP"] as const) {
      expect(await observation(type, { host, port: 443 })).toMatchObject({ reason: "unreachable" });
    }
  });

  test("is read from a name that does not exist", async () => {
    using dns = await startDnsServer({});
    const seen = await observation("TLS", { host: "unknown.test", port: 443 }, { dnsServers: [dns] });
    expect(seen).toMatchObject({ outcome: "failed", reason: "dns_not_found" });
  });
});

function withWrongSignature({ type, bytes }: HandshakeMessage): HandshakeMessage {
  const changed = Buffer.from(bytes);
  const last = changed.length - 1;
  // The signature is at the end.
  if (type === SERVER_KEY_EXCHANGE) changed.writeUInt8(changed.readUInt8(last) ^ 1, last);
  return { type, bytes: changed };
}

function isPresent<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}

describe("HTTPS", () => {
  test.each(["localhost", "127.0.0.1"])("with a valid certificate for %s is reached", async (host) => {
    using server = await serve();
    expect(
      await observeTrusting(authority.cert, "HTTP", { url: `https://${host}:${server.port}/` }),
    ).toMatchObject({
      outcome: "reached",
      detail: { statusCode: 200, phases: { tls: expect.any(Number) } },
    });
  });

  test.each([
    ["has expired", HERE, { left: -1, old: 90 }, /expired$/],
    ["is not yet valid", HERE, { old: -1 }, /yet/],
    ["was issued for other names", [{ type: "dns" as const, value: "other.test" }], {}, /other names$/],
  ])("behavior 1.28: with a certificate that %s is tls_invalid", async (_, names, days, words) => {
    const own = await authority.issue(names, days);
    using server = await startServer(answering("HTTP/1.1 200 OK\r\n\r\n"), { tls: own });
    expect(
      await observeTrusting(authority.cert, "HTTP", { url: `https://localhost:${server.port}/` }),
    ).toMatchObject({
      outcome: "failed",
      reason: "tls_invalid",
      detail: { message: expect.stringMatching(words) },
    });
  });

  test("behavior 1.28, 10.90: each check makes a full handshake, and sees the certificate that the server has by then", async () => {
    const unknown = await createAuthority([{ CN: ["Another authority"] }]);
    const shown = [
      await authority.issue(HERE),
      await authority.issue(HERE),
      await authority.issue([{ type: "dns", value: "other.test" }]),
      await authority.issue(HERE, { left: -1, old: 90 }),
      await unknown.issue(HERE),
      await authority.issue(HERE),
    ];
    const answered: boolean[] = [];
    const contexts = shown.map((own) => createSecureContext(own)).values();
    using server = await startServer(
      (socket) => {
        answered.push((socket as TLSSocket).isSessionReused());
        answering("HTTP/1.1 200 OK\r\n\r\n")(socket);
      },
      { tls: { SNICallback: (_, done) => done(null, contexts.next().value) } },
    );
    const url = `https://localhost:${server.port}/`;
    const seen = await observeTimes(shown.length, {
      authority: authority.cert,
      type: "HTTP",
      config: { url },
    });
    const words = [undefined, undefined, /other names$/, /expired$/, /issuer/, undefined];
    expect(seen).toMatchObject(
      shown.map(({ cert }, at) => ({
        ...(words[at]
          ? { reason: "tls_invalid", detail: { message: expect.stringMatching(words[at]) } }
          : { outcome: "reached" }),
        tls: { fingerprint: new X509Certificate(cert).fingerprint256 },
      })),
    );
    expect(answered).not.toContain(true);
  });

  test("behavior 1.28: with a certificate of an unknown authority is tls_invalid", async () => {
    using server = await serve();
    const seen = await observation("HTTP", { url: `https://localhost:${server.port}/` });
    expect(seen).toMatchObject({ outcome: "failed", reason: "tls_invalid" });
  });

  test("with a server that speaks plain HTTP is tls_failed", async () => {
    using server = await startServer(answering("HTTP/1.1 400 Bad Request\r\n\r\n"));
    const seen = await observation("HTTP", { url: `https://localhost:${server.port}/` });
    expect(seen).toMatchObject({ outcome: "failed", reason: "tls_failed" });
  });
});

test("behavior 10.13: the handshake asks for the name of the config, which the certificate must have", async () => {
  const [usual, other] = await Promise.all(
    ["usual.test", "other.test"].map((value) => authority.issue([{ type: "dns", value }])),
  );
  const asked: string[] = [];
  using server = await startServer(silent, {
    tls: {
      ...usual,
      SNICallback(name, done) {
        asked.push(name);
        done(null, createSecureContext(name === "other.test" ? { ...other } : { ...usual }));
      },
    },
  });
  const seen = await observation("TLS", { host: "127.0.0.1", port: server.port, servername: "other.test" });
  expect(asked).toEqual(["other.test"]);
  expect(seen).toMatchObject({ outcome: "certified", certificate: { names: ["other.test"] } });
});
