import { describe, expect, test } from "bun:test";
import { ApiServer } from "../support/product/api-server.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { createPage } from "../support/requests/pages.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(ApiServer.start());
const members = await server.organization("Own", "enterprise");

const KIB = 1024;
const FORM = "application/x-www-form-urlencoded";

let clients = 0;
const newClient = () => `10.7.${Math.floor(++clients / 250)}.${(clients % 250) + 1}`;

async function post(path: string, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(server.url + path, {
    method: "POST",
    body,
    headers: { "x-forwarded-for": newClient(), ...headers },
  });
  return { status: response.status, body: await response.json() };
}

const signIn = (body: string, headers = {}) =>
  post("/api/v1/session", body, { "sec-fetch-site": "same-origin", ...headers });

/** A JSON body of so many bytes. */
function sized(bytes: number, field: string): string {
  const rest = bytes - JSON.stringify({ [field]: "" }).length;
  return JSON.stringify({ [field]: "x".repeat(rest) });
}

const TOO_LARGE = { status: 413, body: { error: "the body must be at most 4096 bytes" } };

describe("behavior 7.7: without a key", () => {
  test("a sign-in takes 4 KiB and not a byte more", async () => {
    expect((await signIn(sized(4 * KIB, "key"))).status).toBe(401);
    expect(await signIn(sized(4 * KIB + 1, "key"))).toEqual(TOO_LARGE);
    expect(await signIn("[".repeat(1024 * KIB))).toEqual(TOO_LARGE);
  });

  test("a subscription takes 32 KiB and not a byte more, as JSON and as a form", async () => {
    const { slug } = await createPage(members.owner, { visibility: "public" });
    const path = `/status/${slug}/subscriptions`;
    const tooLarge = { status: 413, body: { error: "the body must be at most 32768 bytes" } };
    expect((await post(path, sized(32 * KIB, "email"))).status).toBe(422);
    expect(await post(path, sized(32 * KIB + 1, "email"))).toEqual(tooLarge);
    const form = `email=ada@example.com&x=${"y".repeat(32 * KIB)}`;
    expect(await post(path, form, { "content-type": FORM })).toEqual(tooLarge);
    expect(await post(path, form, { "content-type": "multipart/form-data; boundary=x" })).toEqual(tooLarge);
  });

  test("behavior 7.65: check-ins and push URLs ignore their body, whatever it is", async () => {
    const { id } = await createMonitor(members.owner, "SCHEDULED");
    const body = "[".repeat(4 * 1024 * KIB);
    expect((await post(`/api/v1/monitors/${id}/checkin`, body)).status).toBe(200);
    expect((await post("/api/push/unknown", body)).status).toBe(404);
  });
});

describe("behavior 7.7: a body in chunks, without Content-Length", () => {
  test("stops at the limit", async () => {
    const chunk = new TextEncoder().encode("x".repeat(KIB));
    const body = new ReadableStream({
      start(controller) {
        for (let sent = 0; sent < 5; sent++) controller.enqueue(chunk);
        controller.close();
      },
    });
    const headers = { "sec-fetch-site": "same-origin", "x-forwarded-for": newClient() };
    const response = await fetch(`${server.url}/api/v1/session`, { method: "POST", body, headers });
    expect({ status: response.status, body: await response.json() }).toEqual(TOO_LARGE);
  });
});

test("behavior 8.15: a sign-in that is not valid counts as a failed attempt, whatever its body is", async () => {
  const bodies = ["{", "{}", '{"key":1}', `{"key":${"[".repeat(20)}${"]".repeat(20)}}`, "x".repeat(5 * KIB)];
  const client = { "x-forwarded-for": newClient() };
  const statuses = new Set<number>();
  // 1,000 failed attempts are allowed at once. Without one of the bodies, there would be 960.
  for (let batch = 0; batch < 12; batch++) {
    const batchOf = bodies.flatMap((body) => Array.from({ length: 20 }, () => signIn(body, client)));
    for (const { status } of await Promise.all(batchOf)) statuses.add(status);
  }
  expect(statuses).toContain(429);
  const valid = await signIn(JSON.stringify({ key: members.owner.key }), client);
  expect(valid.status).toBe(200);
});

describe("behavior 7.74: with a key, a body", () => {
  const parts = "the body must have at most 10000 fields, arrays and objects";

  test.each([
    ["many fields", JSON.stringify(Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [at, at])))],
    ["many arrays", JSON.stringify({ name: Array(10_001).fill([]) })],
    ["many objects", JSON.stringify({ name: Array(10_001).fill({}) })],
  ])("of %s is rejected before it is parsed", async (_, body) => {
    const headers = { authorization: `Bearer ${members.owner.key}` };
    expect(await post("/api/v1/monitors", body, headers)).toEqual({ status: 422, body: { error: parts } });
  });

  test("may have texts with any number of their signs", async () => {
    const body = { name: '{":[,\\'.repeat(20), type: "SCHEDULED", config: {} };
    expect((await members.owner.post("/api/v1/monitors", body)).body.data.name).toBe(body.name);
  });
});
