import { expect, test } from "bun:test";
import { observation } from "../../support/probes/observation.ts";
import { isMissing } from "../../support/requirements.ts";
import { startDigestServer } from "../../support/servers/digest-server.ts";
import { startDnsServer } from "../../support/servers/dns-server.ts";
import { answer, startHttpServer } from "../../support/servers/http-answers.ts";
import { startHttpProxy, startSocksProxy } from "../../support/servers/proxies.ts";
import { startApache, startLighttpd } from "../../support/servers/real/digest.ts";

const digestAuth = { user: "ada", password: "s3cret word" };
const expectOk = { expect: { status: [200] } };
const check = (port: number, more: object = {}, options: object = {}) =>
  observation("HTTP", { url: `http://127.0.0.1:${port}/`, digestAuth, ...expectOk, ...more }, options);

test.skipIf(isMissing(["curl"]))("the stand-in signs in curl, and nobody with another password", async () => {
  for (const algorithms of [["MD5"], ["SHA-256"], ["MD5-sess"], ["SHA-256-sess"], ["MD5", "SHA-256"]]) {
    using server = await startDigestServer({ algorithms, stale: 1 });
    const curl = async (password: string) => {
      const url = `http://127.0.0.1:${server.port}/a?b=c`;
      const args = [
        "curl",
        "-s",
        "-o",
        "/dev/null",
        "-w",
        "%{http_code}",
        "--digest",
        "-u",
        `ada:${password}`,
        url,
      ];
      return await new Response(Bun.spawn(args, { stdout: "pipe" }).stdout).text();
    };
    expect([await curl(digestAuth.password), await curl("wrong")]).toEqual(["200", "401"]);
  }
});

test.each([["SHA-256"], ["MD5"], ["SHA-256-sess"], ["MD5-sess"], ["sha-256"]])(
  "behavior 26.40, 26.41: a check signs in with %s on the same check, and the last answer is judged",
  async (algorithm) => {
    using server = await startDigestServer({ algorithms: [algorithm] });
    const seen = await check(server.port, { url: `http://127.0.0.1:${server.port}/a%20b?c=%22d` });
    expect(seen).toMatchObject({ outcome: "reached", detail: { statusCode: 200 } });
    expect(server.authorizations[0]).toBeUndefined();
    expect(server.authorizations[1]).toContain(`algorithm=${algorithm}`);
    expect(server.requests).toHaveLength(2);
  },
);

test("behavior 26.41: the best algorithm wins, in whichever order they are offered", async () => {
  using server = await startDigestServer({ algorithms: ["SHA-512-256", "MD5", "SHA-256"] });
  expect(await check(server.port)).toMatchObject({ outcome: "reached" });
  expect(server.authorizations[1]).toContain("algorithm=SHA-256,");
});

const credentials = { user: "grace", password: 'w0rd "with" ümlaut' };

test.skipIf(isMissing(["lighttpd"])).each(["SHA-256", "MD5"] as const)(
  "behavior 26.40, 26.41: lighttpd signs in a check with %s, and refuses another password",
  async (algorithm) => {
    await using server = await startLighttpd(credentials, algorithm);
    const [port = 0] = server.ports;
    expect(await check(port, { digestAuth: credentials })).toMatchObject({
      outcome: "reached",
      detail: { statusCode: 200 },
    });
    expect(await check(port)).toMatchObject({
      outcome: "failed",
      reason: "unexpected",
      detail: { statusCode: 401 },
    });
  },
);

test.skipIf(isMissing(["apache2", "/usr/lib/apache2/modules/mod_auth_digest.so"]))(
  "behavior 26.40, 26.41: Apache signs in a check, and refuses another password",
  async () => {
    await using server = await startApache(credentials);
    const [port = 0] = server.ports;
    expect(await check(port, { digestAuth: credentials })).toMatchObject({
      outcome: "reached",
      detail: { statusCode: 200 },
    });
    expect(await check(port)).toMatchObject({
      outcome: "failed",
      reason: "unexpected",
      detail: { statusCode: 401 },
    });
  },
);

