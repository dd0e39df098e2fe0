import { expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import type { HttpConfig } from "../../../src/domain/monitors/kinds/http.ts";
import type { Step } from "../../../src/domain/monitors/kinds/http-steps.ts";
import { parseConfig } from "../../../src/domain/monitors/monitor.ts";
import { readPage } from "../../support/documentation/page.ts";
import { observation } from "../../support/probes/observation.ts";
import { createAuthority } from "../../support/servers/certificates.ts";
import { startDnsServer } from "../../support/servers/dns-server.ts";
import { answer, startHttpServer } from "../../support/servers/http-answers.ts";
import { closedPort, silent, startServer } from "../../support/servers/tcp-server.ts";

type Answers = Parameters<typeof startHttpServer>[0];
type Given = Omit<Step, "url"> & { url?: string };

const json = (value: unknown, headers: string[] = []) =>
  answer("200 OK", ["Content-Type: application/json", ...headers], JSON.stringify(value));

/** Makes steps at one server, whose URLs are paths. @returns the observation, and each request with its body */
async function make(
  answers: Answers,
  steps: Given[],
  { config = {}, ...options }: { config?: Partial<HttpConfig>; timeout?: number; isSampled?: true } = {},
) {
  const requests: string[] = [];
  using server = await startHttpServer((path, request) => {
    requests.push(request);
    return answers(path, request);
  });
  const complete = steps.map(({ url = "/", ...step }) => ({ url: at(server, url), ...step }));
  const seen = await observation("HTTP", { steps: complete, ...config }, options);
  return { seen, requests, port: server.port };
}

function at({ port }: { port: number }, path: string, host = "127.0.0.1"): string {
  return path.startsWith("http") ? path : `http://${host}:${port}${path}`;
}

/** The value of a header of a request; null without it. */
function headerOf(request: string | undefined, name: string): string | null {
  return new RegExp(`^${name}: (.*)\r$`, "im").exec(request ?? "")?.[1] ?? null;
}

const bodyOf = (request: string | undefined) => request?.split("\r\n\r\n")[1];
const pathOf = (request: string | undefined) => request?.split(" ")[1];

/** Takes a value of the first answer and sends it in a second request. */
const carry = async (value: unknown, second: Given) => {
  const { seen, requests } = await make(
    (path) => (path === "/" ? json({ value }) : answer("200 OK")),
    [{ take: { V: "$.value" } }, { url: "/second", ...second }],
  );
  return { seen, request: requests[1] };
};

test("behavior 26.70: steps are made in their order, each on a new connection", async () => {
  const steps = [
    { url: "/a", method: "POST" as const, body: "a=1", headers: { "X-Step": "one" } },
    { name: "second", url: "/b?c=d" },
    { url: "/e", method: "HEAD" as const },
  ];
  const { seen, requests } = await make(() => answer("204 No Content"), steps);
  expect(requests.map((request) => request.split("\r\n")[0])).toEqual([
    "POST /a HTTP/1.1",
    "GET /b?c=d HTTP/1.1",
    "HEAD /e HTTP/1.1",
  ]);
  expect(requests.map((request) => headerOf(request, "X-Step"))).toEqual(["one", null, null]);
  expect(requests.map((request) => headerOf(request, "Connection"))).toEqual(["close", "close", "close"]);
  expect(requests.map(bodyOf)).toEqual(["a=1", "", ""]);
  expect(seen).toMatchObject({ outcome: "reached", detail: { statusCode: 204, address: "127.0.0.1" } });
});

test("behavior 26.71: the latency is the sum of the steps, and the result has each of them", async () => {
  const { seen } = await make(
    (path) => answer(path === "/b" ? "404 Not Found" : "200 OK"),
    [{ name: " sign in ", url: "/a" }, { url: "/b" }, { url: "/c" }],
  );
  if (seen.outcome !== "reached") throw new Error(JSON.stringify(seen));
  const steps = seen.detail.steps as { name: string; statusCode: number; latencyMs: number }[];
  expect(steps.map(({ name, statusCode }) => [name, statusCode])).toEqual([
    ["sign in", 200],
    ["step 2", 404],
    ["step 3", 200],
  ]);
  const sum = steps.reduce((all, { latencyMs }) => all + latencyMs, 0);
  expect(seen.latencyMs).toBeCloseTo(sum, 3);
  expect(steps.every(({ latencyMs }) => latencyMs > 0)).toBe(true);
});

test("behavior 26.72: the first step that fails decides, and its name is in the message", async () => {
  const { seen, requests } = await make(
    (path) => answer(path === "/b" ? "500 Whatever" : "200 OK"),
    [
      { url: "/a", expect: {} },
      { name: "login", url: "/b", expect: {} },
      { url: "/c", expect: {} },
    ],
  );
  expect(requests.map(pathOf)).toEqual(["/a", "/b"]);
  expect(seen).toMatchObject({
    outcome: "failed",
    reason: "unexpected",
    detail: {
      statusCode: 500,
      message: "login: 500 Internal Server Error, expected 2xx",
      steps: [
        { name: "step 1", statusCode: 200 },
        { name: "login", statusCode: 500, latencyMs: expect.any(Number) },
      ],
    },
    facts: { step: "answer", http: { statusCode: 500 } },
  });
});

test("behavior 26.72: a step without an answer has the reason of its check, and neither a status nor a latency", async () => {
  const port = await closedPort();
  const { seen } = await make(
    () => answer("200 OK"),
    [{}, { name: "shop", url: `http://127.0.0.1:${port}/` }],
  );
  expect(seen).toMatchObject({
    outcome: "failed",
    reason: "refused",
    detail: {
      message: "shop: the connection was refused: nothing listens on that port",
      steps: [{ name: "step 1" }, { name: "shop", statusCode: null, latencyMs: null }],
    },
  });
  expect(seen).not.toHaveProperty("latencyMs");
});

test("behavior 26.72: a step is judged by its body and headers as a monitor is", async () => {
  const { seen } = await make(
    () => answer("200 OK", ["X-A: b"], "text"),
    [{ expect: { headers: { "x-a": "b" }, contains: "text" } }, { expect: { lacks: "text" } }],
  );
  expect(seen).toMatchObject({
    reason: "unexpected",
    detail: { message: 'step 2: the body contains "text"', statusCode: 200 },
    facts: { step: "body" },
  });
});

test("behavior 26.72: the slowest excess of within is the one that is named", async () => {
  const { seen } = await make(
    (path) => (socket) => {
      setTimeout(() => socket.end(answer("200 OK")), path === "/slow" ? 80 : 0);
    },
    [{ name: "slow", url: "/slow", expect: { within: 1 } }, { url: "/" }],
  );
  expect(seen).toMatchObject({
    outcome: "reached",
    slowBy: expect.any(Number),
    detail: { message: expect.stringMatching(/^slow: the answer took \d+ ms, expected at most 1 ms$/) },
  });
});

test("behavior 26.73: one timeout holds for all steps together", async () => {
  const { seen } = await make(
    () => (socket) => {
      setTimeout(() => socket.end(answer("200 OK")), 120);
    },
    Array.from({ length: 10 }, () => ({})),
    { timeout: 500 },
  );
  expect(seen).toMatchObject({
    outcome: "failed",
    reason: "timeout",
    detail: { message: expect.stringMatching(/^step [2-5]: no answer within 0.5 s$/) },
  });
});

test("behavior 26.73: the timeout also holds after a step whose body was decoded and matched", async () => {
  const coded = answer("200 OK", ["Content-Encoding: gzip"], gzipSync("ready"));
  const steps = [{ expect: { contains: "ready", matches: "dy$" } }, { url: "/silent" }];
  const { seen } = await make((path) => (path === "/" ? coded : () => {}), steps, { timeout: 1000 });
  expect(seen).toMatchObject({
    outcome: "failed",
    reason: "timeout",
    detail: { message: "step 2: no answer within 1 s" },
  });
});

test("behavior 26.73: a silent step is a timeout that names it", async () => {
  using dead = await startServer(silent);
  const { seen } = await make(() => answer("200 OK"), [{}, { url: `http://127.0.0.1:${dead.port}/` }], {
    timeout: 300,
  });
  expect(seen).toMatchObject({ reason: "timeout", detail: { message: "step 2: no answer within 0.3 s" } });
});

test("behavior 26.74: the credentials go to the origin of the first step, headers and body to the origin of their step", async () => {
  const others: string[] = [];
  using other = await startHttpServer(
    (path, request) => {
      others.push(request);
      return path === "/away"
        ? answer("200 OK")
        : answer("307 Whatever", [`Location: http://127.0.0.1:${port}/back`]);
    },
    { host: "127.0.0.2" },
  );
  let port = 0;
  const requests: string[] = [];
  using server = await startHttpServer((_, request) => {
    requests.push(request);
    return answer("200 OK");
  });
  port = server.port;
  const steps = [
    { url: at(server, "/a"), headers: { "X-Key": "first" } },
    {
      url: at(other, "/away", "127.0.0.2"),
      headers: { "X-Key": "second" },
      method: "POST" as const,
      body: "b=1",
    },
    { url: at(other, "/redirect", "127.0.0.2"), headers: { "X-Key": "third" }, redirects: 1 },
    { url: at(server, "/d") },
  ];
  const seen = await observation("HTTP", { steps, basicAuth: { user: "u", password: "pass-word" } });
  expect(seen).toMatchObject({ outcome: "reached" });
  const shown = (request: string) => [
    headerOf(request, "Authorization"),
    headerOf(request, "X-Key"),
    bodyOf(request),
  ];
  const basic = `Basic ${btoa("u:pass-word")}`;
  expect(requests.map(shown)).toEqual([
    [basic, "first", ""],
    [basic, null, ""],
    [basic, null, ""],
  ]);
  expect(others.map(shown)).toEqual([
    [null, "second", "b=1"],
    [null, "third", ""],
  ]);
});

test("behavior 26.75: a private target of any step is refused", async () => {
  using dns = await startDnsServer({
    "A inside.test": [{ type: "A", name: "inside.test", data: "127.0.0.1" }],
  });
  using server = await startHttpServer(() => answer("200 OK"));
  const steps = [{ url: `http://inside.test:${server.port}/` }, { url: "http://127.0.0.1/" }];
  const seen = await observation("HTTP", { steps }, { dnsServers: [dns], privateTargets: "deny" });
  expect(seen).toMatchObject({
    outcome: "failed",
    reason: "private_target",
    detail: { steps: [{ name: "step 1" }] },
  });
  expect(server.received()).toBe("");
});

test("behavior 26.76: redirects are followed in a step, whose final answer is judged", async () => {
  const { seen, requests } = await make(
    (path) => (path === "/a" ? answer("302 Found", ["Location: /b"]) : answer("200 OK", [], path)),
    [
      { url: "/a", redirects: 1, expect: { contains: "/b" } },
      { url: "/a", expect: { status: [302] } },
    ],
  );
  expect(seen).toMatchObject({ outcome: "reached", detail: { statusCode: 302 } });
  expect(requests.map(pathOf)).toEqual(["/a", "/b", "/a"]);
});

test("behavior 26.77: the facts of TLS and the addresses are of the first step", async () => {
  const { issue } = await createAuthority();
  const tls = await issue([{ type: "dns", value: "shop.test" }]);
  using dns = await startDnsServer({ "A shop.test": [{ type: "A", name: "shop.test", data: "127.0.0.1" }] });
  using secure = await startHttpServer(() => answer("200 OK"), { tls });
  using plain = await startHttpServer(() => answer("200 OK"));
  const steps = [{ url: `https://shop.test:${secure.port}/` }, { url: `http://127.0.0.1:${plain.port}/` }];
  const seen = await observation("HTTP", { steps, verifyTls: false }, { dnsServers: [dns] });
  expect(seen).toMatchObject({
    outcome: "reached",
    tls: { protocol: "TLSv1.3" },
    told: ["127.0.0.1"],
    detail: { phases: { connect: expect.any(Number) } },
  });
  expect(seen).not.toHaveProperty("detail.phases.tls");
});

test("behavior 26.100: later steps get the cookies of steps and their redirects", async () => {
  const { requests } = await make(
    (path) => {
      if (path === "/login") return answer("302 Found", ["Location: /home", "Set-Cookie: sid=1"]);
      return answer("200 OK", path === "/home" ? ["Set-Cookie: home=2"] : []);
    },
    [{ url: "/login", redirects: 1 }, { url: "/orders" }],
  );
  expect(requests.map((request) => headerOf(request, "Cookie"))).toEqual([null, "sid=1", "sid=1; home=2"]);
});

test("behavior 26.80: values are taken from the body, a header and a cookie, and are sent in URL, headers and body", async () => {
  const { seen, requests } = await make(
    () => json({ user: { id: 7, ok: true, big: 0 } }, ["X-Csrf: c1", "Set-Cookie: sid=s1"]),
    [
      { take: { ID: "$.user.id", OK: "$.user['ok']", CSRF: "header:x-csrf", SID: "cookie:sid" } },
      {
        url: "/users/{{ID}}?ok={{OK}}",
        method: "POST",
        headers: { "X-Csrf": "is {{CSRF}}/{{SID}}" },
        body: '{"sid":"{{SID}}","id":{{ID}}}',
      },
    ],
  );
  expect(seen).toMatchObject({ outcome: "reached" });
  expect(pathOf(requests[1])).toBe("/users/7?ok=true");
  expect(headerOf(requests[1], "X-Csrf")).toBe("is c1/s1");
  expect(headerOf(requests[1], "Content-Type")).toBe("application/json");
  expect(bodyOf(requests[1])).toBe('{"sid":"s1","id":7}');
});

test("behavior 26.80: a number is carried on as it is written", async () => {
  const { requests } = await make(
    (path) =>
      path === "/" ? answer("200 OK", [], '{"id":12345678901234567890,"price":1.10}') : answer("200 OK"),
    [{ take: { ID: "$.id", PRICE: "$.price" } }, { url: "/{{ID}}/{{PRICE}}" }],
  );
  expect(pathOf(requests[1])).toBe("/12345678901234567890/1.10");
});

test("behavior 26.80: a later step replaces a value", async () => {
  const { requests } = await make(
    (path) => json({ v: path }),
    [{ url: "/a", take: { V: "$.v" } }, { url: "/b?{{V}}", take: { V: "$.v" } }, { url: "/c?{{V}}" }],
  );
  expect(requests.map(pathOf)).toEqual(["/a", "/b?%2Fa", "/c?%2Fb%3F%252Fa"]);
});

test.each<[string, Record<string, string>, string, string]>([
  ["in the body", { V: "$.no" }, "$.no is missing, expected a value for V", "body"],
  ["that is an object", { V: "$.o" }, "$.o is an object, expected a text, a number, true or false", "body"],
  ["that is null", { V: "$.n" }, "$.n is null, expected a text, a number, true or false", "body"],
  ["that is too long", { V: "$.long" }, "$.long has more than 8192 characters", "body"],
  ["in a header", { V: "header:X-No" }, "the header X-No is missing, expected a value for V", "answer"],
  ["in a cookie", { V: "cookie:no" }, "the cookie no is missing, expected a value for V", "answer"],
  ["in a deleted cookie", { V: "cookie:old" }, "the cookie old is missing, expected a value for V", "answer"],
])("behavior 26.81: a step fails without its value %s, also the last one", async (_, take, message, step) => {
  const cookies = ["Set-Cookie: old=1", "Set-Cookie: old=; Max-Age=0"];
  const { seen } = await make(
    () => json({ o: {}, n: null, long: "x".repeat(8193) }, cookies),
    [{}, { name: "last", take }],
  );
  expect(seen).toMatchObject({
    outcome: "failed",
    reason: "unexpected",
    latencyMs: expect.any(Number),
    detail: { statusCode: 200, message: `last: ${message}`, steps: [{}, { name: "last", statusCode: 200 }] },
    facts: { step },
  });
});

test.each([
  ["no JSON", "<html>", "step 1: the body is not JSON"],
  ["a large body", `{"v":"${"x".repeat(1024 * 1024)}"}`, "step 1: the body is larger than 1 MiB"],
])("behavior 26.81: a step fails if it takes a value of %s", async (_, body, message) => {
  const { seen } = await make(() => answer("200 OK", [], body), [{ take: { V: "$.v" } }, {}]);
  expect(seen).toMatchObject({ outcome: "failed", reason: "unexpected", detail: { message } });
});

const STRANGE = 'a b/"\u00fc"&c=d%\\';

test("behavior 26.82: a value is percent-encoded in a URL", async () => {
  const { request } = await carry(STRANGE, { url: "/x/{{V}}?q={{V}}" });
  const encoded = "a%20b%2F%22%C3%BC%22%26c%3Dd%25%5C";
  expect(pathOf(request)).toBe(`/x/${encoded}?q=${encoded}`);
});

test.each([
  ["..", "/api/{{V}}/x"],
  [".", "/{{V}}"],
  [".", "/api/.{{V}}"],
  [".", "/api/{{V}}{{V}}?a"],
  ["..", "/api/{{V}}#a"],
  [".", "/api/%2e{{V}}"],
])(
  "behavior 26.82: a value with which a part of the path is . or .. fails the step: %s in %s",
  async (value, url) => {
    const { seen, request } = await carry(value, { name: "next", url });
    expect(request).toBeUndefined();
    expect(seen).toMatchObject({
      outcome: "failed",
      reason: "unexpected",
      detail: { message: "next: a value that is . or .. can't be sent as a part of the path of the URL" },
    });
  },
);

test("behavior 26.82: dots that lead nowhere else are sent", async () => {
  const { request } = await carry("..", { url: "/a{{V}}/{{V}}b?{{V}}/{{V}}" });
  expect(pathOf(request)).toBe("/a../..b?../..");
});

test.each(["__proto__", "constructor", "toString"])(
  "behavior 26.80: a value can have the name %s",
  async (name) => {
    const take = JSON.parse(`{"${name}":"$.value"}`);
    const { seen, requests } = await make(() => json({ value: "v1" }), [{ take }, { url: `/{{${name}}}` }]);
    expect(seen).toMatchObject({ outcome: "reached" });
    expect(pathOf(requests[1])).toBe("/v1");
  },
);

test.each<[string, Given, string]>([
  [
    "a form",
    { headers: { "content-type": "application/x-www-form-urlencoded" }, body: "{{V}}" },
    encodeURIComponent(STRANGE),
  ],
  ["a form without a type", { body: "a=1&v={{V}}" }, `a=1&v=${encodeURIComponent(STRANGE)}`],
  [
    "JSON",
    { headers: { "Content-Type": "application/json; charset=utf-8" }, body: '{"v":"{{V}}"}' },
    JSON.stringify({ v: STRANGE }),
  ],
  [
    "JSON of another type",
    { headers: { "Content-Type": "application/vnd.api+json" }, body: '["{{V}}"]' },
    JSON.stringify([STRANGE]),
  ],
  [
    "JSON without a type",
    { body: '{"v":"{{V}}", "n":{"x":1}}' },
    `{"v":${JSON.stringify(STRANGE)}, "n":{"x":1}}`,
  ],
  ["a text of JSON without a type", { body: '"<{{V}}>"' }, JSON.stringify(`<${STRANGE}>`)],
  ["another body", { headers: { "Content-Type": "text/plain" }, body: "v={{V}}" }, `v=${STRANGE}`],
  ["nothing else", { body: "{{V}}" }, STRANGE],
])("behavior 26.83: a value in the body of %s", async (_, second, sent) => {
  const { seen, request } = await carry(STRANGE, { method: "POST", ...second });
  expect(seen).toMatchObject({ outcome: "reached" });
  expect(bodyOf(request)).toBe(sent);
  expect(headerOf(request, "Content-Length")).toBe(String(Buffer.byteLength(sent)));
});

test("behavior 26.84: a value is in a header as it is", async () => {
  const { request } = await carry('gr\u00fcn $& "x"', { headers: { "X-V": "<{{V}}>" } });
  expect(headerOf(request, "X-V")).toBe('<gr\u00fcn $& "x">');
});

test.each(["a\r\nX-Evil: 1", "a\nb", "a\u0000", "\t"])(
  "behavior 26.84: a value with a control character fails the step that sends it in a header: %j",
  async (value) => {
    const { seen, request } = await carry(value, { name: "next", headers: { "X-V": "{{V}}" } });
    expect(request).toBeUndefined();
    expect(seen).toMatchObject({
      outcome: "failed",
      reason: "unexpected",
      detail: { message: "next: the value of V has a control character: it can't be sent in the header X-V" },
    });
  },
);

test("behavior 26.84: a control character is sent in a URL and in a body", async () => {
  const { request } = await carry("a\r\nb", { method: "POST", url: "/{{V}}", body: '{"v":"{{V}}"}' });
  expect(pathOf(request)).toBe("/a%0D%0Ab");
  expect(bodyOf(request)).toBe('{"v":"a\\r\\nb"}');
});

const CANARY = "canary/31d4+55";

test("behavior 26.87: values that were taken appear in no text", async () => {
  const encoded = encodeURIComponent(CANARY);
  const steps: Given[] = [
    { take: { V: "$.v" } },
    { url: "/echo/{{V}}", expect: { headers: { "x-missing": "y" } } },
  ];
  const answers: Answers = (path) =>
    path === "/"
      ? json({ v: CANARY })
      : answer(
          "200 OK",
          [`Location: /x/${encoded}`, `Via: ${CANARY}`],
          `you sent ${CANARY}, ${encoded}, ${btoa(CANARY)}`,
        );
  const { seen } = await make(answers, steps);
  expect(seen).toMatchObject({ outcome: "failed", facts: { http: { body: "you sent •••, •••, •••" } } });
  const sampled = await make(answers, steps, { isSampled: true });
  expect(sampled.seen).toMatchObject({ sample: { body: "you sent •••, •••, •••" } });
  for (const one of [seen, sampled.seen]) {
    const text = JSON.stringify(one);
    for (const secret of [CANARY, encoded, btoa(CANARY)]) expect(text).not.toContain(secret);
  }
});

test("behavior 26.87: a number that was taken is in no message", async () => {
  const { seen } = await make(
    () => json({ code: 8_675_309 }),
    [{ take: { CODE: "$.code" } }, { url: "/{{CODE}}", expect: { json: { "$.code": 1 } } }],
  );
  expect(seen).toMatchObject({ detail: { message: "step 2: $.code is •••, expected 1" } });
});

const TAKEN = "canary-77aa31d4";
const FROM_ALL = { V: "$.v", H: "header:Location", C: "cookie:sid" };
const signedIn = (status: string, body = JSON.stringify({ v: TAKEN, code: 8_675_309 })) =>
  answer(
    status,
    [`Location: /${TAKEN}-l`, "Set-Cookie: other=1", `Set-Cookie: sid=${TAKEN}-c; Path=/`],
    body,
  );

test.each<[string, Buffer, Given]>([
  ["fails another expectation of the body", signedIn("200 OK"), { expect: { contains: "missing" } }],
  ["fails an expectation of a value", signedIn("200 OK"), { expect: { json: { "$.v": "other" } } }],
  ["fails an expectation of a header", signedIn("200 OK"), { expect: { headers: { "x-missing": "y" } } }],
  ["has another status", signedIn("500 Internal Server Error"), { expect: { status: [200] } }],
  ["lacks one value of several", signedIn("200 OK"), { take: { ...FROM_ALL, Z: "$.z" } }],
  [
    "is long",
    signedIn("200 OK", JSON.stringify({ v: TAKEN, more: "x".repeat(100_000) })),
    { expect: { status: [404] } },
  ],
  ["breaks off", signedIn("200 OK").subarray(0, -1), { expect: { contains: "a" } }],
])("behavior 26.87: what a step would take is hidden in an answer that %s", async (_, sent, step) => {
  for (const options of [{}, { isSampled: true as const }]) {
    const { seen } = await make(() => sent, [{ take: FROM_ALL, ...step }, {}], options);
    expect(seen).toMatchObject({ outcome: "failed" });
    expect(JSON.stringify(seen)).not.toContain(TAKEN.slice(0, 10));
  }
});

test("behavior 26.87: a number that a step would take is in no message", async () => {
  const step: Given = { take: { CODE: "$.code" }, expect: { json: { "$.code": 1 } } };
  const { seen } = await make(() => json({ code: 8_675_309 }), [step, {}]);
  expect(seen).toMatchObject({ detail: { message: "step 1: $.code is •••, expected 1" } });
});

test("behavior 26.87: an answer that has no value to take is shown", async () => {
  for (const body of ["<html>Sign in", '{"error":"wrong password"}']) {
    const { seen } = await make(() => answer("200 OK", [], body), [{ take: { V: "$.v" } }, {}]);
    expect(seen).toMatchObject({ outcome: "failed", facts: { http: { body } } });
  }
});

test("behavior 26.87: a test of a config shows the answer of the step that fails, else of the last one", async () => {
  const answers: Answers = (path) => answer(path === "/b" ? "404 Not Found" : "200 OK", [], path);
  const good = await make(answers, [{ url: "/a" }, { url: "/b" }, { url: "/c" }], { isSampled: true });
  expect(good.seen).toMatchObject({ sample: { statusCode: 200, body: "/c" } });
  const bad = await make(answers, [{ url: "/a" }, { url: "/b", expect: {} }, { url: "/c" }], {
    isSampled: true,
  });
  expect(bad.seen).toMatchObject({ sample: { statusCode: 404, body: "/b" } });
  const missing = await make(answers, [{ url: "/a", take: { V: "header:X-No" } }, { url: "/c" }], {
    isSampled: true,
  });
  expect(missing.seen).toMatchObject({ sample: { statusCode: 200, body: "/a" } });
});

test("behavior 26.70, 26.80: the documented steps", async () => {
  const { blocks } = await readPage("docs/monitors.md");
  const block = blocks.find(({ mark }) => mark === "tested by test/probes/http/steps.test.ts");
  let password = "correct horse";
  using server = await startHttpServer((path, request) => {
    if (path === "/api/login")
      return bodyOf(request)?.includes(password) ? json({ token: "t-31d4" }) : answer("401 Unauthorized");
    const isSignedIn = headerOf(request, "Authorization") === "Bearer t-31d4";
    return isSignedIn && path === "/api/search?query=tea" ? json({ items: [1] }) : answer("403 Forbidden");
  });
  const text = (block?.text ?? "").replaceAll("https://shop.example.com/", at(server, "/"));
  const config = parseConfig("HTTP", JSON.parse(text), "pro");
  expect(await observation("HTTP", config)).toMatchObject({
    outcome: "reached",
    detail: { statusCode: 200 },
  });
  password = "another one";
  expect(await observation("HTTP", config)).toMatchObject({
    outcome: "failed",
    detail: { message: "login: 401 Unauthorized, expected 200" },
  });
});
