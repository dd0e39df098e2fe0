import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import type { TlsOptions } from "node:tls";
import { Connector, type Endpoint } from "../../../src/probes/connections/connector.ts";
import { OpenSockets } from "../../../src/probes/connections/network.ts";
import { Lifetime } from "../../../src/probes/lifetime.ts";
import { asProbeError } from "../../../src/probes/probe-error.ts";
import { createAuthority } from "../../support/servers/certificates.ts";
import { answering, silent, startServer } from "../../support/servers/tcp-server.ts";

/*
 * HTTPS checks use TLS of Bun, except at endpoints that did not answer the last time: there, they use `node:tls`. Both
 * must find the same.
 */

const ANSWER = "HTTP/1.1 200 OK\r\n\r\n";
const NAMES = [{ type: "dns" as const, value: "localhost" }];

let good: { cert: string; key: string };
let otherName: typeof good;
let expired: typeof good;
beforeAll(async () => {
  const authority = await createAuthority();
  good = await authority.issue(NAMES);
  otherName = await authority.issue([{ type: "dns", value: "other.test" }]);
  expired = await authority.issue(NAMES, { left: -1, old: 90 });
});

const lifetime = new Lifetime();
afterAll(() => lifetime.close());

const viaBun = new Connector(new OpenSockets());

/** A connector that uses `node:tls` for an endpoint, because an attempt there had no answer. */
function viaNode(endpoint: Endpoint): Connector {
  const connector = new Connector(new OpenSockets());
  const silenced = new Lifetime();
  connector.connect(endpoint, silenced).catch(() => {});
  silenced.close();
  return connector;
}

/** The result of a handshake and of the first read. */
async function found(connector: Connector, endpoint: Endpoint, host = "localhost") {
  try {
    const securing = await connector.connectTls(endpoint, { host }, lifetime);
    const { connection, fault } = await securing.shakeHands();
    connection.write("GET / HTTP/1.1\r\n\r\n");
    return { fault, read: await connection.read() };
  } catch (error) {
    const { reason, message } = asProbeError(error) ?? {};
    return { reason, message };
  }
}

async function foundByBoth(onConnection: (socket: Socket) => void, tls?: TlsOptions) {
  using server = await startServer(onConnection, tls && { tls });
  const endpoint = { address: "127.0.0.1", port: server.port };
  const byBun = await found(viaBun, endpoint);
  expect(await found(viaNode(endpoint), endpoint)).toEqual(byBun);
  return byBun;
}

describe("TLS of Bun and node:tls find the same", () => {
  test.each([
    ["is from an unknown authority", () => good, "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
    ["is for another name too", () => otherName, "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
    ["has expired too", () => expired, "CERT_HAS_EXPIRED"],
  ])("if a certificate %s", async (_, tls, fault) => {
    expect(await foundByBoth(answering(ANSWER), tls())).toEqual({ fault, read: ANSWER });
  });

  test("if the server closes the connection instead of a handshake", async () => {
    const closing = (socket: Socket) => void socket.once("data", () => socket.end());
    expect(await foundByBoth(closing)).toMatchObject({ reason: "closed" });
  });

  test("if the server resets the connection instead of a handshake", async () => {
    const resetting = (socket: Socket) => void socket.once("data", () => socket.resetAndDestroy());
    expect(await foundByBoth(resetting)).toMatchObject({ reason: "reset" });
  });

  test("if the server does not speak TLS", async () => {
    expect(await foundByBoth(answering("HTTP/1.1 400 Bad Request\r\n\r\n"))).toEqual({
      reason: "tls_failed",
      message: "the server does not speak TLS on that port",
    });
  });

  test("if the server has no version in common", async () => {
    const tls = { ...good, minVersion: "TLSv1", maxVersion: "TLSv1.1" } as const;
    expect(await foundByBoth(silent, tls)).toMatchObject({
      reason: "tls_failed",
      message: "the TLS handshake failed: the server has no version of TLS in common with stillup",
    });
  });

  test.each(["TLSv1.2", "TLSv1.3"] as const)(
    "if the server requires a client certificate, over %s",
    async (maxVersion) => {
      const tls = { ...good, requestCert: true, rejectUnauthorized: true, maxVersion };
      expect(await foundByBoth(silent, tls)).toMatchObject({
        reason: "tls_failed",
        message: expect.stringMatching(
          /^the TLS handshake failed: the server .*requires a client certificate$/,
        ),
      });
    },
  );

  test.each([
    ["the one that is offered", ["h2", "http/1.1"], "h2"],
    ["no protocol", undefined, undefined],
  ])("if the server agrees on %s", async (_, ALPNProtocols, agreed) => {
    using server = await startServer(silent, { tls: { ...good, ...(ALPNProtocols && { ALPNProtocols }) } });
    const endpoint = { address: "127.0.0.1", port: server.port };
    for (const connector of [viaBun, viaNode(endpoint)]) {
      const securing = await connector.connectTls(endpoint, { host: "localhost", alpn: "h2" }, lifetime);
      expect((await securing.shakeHands()).connection.agreedProtocol).toBe(agreed);
    }
  });

  test("if the server closes a connection without an answer", async () => {
    const closing = (socket: Socket) => void socket.once("data", () => socket.end());
    expect(await foundByBoth(closing, good)).toMatchObject({ read: undefined });
  });
});

describe("TLS of Bun and node:tls send the same", () => {
  test.each([
    ["localhost", "localhost"],
    ["bücher.test.", "xn--bcher-kva.test"],
    ["127.0.0.1", undefined],
    ["127.1", undefined],
  ])("hello for %s, with the name %p", async (host, name) => {
    const hellos: Buffer[] = [];
    using server = await startServer((socket) => {
      socket.once("data", (hello: Buffer) => {
        hellos.push(hello);
        socket.end();
      });
    });
    const endpoint = { address: "127.0.0.1", port: server.port };
    for (const connector of [viaBun, viaNode(endpoint)]) await found(connector, endpoint, host);
    const [byBun, byNode] = hellos.map(describeHello);
    expect(byBun).toEqual(byNode as NonNullable<typeof byNode>);
    expect(byBun?.name).toBe(name);
  });
});

const SERVER_NAME = 0;
const KEY_SHARE = 51;

/** The parts of a ClientHello that are not random (RFC 8446, 4.1.2). */
function describeHello(hello: Buffer) {
  const [RECORD_HEADER, MESSAGE_HEADER, VERSION_AND_RANDOM] = [5, 4, 34];
  let at = RECORD_HEADER + MESSAGE_HEADER + VERSION_AND_RANDOM;
  const next = (sizeOfLength: number) => {
    const length = hello.readUIntBE(at, sizeOfLength);
    at += sizeOfLength + length;
    return hello.subarray(at - length, at);
  };
  next(1);
  const ciphers = next(2).toString("hex");
  next(1);
  const end = at + 2 + hello.readUInt16BE(at);
  at += 2;
  const extensions: Record<number, string> = {};
  let name: string | undefined;
  while (at < end) {
    const type = hello.readUInt16BE(at);
    at += 2;
    const value = next(2);
    if (type === SERVER_NAME) name = value.toString("latin1", 5);
    extensions[type] = type === KEY_SHARE ? `${value.length} bytes` : value.toString("hex");
  }
  return { ciphers, extensions, name };
}