test("behavior 26.40: the method and the body of the config are sent in both requests", async () => {
  using server = await startDigestServer();
  const seen = await check(server.port, {
    method: "POST",
    body: "müsli=1",
    headers: { "Content-Type": "text/plain" },
  });
  expect(seen).toMatchObject({ outcome: "reached" });
  for (const request of server.requests) {
    expect(request).toStartWith("POST / HTTP/1.1\r\n");
    expect(request).toContain("Content-Type: text/plain\r\n");
    expect(request).toContain("Content-Length: 8\r\n");
  }
  expect(server.received().match(/müsli=1/g)).toHaveLength(2);
});

test("behavior 26.40: the latency has both requests", async () => {
  using server = await startDigestServer();
  const start = performance.now();
  const seen = await check(server.port);
  const tookMs = performance.now() - start;
  if (seen.outcome !== "reached" || seen.latencyMs === null) throw new Error("not reached");
  const { connect = 0, firstByte = 0 } = seen.detail.phases as { connect?: number; firstByte?: number };
  expect(seen.latencyMs).toBeGreaterThan(connect + firstByte);
  expect(seen.latencyMs).toBeLessThan(tookMs);
});

test("behavior 26.42: a stale nonce is answered once more, and not again", async () => {
  using once = await startDigestServer({ stale: 1 });
  expect(await check(once.port)).toMatchObject({ outcome: "reached", detail: { statusCode: 200 } });
  expect(once.requests).toHaveLength(3);
  using always = await startDigestServer({ stale: 100 });
  expect(await check(always.port)).toMatchObject({
    outcome: "failed",
    reason: "unexpected",
    detail: { message: "401 Unauthorized, expected 200; the server calls each nonce of Digest too old" },
  });
  expect(always.requests).toHaveLength(3);
});

test("behavior 26.44: a wrong password is sent once, and the 401 is judged with a message that names the reason", async () => {
  using server = await startDigestServer({ password: "another" });
  const message = "the server refuses the user or the password of config.digestAuth";
  expect(await check(server.port)).toMatchObject({
    outcome: "failed",
    reason: "unexpected",
    latencyMs: expect.any(Number),
    detail: { statusCode: 401, message: `401 Unauthorized, expected 200; ${message}` },
  });
  expect(server.requests).toHaveLength(2);
  expect(await check(server.port, { expect: undefined })).toMatchObject({
    outcome: "reached",
    detail: { statusCode: 401, message },
  });
});

test("behavior 26.44: a server that asks for nothing is judged by its first answer", async () => {
  using server = await startHttpServer(() => answer("204 No Content"));
  expect(await check(server.port, { expect: { status: [204] } })).toMatchObject({ outcome: "reached" });
  expect(server.received().match(/^GET /gm)).toHaveLength(1);
});

test("behavior 26.44: a server that asks for Basic gets no credentials", async () => {
  using server = await startHttpServer(() =>
    answer("401 Unauthorized", ['WWW-Authenticate: Basic realm="x"']),
  );
  expect(await check(server.port)).toMatchObject({
    outcome: "failed",
    detail: {
      message:
        "401 Unauthorized, expected 200; the server asks for Basic (set config.basicAuth), not for Digest",
    },
  });
  expect(server.received()).not.toContain("Authorization");
});

test("behavior 26.43: only the origin of the URL gets an answer to a challenge", async () => {
  using other = await startDigestServer();
  using first = await startHttpServer(() =>
    answer("302 Found", [`Location: http://127.0.0.1:${other.port}/`]),
  );
  expect(await check(first.port, { redirects: 1 })).toMatchObject({
    outcome: "failed",
    detail: { statusCode: 401 },
  });
  expect(other.authorizations).toEqual([undefined]);
});

test("behavior 26.43: a redirect to the same origin signs in again", async () => {
  using server = await startDigestServer({
    reply: (path) => (path === "/" ? answer("302 Found", ["Location: /next?a=b"]) : answer("200 OK")),
  });
  const seen = await check(server.port, { redirects: 1 });
  expect(seen).toMatchObject({ outcome: "reached", detail: { statusCode: 200 } });
  expect(server.requests.map((request) => request.split(" ")[1])).toEqual([
    "/",
    "/",
    "/next?a=b",
    "/next?a=b",
  ]);
});

