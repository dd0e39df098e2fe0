import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { parseAddressRanges } from "../../src/domain/network/client-address.ts";
import { isLong, longTest } from "../support/long.ts";
import { TestServer } from "../support/product/server.ts";
import type { Answer, Client } from "../support/requests/client.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { sendRaw } from "../support/requests/raw-request.ts";
import { scrape } from "../support/requests/scrape.ts";

let server: TestServer;
let owner: Client;

beforeAll(async () => {
  const trustedProxies = parseAddressRanges("127.0.0.1");
  server = await TestServer.start({ ...(trustedProxies && { trustedProxies }) });
  owner = server.client;
});

afterAll(() => server[Symbol.asyncDispose]());

const STATUS = "/api/v1/status";
const BAD = `stillup_${"x".repeat(43)}`;

/** More than the failed attempts that one client may send at once. */
const FLOOD = 1300;

function from(address: string, key: string | undefined, path = STATUS): Promise<Answer> {
  return owner.as(key).send("GET", path, undefined, { "x-forwarded-for": address });
}

/** Requests of a flood at the same time. */
const AT_ONCE = 100;

/** The most requests of a flood: on a busy machine, a part of the attempts is allowed again while it lasts. */
const MOST = 5 * FLOOD;

/** Sends requests until the server rejects some. @param send a request, by its number */
async function flood(send: (at: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (answers.length < MOST && !answers.some(isRefused)) {
    const sent = Array.from({ length: AT_ONCE }, (_, at) => send(answers.length + at));
    answers.push(...(await Promise.all(sent)));
  }
  return answers;
}

function floodFrom(address: string): Promise<Answer[]> {
  return flood(() => from(address, BAD));
}

/** The number of requests that a limit has rejected so far, from `/metrics`. */
async function refusedFor(limit: string): Promise<number | undefined> {
  const { samples } = await scrape(owner);
  return samples.find(
    ({ name, labels }) => name === "stillup_requests_refused_total" && labels.limit === limit,
  )?.value;
}

function isRefused({ status }: Answer): boolean {
  return status === 429;
}

describe("behavior 8.15: a flood of bad keys", () => {
  test("gets 401 at first and then 429, with an error body", async () => {
    const answers = await floodFrom("192.0.2.1");
    const [first, last] = [answers[0], answers.find(isRefused)];
    expect(first).toMatchObject({ status: 401, body: { error: "Unauthorized" } });
    expect(last).toMatchObject({
      status: 429,
      body: { error: "Too many failed attempts: try again in 1 s" },
    });
    expect(last?.headers.get("retry-after")).toBe("1");
    expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(1000);
    expect(await refusedFor("failed_attempts")).toBe(answers.filter(isRefused).length);
  });

  test("does not affect valid keys and sessions from the same address", async () => {
    expect((await floodFrom("192.0.2.1")).some(isRefused)).toBe(true);
    // The second key is new to the server.
    for (const key of [owner.key, await server.keyWith("viewer")]) {
      expect((await from("192.0.2.1", key)).status).toBe(200);
    }
    const headers = { "x-forwarded-for": "192.0.2.1" };
    const signedIn = await owner.as(undefined).send("POST", "/api/v1/session", { key: owner.key }, headers);
    const [cookie = ""] = signedIn.headers.getSetCookie();
    expect((await owner.as(undefined).send("GET", STATUS, undefined, { ...headers, cookie })).status).toBe(
      200,
    );
  });

  test("does not affect another address", async () => {
    await floodFrom("192.0.2.1");
    expect((await from("192.0.2.4", BAD)).status).toBe(401);
  });

  test("is counted per IPv6 network, not per address", async () => {
    const answers = await flood((at) => from(`2001:db8::${at.toString(16)}`, BAD));
    expect(answers.some(isRefused)).toBe(true);
    expect((await from("2001:db8:0:1::1", BAD)).status).toBe(401);
  });

  test("includes invalid sign-ins", async () => {
    const signIn = { key: BAD };
    const headers = { "x-forwarded-for": "192.0.2.5" };
    const signIns = await flood(() => owner.as(undefined).send("POST", "/api/v1/session", signIn, headers));
    expect(signIns.some(isRefused)).toBe(true);
  });

  longTest("includes sessions and links of walls, but not requests without a key", async () => {
    const tries = (send: (headers: Record<string, string>) => Promise<Answer>, address: string) =>
      flood(() => send({ "x-forwarded-for": address }));
    const anonymous = owner.as(undefined);
    const cookie = "stillup_session=nonsense";
    const sessions = await tries(
      (of) => anonymous.send("GET", STATUS, undefined, { cookie, ...of }),
      "192.0.2.6",
    );
    expect(sessions.some(isRefused)).toBe(true);
    const signOuts = await tries(
      (of) => anonymous.send("DELETE", "/api/v1/session", undefined, { cookie, ...of }),
      "192.0.2.10",
    );
    expect(signOuts.some(isRefused)).toBe(true);
    const current = await tries(
      (of) => anonymous.send("GET", "/api/v1/session/current", undefined, { cookie, ...of }),
      "192.0.2.11",
    );
    expect(current.some(isRefused)).toBe(true);
    const walls = await tries((of) => anonymous.send("GET", "/api/wall/none", undefined, of), "192.0.2.12");
    expect(walls.some(isRefused)).toBe(true);
    const alone = { "x-forwarded-for": "192.0.2.7" };
    const empty = await Promise.all(
      Array.from({ length: FLOOD }, () => anonymous.send("GET", STATUS, undefined, alone)),
    );
    expect(new Set(empty.map(({ status }) => status))).toEqual(new Set([401]));
  });

  test("cannot be hidden by a forged X-Forwarded-For", async () => {
    const forged = await flood((at) => from(`198.51.${at >> 8}.${at & 255}, 192.0.2.8`, BAD));
    expect(forged.some(isRefused)).toBe(true);
  });

  longTest("cannot be hidden by a second X-Forwarded-For, Forwarded or X-Real-IP", async () => {
    const forged = (at: number) => {
      const made = `198.51.${at >> 8}.${at & 255}`;
      const own = `X-Forwarded-For: ${made}\r\nForwarded: for=${made}\r\nX-Real-IP: ${made}`;
      const head = `GET ${STATUS} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${BAD}\r\n${own}\r\n`;
      return sendRaw(owner.url, `${head}X-Forwarded-For: 192.0.2.9\r\nConnection: close\r\n\r\n`);
    };
    for (let at = 0; at < MOST; at += AT_ONCE) {
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, next) => forged(at + next)));
      if (answers.some((answer) => answer.startsWith("HTTP/1.1 429 "))) return;
    }
    throw new Error("no request was rejected");
  });
});

