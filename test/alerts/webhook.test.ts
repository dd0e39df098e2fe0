import { describe, expect, test } from "bun:test";
import { deliverWebhook, sign } from "../../src/alerts/deliver.ts";
import { describeFailure } from "../../src/alerts/post.ts";
import type { AlertEvent } from "../../src/domain/alerts/alert-event.ts";
import type { Transition } from "../../src/domain/alerts/delivery.ts";
import { reachWith } from "../support/alerts/reach.ts";
import { createAuthority, createSelfSigned } from "../support/servers/certificates.ts";
import { Receiver, verifySignature } from "../support/servers/receiver.ts";
import { startServer } from "../support/servers/tcp-server.ts";

const transition: Transition = {
  organization: { id: "o1", name: "Default" },
  monitor: { id: "m1", name: "Größe & <b>", type: "TCP", config: { host: "db", port: 5432, interval: 60 } },
  previousStatus: "up",
  status: "down",
  result: { id: "r1", latencyMs: null, detail: { reason: "refused" }, createdAt: Date.UTC(2026, 10, 21) },
};

const reach = { ...reachWith(), baseUrl: () => "https://up.example.com" };

function notification() {
  return { id: "d1", event: transition as AlertEvent, now: Date.now() };
}

test("behavior 5.30, 5.31, 5.32, 5.33: posts the transition in the form of Standard Webhooks", async () => {
  await using receiver = new Receiver();
  expect(await deliverWebhook({ url: receiver.url }, notification(), reach)).toEqual({
    outcome: "delivered",
    answer: "200",
  });
  const { payload, headers } = receiver.only();
  expect(payload).toEqual({
    type: "monitor.status_changed",
    timestamp: "2026-11-21T00:00:00.000Z",
    data: {
      ...transition,
      since: "2026-11-21T00:00:00.000Z",
      why: null,
      cause: null,
      result: { ...transition.result, createdAt: "2026-11-21T00:00:00.000Z" },
    },
  } as typeof payload);
  expect(headers["content-type"]).toStartWith("application/json");
  expect(headers["webhook-id"]).toBe("d1");
  expect(headers["webhook-timestamp"]).toMatch(/^\d{10}$/);
  expect(headers).not.toHaveProperty("webhook-signature");
});

test("behavior 11.9: says since when, if an earlier check saw the status first", async () => {
  await using receiver = new Receiver();
  const confirmed = { ...transition, changedAt: transition.result.createdAt - 20_000 };
  await deliverWebhook({ url: receiver.url }, { ...notification(), event: confirmed }, reach);
  expect(receiver.only().payload).toMatchObject({
    timestamp: "2026-11-21T00:00:00.000Z",
    data: { since: "2026-11-20T23:59:40.000Z", result: { createdAt: "2026-11-21T00:00:00.000Z" } },
  });
});

describe("behavior 14.61: the body", () => {
  async function dataOf(more: Partial<Transition>) {
    await using receiver = new Receiver();
    await deliverWebhook(
      { url: receiver.url },
      { ...notification(), event: { ...transition, ...more } },
      reach,
    );
    return receiver.only().payload.data;
  }

  const outage = { id: "a1", startedAt: transition.result.createdAt - 60_000 };

  test("has the outage with a link to its page", async () => {
    expect(await dataOf({ outage })).toMatchObject({
      outage: { id: "a1", link: "https://up.example.com/outages/a1" },
    });
    expect(await dataOf({ outage })).not.toHaveProperty("reminder");
    expect(await dataOf({})).not.toHaveProperty("outage");
  });

  test("behavior 22.25: has the cause that the outage shares with others, as far as it is known", async () => {
    const cause = {
      id: "c",
      kind: "address",
      value: "203.0.113.7",
      title: "3 monitors at 203.0.113.7",
    } as const;
    expect(await dataOf({ outage, cause })).toMatchObject({ cause });
  });

  test("behavior 22.9: has why the outage began, as far as it is known", async () => {
    const why = { layer: "port", summary: "203.0.113.7 refuses connections on port 443" } as const;
    expect(await dataOf({ outage, why })).toMatchObject({ why });
    expect(await dataOf({ outage })).toMatchObject({ why: null });
  });

  test("of a repetition says so, and has the same beginning", async () => {
    const changedAt = transition.result.createdAt - 20_000;
    expect(await dataOf({ outage, changedAt, reminder: true })).toMatchObject({
      reminder: true,
      since: "2026-11-20T23:59:40.000Z",
      status: "down",
    });
  });

  test("has nothing else that only people read", async () => {
    const acknowledged = { at: 0, by: "Ana", note: "on it" };
    const data = await dataOf({ outage, acknowledged, mutes: 3, troubleSince: 0, since: 0 });
    const fields = [
      "organization",
      "monitor",
      "previousStatus",
      "status",
      "since",
      "outage",
      "why",
      "cause",
      "result",
    ];
    expect(Object.keys(data).toSorted()).toEqual(fields.toSorted());
    expect(data).toMatchObject({ since: "2026-11-21T00:00:00.000Z" });
  });
});

