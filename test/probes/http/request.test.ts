import { expect, test } from "bun:test";
import type { HttpConfig } from "../../../src/domain/monitors/kinds/http.ts";
import { observation } from "../../support/probes/observation.ts";
import { createAuthority } from "../../support/servers/certificates.ts";
import { startDnsServer } from "../../support/servers/dns-server.ts";
import { answer, startHttpServer } from "../../support/servers/http-answers.ts";
import { answering, startServer } from "../../support/servers/tcp-server.ts";

type Sent = Omit<HttpConfig, "url" | "interval">;

/** The request that a config sends: its first line, its headers by lower-case name, and its body. */
async function requestOf(
  config: Sent,
): Promise<{ line: string; headers: Record<string, string>; body: string }> {
  using server = await startServer((socket) => {
    let read = "";
    socket.on("data", (chunk: Buffer) => {
      read += chunk.toString();
      const [, length = "0"] = /content-length: (\d+)/i.exec(read) ?? [];
      const start = read.indexOf("\r\n\r\n") + 4;
      if (start > 3 && Buffer.byteLength(read.slice(start)) >= Number(length)) socket.end(answer("200 OK"));
    });
  });
  const seen = await observation("HTTP", { url: `http://127.0.0.1:${server.port}/a?b=c`, ...config });
  expect(seen).toMatchObject({ outcome: "reached", detail: { statusCode: 200 } });
  const [head = "", body = ""] = server.received().split(/\r\n\r\n(.*)/s);
  const [line = "", ...headers] = head.replaceAll(`127.0.0.1:${server.port}`, "SERVER").split("\r\n");
  const pairs = headers.map((one) => one.split(/: (.*)/s));
  expect(new Set(pairs.map(([name = ""]) => name.toLowerCase())).size).toBe(pairs.length);
  return {
    line,
    body,
    headers: Object.fromEntries(pairs.map(([name = "", value = ""]) => [name.toLowerCase(), value])),
  };
}

const DEFAULTS = { host: "SERVER", "user-agent": "stillup", accept: "*/*", connection: "close" };

test.each<[Sent, string, Record<string, string>, string]>([
  [{ method: "GET" }, "GET", DEFAULTS, ""],
  [{ method: "HEAD" }, "HEAD", DEFAULTS, ""],
  [{ method: "OPTIONS" }, "OPTIONS", DEFAULTS, ""],
  [{ method: "DELETE" }, "DELETE", DEFAULTS, ""],
  [{ method: "POST" }, "POST", { ...DEFAULTS, "content-length": "0" }, ""],
  [{ method: "POST", body: "a=ü" }, "POST", { ...DEFAULTS, "content-length": "4" }, "a=ü"],
  [
    { method: "PUT", body: '{"a":1}' },
    "PUT",
    { ...DEFAULTS, "content-type": "application/json", "content-length": "7" },
    '{"a":1}',
  ],
  [
    { method: "PATCH", body: "{}", headers: { "Content-type": "text/plain" } },
    "PATCH",
    { ...DEFAULTS, "content-type": "text/plain", "content-length": "2" },
    "{}",
  ],
  [
    { headers: { HOST: "other.test", "user-agent": "me", Accept: "text/html", "X-Key": "a b\tc" } },
    "GET",
    { host: "other.test", "user-agent": "me", accept: "text/html", "x-key": "a b\tc", connection: "close" },
    "",
  ],
  [
    { basicAuth: { user: "ünser", password: "a:b" } },
    "GET",
    { ...DEFAULTS, authorization: `Basic ${Buffer.from("ünser:a:b").toString("base64")}` },
    "",
  ],
])("behavior 10.1, 10.2, 10.4, 10.5: %j is sent", async (config, method, headers, body) => {
  const sent = await requestOf(config);
  expect(sent).toEqual({ line: `${method} /a?b=c HTTP/1.1`, headers, body });
});

test("behavior 10.2, 10.4: a body of 64 KiB and headers of 8 KiB are sent in full", async () => {
  const body = "0123456789abcdef".repeat(4096);
  const headers = { "X-Long": "x".repeat(8000) };
  const sent = await requestOf({ method: "POST", body, headers });
  expect(sent.body).toBe(body);
  expect(sent.headers["x-long"]).toBe(headers["X-Long"]);
});

test("behavior 10.9: a certificate that is not valid is accepted if it is not verified", async () => {
  const tls = await (await createAuthority()).issue([{ type: "dns", value: "other.test" }]);
  using server = await startServer(answering("HTTP/1.1 200 OK\r\n\r\n"), { tls });
  const url = `https://127.0.0.1:${server.port}/`;
  expect(await observation("HTTP", { url, verifyTls: false })).toMatchObject({
    outcome: "reached",
    detail: { phases: { tls: expect.any(Number) } },
  });
  expect(await observation("HTTP", { url, verifyTls: true })).toMatchObject({ reason: "tls_invalid" });
});

test("behavior 10.10: only addresses of the chosen version of IP are used", async () => {
  const name = "both.test";
  using dns = await startDnsServer({
    [`AAAA ${name}`]: [{ type: "AAAA", name, data: "::1" }],
    [`A ${name}`]: [{ type: "A", name, data: "127.0.0.1" }],
    "A four.test": [{ type: "A", name: "four.test", data: "127.0.0.1" }],
  });
  using four = await startHttpServer(() => answer("204 No Content"));
  using _six = await startHttpServer(() => answer("206 Partial Content"), { host: "::1", port: four.port });
  const seen = (host: string, ipFamily: 4 | 6) =>
    observation("HTTP", { url: `http://${host}:${four.port}/`, ipFamily }, { dnsServers: [dns] });
  expect(await seen(name, 4)).toMatchObject({ detail: { statusCode: 204, address: "127.0.0.1" } });
  expect(await seen(name, 6)).toMatchObject({ detail: { statusCode: 206, address: "::1" } });
  expect(await seen("four.test", 6)).toMatchObject({
    reason: "dns_not_found",
    detail: { message: "four.test has no IPv6 address in the DNS" },
  });
  expect(await seen("localhost", 4)).toMatchObject({ detail: { statusCode: 204 } });
});