test("without a trusted proxy, X-Forwarded-For is not read", async () => {
  await using plain = await TestServer.start();
  const bad = plain.client.as(BAD);
  const answers = await flood((at) =>
    bad.send("GET", STATUS, undefined, { "x-forwarded-for": `198.51.${at >> 8}.${at & 255}` }),
  );
  expect(answers.some(isRefused)).toBe(true);
});

describe("behavior 8.17: a flood of check-ins", () => {
  const checkinOf = ({ id }: { id: string }) => owner.as(undefined).get(`/api/v1/monitors/${id}/checkin`);

  test("of one monitor gets 429 without a write, and does not affect other monitors", async () => {
    const [flooded, other] = [
      await createMonitor(owner, "SCHEDULED"),
      await createMonitor(owner, "SCHEDULED"),
    ];
    const answers = await Promise.all(Array.from({ length: 4000 }, () => checkinOf(flooded)));
    const counted = answers.filter(({ status }) => status === 200).length;
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused[0]?.body).toEqual({ error: "Too many check-ins of this monitor: try again in 1 s" });
    expect(refused[0]?.headers.get("retry-after")).toBe("1");
    expect(counted + refused.length).toBe(4000);
    expect(counted).toBeGreaterThanOrEqual(3000);
    expect((await checkinOf(other)).status).toBe(200);
    const [organization] = await server.store.organizations.list();
    const page = { monitorId: flooded.id, limit: 5000, cursor: undefined };
    const { items } = await server.store.results.list(organization?.id ?? "", page);
    expect(items.length).toBe(counted);
    expect(await refusedFor("checkins")).toBe(refused.length);

    if (!isLong) return;
    // So many unknown IDs would evict the flooded one if the rate limit remembered them.
    for (let at = 0; at < 10_500; at += 500) {
      await Promise.all(Array.from({ length: 500 }, (_, next) => checkinOf({ id: `none-${at + next}` })));
    }
    const again = await Promise.all(Array.from({ length: 1500 }, () => checkinOf(flooded)));
    expect(again.some(isRefused)).toBe(true);
  }, 300_000);

  test("of unknown IDs gets 404", async () => {
    const id = "x".repeat(15_000);
    for (let at = 0; at < 5; at++) expect((await checkinOf({ id: id + at })).status).toBe(404);
  });
});

describe("behavior 8.19, 8.20: every response", () => {
  const SAFE = {
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
  };
  const safeHeaders = (headers: Headers) =>
    Object.fromEntries(Object.keys(SAFE).map((name) => [name, headers.get(name)]));

  test("of the API forbids caching, framing, sniffing and scripts", async () => {
    const { id } = await createMonitor(owner, "SCHEDULED");
    const answers = [
      await owner.get(STATUS),
      await owner.as(undefined).get(STATUS),
      await owner.get("/nowhere"),
      await owner.post("/api/v1/monitors", "{"),
      await owner.get(`/api/v1/monitors/${id}/checkin`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 404, 422, 200]);
    for (const { headers } of answers) expect(safeHeaders(headers)).toEqual(SAFE);
  });

  test("of the page and of /docs has a policy that allows their scripts and forbids framing", async () => {
    for (const path of ["/", "/docs"]) {
      const { headers } = await fetch(owner.url + path);
      expect(headers.get("content-security-policy")).toContain("script-src 'self'");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
    }
  });

  test("has Strict-Transport-Security only if the base URL is HTTPS without a port", async () => {
    const hstsWith = async (baseUrl: string) => {
      await using one = await TestServer.start({ baseUrl });
      return (await fetch(`${one.client.url}/healthz`)).headers.get("strict-transport-security");
    };
    expect(await hstsWith("https://up.example.com")).toBe("max-age=31536000");
    expect(await hstsWith("https://up.example.com:7070")).toBeNull();
    expect(await hstsWith("http://up.example.com")).toBeNull();
  });
});

test("behavior 8.22: headers of more than 16 KiB are rejected", async () => {
  const head = `GET ${STATUS} HTTP/1.1\r\nHost: localhost\r\nX-Large: ${"x".repeat(16 * 1024)}\r\n\r\n`;
  expect(await sendRaw(owner.url, head)).toStartWith("HTTP/1.1 431 ");
});

test("behavior 7.77: /healthz is not asked for what is unknown, but ignores other parameters", async () => {
  const anybody = owner.as(undefined);
  expect((await anybody.get("/healthz?for=speed")).status).toBe(422);
  expect((await anybody.get("/healthz?t=1")).status).toBe(200);
  expect((await anybody.get("/healthz?for=liveness")).body).toEqual((await anybody.get("/healthz")).body);
});