test("behavior 5.34: has a signature that the official library verifies", async () => {
  await using receiver = new Receiver();
  await deliverWebhook({ url: receiver.url, secret: "s3cret ö" }, notification(), reach);
  const received = receiver.only();
  verifySignature("s3cret ö", received);
  expect(() => verifySignature("another", received)).toThrow();
});

test("behavior 5.35: has a signing key in base64 after whsec_", () => {
  const envelope = { id: "d1", timestamp: 1_800_000_000, body: "{}" };
  const bytes = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  expect(sign(`whsec_${btoa(bytes)}`, envelope)).toBe(sign(bytes, envelope));
});

describe("behavior 5.16, 5.17: an answer", () => {
  test.each([
    [200, {}, { outcome: "delivered" }],
    [204, {}, { outcome: "delivered" }],
    [
      302,
      { location: "/elsewhere" },
      { outcome: "failed", error: "the receiver answered 302", final: false },
    ],
    [400, {}, { outcome: "failed", error: "the receiver answered 400", final: true }],
    [404, {}, { outcome: "failed", error: "the receiver answered 404", final: true }],
    [408, {}, { outcome: "failed", error: "the receiver answered 408", final: false }],
    [410, {}, { outcome: "failed", error: "the receiver answered 410", final: true }],
    [425, {}, { outcome: "failed", error: "the receiver answered 425", final: false }],
    [500, {}, { outcome: "failed", error: "the receiver answered 500", final: false }],
  ])("of %d %p gives %p", async (status, headers, attempt) => {
    await using receiver = new Receiver();
    receiver.answers = [new Response(null, { status, headers: headers as Record<string, string> })];
    expect(await deliverWebhook({ url: receiver.url }, notification(), reach)).toEqual({
      ...attempt,
      answer: String(status),
    } as never);
    expect(receiver.received).toHaveLength(1);
  });

  test("of 429 with Retry-After says when to try again", async () => {
    await using receiver = new Receiver();
    receiver.answers = [new Response(null, { status: 429, headers: { "retry-after": "120" } })];
    expect(await deliverWebhook({ url: receiver.url }, notification(), reach)).toMatchObject({
      final: false,
      retryAfterMs: 120_000,
    });
  });
});

describe("behavior 5.43: no code of the runtime is shown", () => {
  test("for a certificate that is self-signed, or from an authority that is not known", async () => {
    const authority = await createAuthority();
    const issued = await authority.issue([{ type: "dns", value: "localhost" }]);
    const own = await createSelfSigned([{ type: "dns", value: "localhost" }], {
      bits: 2048,
      hash: "SHA-256",
    });
    const seen: string[] = [];
    for (const tls of [own, issued]) {
      await using server = Bun.serve({ port: 0, tls, fetch: () => new Response("OK") });
      const attempt = await deliverWebhook(
        { url: `https://localhost:${server.port}/` },
        notification(),
        reach,
      );
      if (attempt.outcome === "failed") seen.push(attempt.error);
    }
    expect(seen).toEqual([
      "the receiver could not be reached: the certificate is not valid: it is self-signed",
      "the receiver could not be reached: the certificate is not valid: its issuer is unknown, or the server does not send the whole chain",
    ]);
  });

  test("for a server that does not speak TLS, and one that closes the connection", async () => {
    using rude = await startServer((socket) => socket.destroy());
    using plain = await startServer((socket) => socket.end("SSH-2.0-x\r\n"));
    for (const url of [`https://127.0.0.1:${rude.port}/`, `https://127.0.0.1:${plain.port}/`]) {
      const attempt = await deliverWebhook({ url }, notification(), reach);
      expect(attempt).toMatchObject({ outcome: "failed", final: false });
      expect(attempt.outcome === "failed" && attempt.error).not.toMatch(/[A-Z]{4,}_|\bE[A-Z]{4,}\b/);
    }
  });

  test.each([
    ["ECONNRESET", "a.example", "the connection was reset"],
    ["EHOSTUNREACH", "a.example", "there is no route to its address"],
    ["ESOCKET", "connect ECONNREFUSED 192.0.2.7:25", "the connection was refused"],
    ["ESOCKET", "self-signed certificate", "the certificate is not valid: it is self-signed"],
    ["EWHATEVER", "a.example", "the connection failed"],
  ])("for %s: %s", (code, message, words) => {
    const fault = Object.assign(new Error(message), { code });
    expect(describeFailure(fault, "the mail server")).toBe(`the mail server could not be reached: ${words}`);
  });
});

test.each([
  ["http://127.0.0.1:1/secret-path", "the receiver could not be reached: the connection was refused"],
  ["http://no-such-host.invalid/secret-path", "the receiver has no address in the DNS"],
])("the error of a failed connection to %s does not contain the address", async (url, error) => {
  expect(await deliverWebhook({ url }, notification(), reach)).toEqual({
    outcome: "failed",
    error,
    final: false,
  });
});