test("behavior 26.43: the answer goes to the address that asked, although the name has several", async () => {
  using server = await startDigestServer();
  using dns = await startDnsServer({
    "A many.test": ["127.0.0.1", "127.0.0.2"].map((data) => ({
      type: "A" as const,
      name: "many.test",
      data,
    })),
  });
  for (let checks = 0; checks < 3; checks++) {
    const seen = await check(
      server.port,
      { url: `http://many.test:${server.port}/`, everyAddress: true },
      { dnsServers: [dns] },
    );
    expect(seen).toMatchObject({ outcome: "by_address" });
    if (seen.outcome !== "by_address") continue;
    const reached = seen.addresses.find(({ address }) => address === "127.0.0.1");
    expect(reached?.evidence).toMatchObject({
      outcome: "reached",
      detail: { statusCode: 200, address: "127.0.0.1" },
    });
  }
});

test("behavior 26.46: a realm that is not UTF-8 comes back byte for byte", async () => {
  const nonce = 'nonce="n", qop="auth"';
  using server = await startHttpServer((_, request) =>
    request.includes("Authorization")
      ? answer("200 OK")
      : Buffer.from(`HTTP/1.1 401 No\r\nWWW-Authenticate: Digest realm="für", ${nonce}\r\n\r\n`, "latin1"),
  );
  expect(await check(server.port, { digestAuth: { user: "ada", password: "x" } })).toMatchObject({
    outcome: "reached",
  });
});

test("behavior 26.47: what an answer repeats of the proof is hidden in a sample", async () => {
  using server = await startDigestServer({ reply: (_, request) => answer("200 OK", [], request) });
  const seen = await check(server.port, {}, { isSampled: true });
  if (seen.outcome !== "reached" || !seen.sample?.body) throw new Error("no sample");
  const [, response = ""] = /response="([^"]*)"/.exec(server.authorizations[1] ?? "") ?? [];
  expect(response).toHaveLength(64);
  expect(seen.sample.body).toContain('response="•••"');
  expect(JSON.stringify(seen)).not.toContain(response);
});

test("behavior 26.45: a hostile challenge is a 401 without an answer", async () => {
  using server = await startHttpServer(() =>
    answer(
      "401 Unauthorized",
      Array.from({ length: 60 }, () => `WWW-Authenticate: Digest realm="${"x".repeat(900)}`),
    ),
  );
  expect(await check(server.port)).toMatchObject({
    outcome: "failed",
    reason: "unexpected",
    detail: { statusCode: 401 },
  });
});

test.each([
  ["HTTP", startHttpProxy],
  ["SOCKS", startSocksProxy],
])(
  "behavior 26.29, 26.40: a check signs in through a proxy of %s, with the path in the proof",
  async (_, start) => {
    const names = { "camera.test": "127.0.0.1" };
    using server = await startDigestServer();
    using proxy = await start({ names });
    const url = `http://camera.test:${server.port}/a?b=c`;
    expect(await check(server.port, { url, proxy: { url: proxy.url } })).toMatchObject({
      outcome: "reached",
    });
    expect(server.authorizations[1]).toContain('uri="/a?b=c"');
    expect(proxy.asked).toHaveLength(2);
  },
);

test("behavior 26.43, 26.100: the cookies of a challenge come back with its answer, and are hidden", async () => {
  using server = await startHttpServer((_, request) =>
    /^Cookie: node=blue-of-many\r$/m.test(request) && request.includes("\r\nAuthorization: Digest ")
      ? answer("200 OK", [], request)
      : answer("401 Unauthorized", [
          'WWW-Authenticate: Digest realm="a", nonce="n", qop="auth"',
          "Set-Cookie: node=blue-of-many",
        ]),
  );
  const seen = await check(server.port, {}, { isSampled: true });
  expect(seen).toMatchObject({
    outcome: "reached",
    sample: { body: expect.stringContaining("Cookie: node=•••") },
  });
});

test("behavior 26.43: with steps, only the origin of the first one gets an answer to a challenge", async () => {
  using first = await startDigestServer();
  using other = await startDigestServer();
  const steps = [first, first, other].map(({ port }) => ({ url: `http://127.0.0.1:${port}/`, ...expectOk }));
  const seen = await observation("HTTP", { digestAuth, steps });
  expect(seen).toMatchObject({
    outcome: "failed",
    reason: "unexpected",
    detail: {
      message: "step 3: 401 Unauthorized, expected 200",
      steps: [{ statusCode: 200 }, { statusCode: 200 }, {}],
    },
  });
  expect(first.requests).toHaveLength(4);
  expect(other.authorizations).toEqual([undefined]);
});
