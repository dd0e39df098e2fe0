import { expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import type { TlsOptions } from "node:tls";
import type { TlsFacts } from "../../../src/domain/checks/observation.ts";
import { observation } from "../../support/probes/observation.ts";
import {
  createAuthority,
  createSelfSigned,
  type Issued,
  type ServerCertificate,
} from "../../support/servers/certificates.ts";
import { answering, startServer } from "../../support/servers/tcp-server.ts";

const NAMES = [{ type: "ip" as const, value: "127.0.0.1" }];
const root = await createAuthority();
const between = await root.authority();

/** The facts about a server, by the type of the monitor. */
async function seenOf(tls: TlsOptions): Promise<Record<"HTTP" | "TLS", TlsFacts | undefined>> {
  using server = await startServer(answering("HTTP/1.1 200 OK\r\n\r\n"), { tls });
  const { port } = server;
  const url = `https://127.0.0.1:${port}/`;
  const http = await observation("HTTP", { url, verifyTls: false });
  const checked = await observation("TLS", { host: "127.0.0.1", port });
  return { HTTP: tlsIn(http), TLS: tlsIn(checked) };
}

function tlsIn(seen: object): TlsFacts | undefined {
  return (seen as { tls?: TlsFacts }).tls;
}

const issued = async (how: Issued = {}) => between.issue(NAMES, how);
const chained = async (how: Issued = {}) => withChain(await issued(how), between.cert);
const withChain = (own: ServerCertificate, issuer: string) => ({ ...own, cert: `${own.cert}\n${issuer}` });

test.each(["TLSv1.2", "TLSv1.3"] as const)(
  "behavior 10.90: the facts of a handshake over %s",
  async (version) => {
    const own = await chained();
    const { HTTP, TLS } = await seenOf({ ...own, minVersion: version, maxVersion: version });
    const cipher = version === "TLSv1.3" ? /^TLS_AES_/ : /^TLS_ECDHE_ECDSA_WITH_/;
    const { fingerprint256: fingerprint, validTo: end } = new X509Certificate(own.cert);
    const certificate = { fingerprint, validTo: new Date(end).toISOString() };
    expect(HTTP).toEqual({
      ...{ protocol: version, cipher: expect.stringMatching(cipher), ...certificate, advice: [] },
    });
    expect(TLS).toEqual(HTTP);
  },
);

test("behavior 10.91: TLS 1.1 is deprecated", async () => {
  const { TLS } = await seenOf({ ...(await chained()), minVersion: "TLSv1", maxVersion: "TLSv1.1" });
  expect(TLS).toMatchObject({ protocol: "TLSv1.1", advice: ["deprecated_protocol"] });
});

test.each<[string, () => Promise<TlsOptions>, boolean]>([
  ["only the certificate is sent", () => issued(), true],
  ["the issuer of its issuer is sent", async () => withChain(await issued(), root.cert), true],
  ["the issuer is sent, whose own issuer is not trusted", () => chained(), false],
  ["an expired certificate is sent with its issuer", () => chained({ left: -1, old: 30 }), false],
  ["an expired certificate is sent alone", () => issued({ left: -1, old: 30 }), true],
  ["it is self-signed", () => createSelfSigned(NAMES, { bits: 2048, hash: "SHA-256" }), false],
])("behavior 10.91: if %s, the chain is incomplete: %p", async (_, tls, isIncomplete) => {
  const advice = isIncomplete ? ["incomplete_chain"] : [];
  const { HTTP, TLS } = await seenOf(await tls());
  expect(HTTP?.advice).toEqual(advice as never);
  expect(TLS?.advice).toEqual(advice as never);
});

test.each([
  [1024, "SHA-256", ["weak_key"]],
  [2048, "SHA-1", ["weak_signature"]],
  [1024, "SHA-1", ["weak_signature", "weak_key"]],
  [2048, "SHA-256", []],
])("behavior 10.91: an RSA key of %d bits with %s", async (bits, hash, advice) => {
  const { HTTP, TLS } = await seenOf(await createSelfSigned(NAMES, { bits, hash }));
  expect(HTTP?.advice).toEqual(advice as never);
  expect(TLS?.advice).toEqual(advice as never);
});

test("behavior 10.92: a check that fails after the handshake has it too, and that of the host of the URL after a redirect", async () => {
  const own = await chained({ left: 20 });
  using target = await startServer(answering("HTTP/1.1 200 OK\r\n\r\n"), {
    tls: await chained({ left: 50 }),
  });
  const redirect = `HTTP/1.1 302 Found\r\nLocation: https://127.0.0.1:${target.port}/\r\n\r\n`;
  using server = await startServer(answering(redirect), { tls: own });
  const url = `https://127.0.0.1:${server.port}/`;
  const validTo = new Date(new X509Certificate(own.cert).validTo).toISOString();
  expect(await observation("HTTP", { url })).toMatchObject({ reason: "tls_invalid", tls: { validTo } });
  const unfollowed = await observation("HTTP", { url, verifyTls: false, expect: { status: ["2xx"] } });
  expect(unfollowed).toMatchObject({ reason: "unexpected", tls: { validTo } });
  const followed = await observation("HTTP", { url, verifyTls: false, redirects: 1 });
  expect(followed).toMatchObject({ outcome: "reached", detail: { statusCode: 200 }, tls: { validTo } });
});

test("behavior 10.90: a check without TLS has none", async () => {
  using server = await startServer(answering("HTTP/1.1 200 OK\r\n\r\n"));
  const seen = await observation("HTTP", { url: `http://127.0.0.1:${server.port}/` });
  expect(seen).not.toHaveProperty("tls");
});
