import { beforeAll, describe, expect, test } from "bun:test";
import type { Socket } from "node:net";
import fc from "fast-check";
import type { HttpConfig } from "../../../src/domain/monitors/kinds/http.ts";
import { observation } from "../../support/probes/observation.ts";
import { createAuthority, type ServerCertificate } from "../../support/servers/certificates.ts";
import { answer, startHttpServer } from "../../support/servers/http-answers.ts";
import { type ProxyOptions, startHttpProxy, startSocksProxy } from "../../support/servers/proxies.ts";
import { answering, closedPort, silent, startServer } from "../../support/servers/tcp-server.ts";

/** Only the proxies of these tests know it: `.invalid` has no address (RFC 6761). */
const NAME = "shop.invalid";
const KNOWN = { names: { [NAME]: "127.0.0.1" } };
const LOGIN = { user: "ünser", password: "s3cret:%" };

let certificate: ServerCertificate;
beforeAll(async () => {
  certificate = await (await createAuthority()).issue([{ type: "dns", value: NAME }]);
});

type Given = Partial<HttpConfig> & Pick<HttpConfig, "proxy">;

const check = (url: string, given: Given, options = {}) =>
  observation("HTTP", { url, verifyTls: false, ...given }, options);

const proxies = [
  ["an HTTP proxy", startHttpProxy],
  ["a SOCKS proxy", startSocksProxy],
] as const;

describe.each(proxies)("through %s", (name, start) => {
  test.each(["http", "https"])(
    "behavior 26.20, 26.21: an %s URL is checked, whose name only the proxy knows",
    async (scheme) => {
      using server = await startHttpServer((_, request) => answer("200 OK", [], request), {
        ...(scheme === "https" && { tls: certificate }),
      });
      using proxy = await start({ ...KNOWN, login: LOGIN });
      const url = `${scheme}://${NAME}:${server.port}/path?query`;
      const seen = await check(url, {
        proxy: { url: proxy.url, ...LOGIN },
        expect: { contains: ["GET /path?query HTTP/1.1"] },
      });
      expect(seen).toMatchObject({ outcome: "reached", detail: { statusCode: 200 } });
      const isForwarded = scheme === "http" && name === "an HTTP proxy";
      expect(proxy.asked).toEqual([isForwarded ? `GET ${url}` : `${NAME}:${server.port}`]);
      expect(server.received()).not.toContain(LOGIN.password);
      expect(server.received()).not.toContain(
        Buffer.from(`${LOGIN.user}:${LOGIN.password}`).toString("base64"),
      );
    },
  );

  test("behavior 26.26: the result has no address, and its phases are those of the way to the target", async () => {
    using server = await startHttpServer(() => answer("200 OK"), { tls: certificate });
    using proxy = await start(KNOWN);
    const seen = await check(`https://${NAME}:${server.port}/`, { proxy: { url: proxy.url } });
    expect(seen).not.toHaveProperty("told");
    const { detail, latencyMs, tls } = seen as {
      detail: Record<string, unknown>;
      latencyMs: number;
      tls: object;
    };
    expect(detail).not.toHaveProperty("address");
    const { phases } = detail as { phases: Record<string, number> };
    expect(Object.keys(phases).sort()).toEqual(["connect", "firstByte", "resolve", "tls"]);
    expect(Object.values(phases).reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(latencyMs + 0.01);
    expect(tls).toMatchObject({ protocol: "TLSv1.3" });
  });

  test("behavior 26.21: IP addresses in URLs are passed on as such", async () => {
    using four = await startHttpServer(() => answer("200 OK"), { tls: certificate });
    using six = await startHttpServer(() => answer("200 OK"), { tls: certificate, host: "::1" });
    using proxy = await start();
    const given = { proxy: { url: proxy.url } };
    expect(await check(`https://127.0.0.1:${four.port}/`, given)).toMatchObject({ outcome: "reached" });
    expect(await check(`https://[::1]:${six.port}/`, given)).toMatchObject({ outcome: "reached" });
    const bracketed = name === "an HTTP proxy" ? `[::1]:${six.port}` : `::1:${six.port}`;
    expect(proxy.asked).toEqual([`127.0.0.1:${four.port}`, bracketed]);
  });

  test("behavior 26.29: each redirect goes through the proxy too", async () => {
    using last = await startHttpServer(() => answer("200 OK"), { tls: certificate });
    using first = await startHttpServer(() =>
      answer("302 Found", [`Location: https://${NAME}:${last.port}/`]),
    );
    using proxy = await start(KNOWN);
    const seen = await check(`http://${NAME}:${first.port}/`, { proxy: { url: proxy.url }, redirects: 2 });
    expect(seen).toMatchObject({ outcome: "reached", detail: { statusCode: 200 } });
    expect(proxy.asked).toHaveLength(2);
  });

  test("behavior 26.22: a proxy that can't be reached makes the check inconclusive", async () => {
    const scheme = name === "an HTTP proxy" ? "http" : "socks5";
    const through = (host: string) => check(`https://${NAME}/`, { proxy: { url: `${scheme}://${host}` } });
    expect(await through(`127.0.0.1:${await closedPort()}`)).toEqual({
      outcome: "inconclusive",
      reason: "proxy_failed",
      message: "the proxy can't be reached: the connection was refused: nothing listens on that port",
    });
    expect(await through("proxy.invalid:3128")).toMatchObject({
      outcome: "inconclusive",
      reason: "proxy_failed",
    });
  });

  test("behavior 26.22: a login that is missing or wrong is a fault of the config", async () => {
    using proxy = await start({ ...KNOWN, login: LOGIN });
    for (const scheme of ["http", "https"])
      for (const login of [
        {},
        { ...LOGIN, password: "wrong" },
        { user: "other", password: LOGIN.password },
      ]) {
        const seen = await check(`${scheme}://${NAME}/`, { proxy: { url: proxy.url, ...login } });
        expect(seen).toEqual({
          outcome: "inconclusive",
          reason: "proxy_failed",
          message: expect.stringContaining("config.proxy.user and config.proxy.password"),
        });
      }
  });

  test.each([
    ["breaks off", (client: Socket) => void client.end()],
    ["resets the connection", (client: Socket) => void client.resetAndDestroy()],
    ["speaks another protocol", (client: Socket) => void client.end("220 mail.example.com ESMTP\r\n")],
    [
      "breaks off within its answer",
      (client: Socket) => void client.end(name === "an HTTP proxy" ? "HTTP/1.1 2" : "\x05"),
    ],
  ])("behavior 26.22: a proxy that %s makes the check inconclusive", async (_, answered) => {
    using proxy = await start({ answer: answered });
    for (const scheme of ["http", "https"])
      expect(await check(`${scheme}://${NAME}/`, { proxy: { url: proxy.url } })).toEqual({
        outcome: "inconclusive",
        reason: "proxy_failed",
        message: expect.stringMatching(
          /^(the proxy broke off the connection before it answered|what listens at config\.proxy\.url does not speak .+)$/,
        ),
      });
  });

  test("behavior 26.23: silence after the request to connect is a timeout of the target", async () => {
    using proxy = await start({ answer: silent });
    expect(await check(`https://${NAME}/`, { proxy: { url: proxy.url } }, { timeout: 200 })).toMatchObject({
      outcome: "failed",
      reason: "timeout",
      facts: { step: "connect" },
    });
  });

  test("behavior 26.23: what the target does within the tunnel is its own", async () => {
    using closing = await startServer((socket) => void socket.once("data", () => socket.end()));
    using plain = await startServer(answering("HTTP/1.1 400 Bad Request\r\n\r\n"));
    using speaking = await startServer((socket) => void socket.write("SSH-2.0-OpenSSH_9.2\r\n"));
    using proxy = await start(KNOWN);
    const reasonAt = async ({ port }: { port: number }) =>
      (await check(`https://${NAME}:${port}/`, { proxy: { url: proxy.url } })) as { reason?: string };
    expect((await reasonAt(closing)).reason).toBe("closed");
    expect((await reasonAt(plain)).reason).toBe("tls_failed");
    expect((await reasonAt(speaking)).reason).toBe("tls_failed");
  });

  test("behavior 26.21: a certificate of the target is verified for its own name", async () => {
    using server = await startHttpServer(() => answer("200 OK"), { tls: certificate });
    using proxy = await start(KNOWN);
    const seen = await check(`https://${NAME}:${server.port}/`, {
      proxy: { url: proxy.url },
      verifyTls: true,
    });
    expect(seen).toMatchObject({ outcome: "failed", reason: "tls_invalid" });
  });

  test("behavior 26.28: with --private-targets deny, no proxy is used", async () => {
    using proxy = await start(KNOWN);
    const given = { proxy: { url: proxy.url } };
    const seen = await check(`https://${NAME}/`, given, { privateTargets: "deny" });
    expect(seen).toEqual({
      outcome: "inconclusive",
      reason: "proxy_failed",
      message: "the settings of this machine do not allow a proxy (--private-targets deny)",
    });
    expect(proxy.received()).toBe("");
  });

  test("behavior 26.21: ipFamily is about the connection to the proxy", async () => {
    using server = await startHttpServer(() => answer("200 OK"), { tls: certificate });
    using proxy = await start(KNOWN);
    const url = proxy.url.replace("127.0.0.1", "localhost");
    const seen = (ipFamily: 4 | 6) => check(`https://${NAME}:${server.port}/`, { proxy: { url }, ipFamily });
    expect(await seen(4)).toMatchObject({ outcome: "reached" });
    expect(await seen(6)).toMatchObject({ outcome: "inconclusive", reason: "proxy_failed" });
  });
});

describe("an HTTP proxy", () => {
  const answered = async (scheme: string, options: ProxyOptions, given: Partial<HttpConfig> = {}) => {
    using proxy = await startHttpProxy(options);
    return await check(`${scheme}://${NAME}/`, { proxy: { url: proxy.url }, ...given });
  };

  test.each([
    ["403 Forbidden", "the proxy answered 403 Forbidden: it does not allow a connection to this server"],
    ["400 Bad Request", "the proxy answered 400 Bad Request"],
    ["500 Internal Server Error", "the proxy answered 500 Internal Server Error"],
  ])("behavior 26.22: that answers %s to CONNECT makes the check inconclusive", async (status, message) => {
    expect(await answered("https", { answer: answer(status) })).toEqual({
      outcome: "inconclusive",
      reason: "proxy_failed",
      message,
    });
  });

  test.each([
    ["502 Bad Gateway", "unreachable"],
    ["503 Service Unavailable", "unreachable"],
    ["504 Gateway Timeout", "timeout"],
  ])("behavior 26.23: that answers %s to CONNECT says that the target is %s", async (status, reason) => {
    expect(await answered("https", { answer: answer(status, ["X-From: proxy"], "its page") })).toMatchObject({
      outcome: "failed",
      reason,
      detail: { message: `the proxy can't reach the server: it answered ${status}` },
    });
  });

  test("behavior 26.23: any other answer of success to CONNECT opens the tunnel, also after an interim answer", async () => {
    using server = await startHttpServer(() => answer("200 OK"), { tls: certificate });
    using proxy = await startHttpProxy({
      ...KNOWN,
      established: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 204 Go\r\nContent-Length: 12\r\n\r\n",
    });
    const seen = await check(`https://${NAME}:${server.port}/`, { proxy: { url: proxy.url } });
    expect(seen).toMatchObject({ outcome: "reached" });
  });

  test("behavior 26.24: a 403 of a forwarded request is one of the proxy, unless it was forwarded", async () => {
    const expectations = { expect: { status: [403] } };
    const ours = { outcome: "inconclusive", reason: "proxy_failed" };
    expect(await answered("http", { answer: answer("403 Forbidden") }, expectations)).toMatchObject(ours);
    const ofSquid = answer("403 Forbidden", ["Via: 1.1 squid", "X-Squid-Error: ERR_ACCESS_DENIED 0"]);
    expect(await answered("http", { answer: ofSquid })).toMatchObject(ours);
    using server = await startHttpServer(() => answer("403 Forbidden"));
    using proxy = await startHttpProxy(KNOWN);
    const given = { proxy: { url: proxy.url }, ...expectations };
    const seen = await check(`http://${NAME}:${server.port}/`, given);
    expect(seen).toMatchObject({ outcome: "reached", detail: { statusCode: 403 } });
  });

  test("behavior 26.24: a gateway error of a forwarded request is down, also if the config expects no status", async () => {
    using proxy = await startHttpProxy(KNOWN);
    const refusing = `http://${NAME}:${await closedPort()}/`;
    expect(await check(refusing, { proxy: { url: proxy.url } })).toMatchObject({
      outcome: "failed",
      reason: "unreachable",
      detail: { message: "the proxy can't reach the server: it answered 502 Bad Gateway" },
    });
    const expecting = { proxy: { url: proxy.url }, expect: { status: [200] } };
    expect(await check(refusing, expecting)).toMatchObject({
      reason: "unexpected",
      detail: { statusCode: 502 },
    });
    using broken = await startHttpServer(() => answer("503 Service Unavailable"));
    const answeredItself = await check(`http://${NAME}:${broken.port}/`, { proxy: { url: proxy.url } });
    expect(answeredItself).toMatchObject({ outcome: "reached", detail: { statusCode: 503 } });
  });

  test("behavior 26.25: a forwarded request asks for no stored answer, unless its own headers say otherwise", async () => {
    using server = await startHttpServer((_, request) => answer("200 OK", [], request));
    using proxy = await startHttpProxy(KNOWN);
    const url = `http://${NAME}:${server.port}/`;
    const sent = async (headers?: Record<string, string>) => {
      await check(url, {
        proxy: { url: proxy.url },
        method: "POST",
        body: "a=b",
        ...(headers && { headers }),
      });
      return server.received().split("POST ").at(-1) ?? "";
    };
    expect(await sent()).toContain("\r\nCache-Control: no-cache\r\n");
    expect(await sent()).toEndWith("\r\n\r\na=b");
    const own = await sent({ "cache-control": "only-if-cached" });
    expect(own.match(/cache-control: [^\r]+/gi)).toEqual(["cache-control: only-if-cached"]);
  });

  test("behavior 26.23: silence after a forwarded request is a timeout of the target", async () => {
    using proxy = await startHttpProxy({ answer: silent });
    const seen = await check(`http://${NAME}/`, { proxy: { url: proxy.url } }, { timeout: 200 });
    expect(seen).toMatchObject({ outcome: "failed", reason: "timeout" });
  });
});

describe("a SOCKS proxy", () => {
  test.each([
    [1, "the proxy reports a general failure"],
    [2, "the proxy does not allow a connection to this server"],
    [7, "the proxy does not open connections"],
    [8, "the proxy does not take this kind of address"],
    [99, "the proxy refuses with SOCKS reply 99"],
  ])("behavior 26.22: reply %d makes the check inconclusive", async (reply, message) => {
    using proxy = await startSocksProxy({ reply });
    const seen = await check(`https://${NAME}/`, { proxy: { url: proxy.url } });
    expect(seen).toEqual({ outcome: "inconclusive", reason: "proxy_failed", message });
  });

  test.each([
    [3, "unreachable"],
    [4, "unreachable"],
    [5, "refused"],
    [6, "unreachable"],
  ])("behavior 26.23: reply %d says that the target is %s", async (reply, reason) => {
    using proxy = await startSocksProxy({ reply });
    const seen = await check(`http://${NAME}/`, { proxy: { url: proxy.url } });
    expect(seen).toMatchObject({ outcome: "failed", reason, facts: { step: "connect" } });
  });

  test.each([0xff, 1, 2])(
    "behavior 26.22: method %d, which was not offered, makes the check inconclusive",
    async (method) => {
      using proxy = await startSocksProxy({ method });
      const seen = await check(`https://${NAME}/`, { proxy: { url: proxy.url } });
      expect(seen).toMatchObject({ outcome: "inconclusive", reason: "proxy_failed" });
    },
  );

  test("behavior 26.22: a proxy that does not greet makes the check inconclusive", async () => {
    using proxy = await startServer(silent);
    const given = { proxy: { url: `socks5://127.0.0.1:${proxy.port}` } };
    expect(await check(`https://${NAME}/`, given, { timeout: 200 })).toEqual({
      outcome: "inconclusive",
      reason: "proxy_failed",
      message: "the proxy did not answer within 0.2 s",
    });
  });

  test("behavior 26.20: a proxy without a login takes one all the same, or needs none", async () => {
    using server = await startHttpServer(() => answer("200 OK"));
    using open = await startSocksProxy(KNOWN);
    const given = { proxy: { url: open.url, ...LOGIN } };
    expect(await check(`http://${NAME}:${server.port}/`, given)).toMatchObject({ outcome: "reached" });
  });

  test("behavior 26.20: answers are read in whatever pieces they arrive", async () => {
    using server = await startServer((socket) => {
      const bytes = Buffer.from([5, 0, 5, 0, 0, 4, ...Array(18).fill(0), ...answer("200 OK", [], "done")]);
      let at = 0;
      const next = () => {
        if (at < bytes.length) socket.write(bytes.subarray(at, ++at), () => setImmediate(next));
        else socket.end();
      };
      socket.once("data", next);
    });
    const given = { proxy: { url: `socks5://127.0.0.1:${server.port}` }, expect: { contains: ["done"] } };
    expect(await check(`http://${NAME}/`, given)).toMatchObject({ outcome: "reached" });
  });
});

describe.each(proxies)("tokens through %s", (_, start) => {
  test.each(["http", "https"])(
    "behavior 26.29: a token is requested through the proxy too, over %s",
    async (scheme) => {
      const token = JSON.stringify({
        access_token: "aTokenOfTheTests",
        token_type: "Bearer",
        expires_in: 3600,
      });
      const length = `Content-Length: ${token.length}`;
      using issuer = await startHttpServer(() => answer("200 OK", [length], token), {
        ...(scheme === "https" && { tls: certificate }),
      });
      using server = await startHttpServer((_, request) =>
        answer(request.includes("Authorization: Bearer aTokenOfTheTests") ? "200 OK" : "401 Unauthorized"),
      );
      using proxy = await start(KNOWN);
      const tokenUrl = `${scheme}://${NAME}:${issuer.port}/token`;
      const oauth2 = { tokenUrl, clientId: "me", clientSecret: `of ${proxy.url} ${scheme}` };
      const seen = await check(`http://${NAME}:${server.port}/`, {
        proxy: { url: proxy.url },
        oauth2,
        expect: {},
      });
      expect(seen).toMatchObject({ outcome: "reached", detail: { statusCode: 200 } });
      expect(proxy.asked).toHaveLength(2);
    },
  );

  test("behavior 26.22, 26.29: a proxy that fails for the token is a fault of the proxy", async () => {
    using proxy = await start({ ...KNOWN, login: LOGIN });
    const oauth2 = {
      tokenUrl: `http://${NAME}/token`,
      clientId: "me",
      clientSecret: `other of ${proxy.url}`,
    };
    const seen = await check(`http://${NAME}/`, { proxy: { url: proxy.url }, oauth2 });
    expect(seen).toMatchObject({ outcome: "inconclusive", reason: "proxy_failed" });
  });
});

const bytes = fc.uint8Array({ maxLength: 64 });
const texts = fc.constantFrom(
  "HTTP/1.1 ",
  "200",
  "403",
  "502",
  " OK",
  "\r\n",
  "\r\n\r\n",
  "Content-Length: 5",
  "\x05\x00",
);
const socks = fc.constantFrom(5, 0, 1, 2, 3, 4, 255);
const replies = fc
  .array(
    fc.oneof(
      bytes,
      texts.map((text) => Buffer.from(text, "latin1")),
      socks.map((one) => Uint8Array.of(one)),
    ),
    { maxLength: 8 },
  )
  .map((parts) => Buffer.concat(parts));

describe("whatever a proxy sends", () => {
  test.each(["http", "socks5"])(
    "behavior 26.22, 26.23: with %s, the check ends at once, and no target is Up",
    async (scheme) => {
      let reply = Buffer.alloc(0);
      using proxy = await startServer((socket) => void socket.once("data", () => socket.end(reply)));
      const given = {
        proxy: { url: `${scheme}://127.0.0.1:${proxy.port}`, user: "me", password: "hush hush" },
      };
      const property = fc.asyncProperty(replies, fc.constantFrom("http", "https"), async (sent, target) => {
        reply = sent;
        // In absolute form, an answer is one of the target.
        if (scheme === "http" && target === "http") return;
        const seen = await check(`${target}://${NAME}/`, given);
        if (seen.outcome === "inconclusive") expect(seen.reason).toBe("proxy_failed");
        else expect(seen.outcome).toBe("failed");
        expect(JSON.stringify(seen)).not.toContain("hush");
      });
      await fc.assert(property, { numRuns: 500 });
    },
  );
});

test("behavior 26.29: each step goes through the proxy", async () => {
  using first = await startHttpServer(() => answer("200 OK"));
  using last = await startHttpServer(() => answer("200 OK"), { tls: certificate });
  using proxy = await startHttpProxy(KNOWN);
  const steps = [{ url: `http://${NAME}:${first.port}/` }, { url: `https://${NAME}:${last.port}/` }];
  const config = { steps, verifyTls: false, proxy: { url: proxy.url } };
  const seen = await observation("HTTP", config);
  expect(seen).toMatchObject({
    outcome: "reached",
    detail: { steps: [{ statusCode: 200 }, { statusCode: 200 }] },
  });
  expect(seen).toHaveProperty("detail", expect.not.objectContaining({ address: expect.anything() }));
  expect(proxy.asked).toEqual([`GET ${steps[0]?.url}`, `${NAME}:${last.port}`]);
});

test.each<[string, typeof startHttpProxy, string | Uint8Array]>([
  ["the head of its answer", startHttpProxy, "HTTP/1.1 200 OK\r\nX-Proxy: a\r\n"],
  ["the address of its reply", startSocksProxy, Uint8Array.of(5, 0, 0, 1, 127)],
])(
  "behavior 26.22: a proxy that never sends the rest of %s makes the check inconclusive",
  async (_, start, part) => {
    using proxy = await start({ answer: (client) => client.write(part) });
    expect(await check(`https://${NAME}/`, { proxy: { url: proxy.url } }, { timeout: 300 })).toMatchObject({
      outcome: "inconclusive",
      reason: "proxy_failed",
      message: "the proxy did not answer within 0.3 s",
    });
  },
);

test("behavior 26.23: the status of an answer to CONNECT counts, also if the rest of it never comes", async () => {
  const answer = (client: Socket) => client.write("HTTP/1.1 502 Bad Gateway\r\nX-Proxy: a\r\n");
  using proxy = await startHttpProxy({ answer });
  expect(await check(`https://${NAME}/`, { proxy: { url: proxy.url } })).toMatchObject({
    outcome: "failed",
    reason: "unreachable",
  });
});

test("behavior 26.22, 26.29: a proxy that fails at a later step makes the check inconclusive", async () => {
  using first = await startHttpServer(() => answer("200 OK"));
  using proxy = await startHttpProxy({ ...KNOWN, refusal: "403 Forbidden" });
  const steps = [{ url: `http://${NAME}:${first.port}/` }, { url: `https://${NAME}/` }];
  const seen = await observation("HTTP", { steps, verifyTls: false, proxy: { url: proxy.url } });
  expect(seen).toMatchObject({ outcome: "inconclusive", reason: "proxy_failed" });
});
