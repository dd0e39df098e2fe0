import { expect, test } from "bun:test";
import type { Evidence, TlsFacts } from "../../../src/domain/checks/observation.ts";
import { START } from "../locations/walk.ts";
import { type WalkOptions, walkedChecks } from "./walked-checks.ts";

const DAY = 24 * 60 * 60_000;

const tls = (daysLeft: number, more: Partial<TlsFacts> = {}): TlsFacts => ({
  protocol: "TLSv1.3",
  cipher: "TLS_AES_128_GCM_SHA256",
  validTo: new Date(START + daysLeft * DAY).toISOString(),
  advice: [],
  ...more,
});
const up = (seen: TlsFacts, more: object = {}): Evidence => ({
  ...{ outcome: "reached", latencyMs: 10, tls: seen, detail: { statusCode: 200 } },
  ...more,
});
const [good, bad] = [up(tls(90)), up(tls(12.5))];
const down: Evidence = { outcome: "failed", reason: "refused", detail: { message: "no" } };
const failing: Evidence = {
  outcome: "failed",
  reason: "unexpected",
  tls: tls(12.5),
  detail: { message: "500" },
};

const CONFIG = { url: "https://a.example/", interval: 60, expiryWarning: 14 };

const walked = (checks: Evidence[], options: WalkOptions = {}) =>
  walkedChecks(checks, { config: CONFIG, ...options });
const statuses = (...given: Parameters<typeof walked>) => walked(...given).map(({ state }) => state.status);

test.each([false, true])(
  "behavior 10.93: the end of a certificate is a date: at once, and over after two further checks (location: %p)",
  (isPlaced) => {
    const of = { isPlaced, confirmations: 3 };
    expect(statuses([good, bad], of)).toEqual(["up", "degraded"]);
    expect(statuses([bad], of)).toEqual(["degraded"]);
    expect(statuses([good, bad, good, good, good], of)).toEqual(["up", ...Array(3).fill("degraded"), "up"]);
    const alternating = walked([good, bad, good, bad, good, good, bad], of);
    expect(alternating.flatMap(({ transitions }) => transitions.map(({ status }) => status))).toEqual([
      "degraded",
    ]);
  },
);

test.each([false, true])("behavior 10.93: down wins over it (location: %p)", (isPlaced) => {
  expect(statuses([bad, failing, down], { isPlaced })).toEqual(["degraded", "down", "down"]);
  // A website that was down answers again: that is no date.
  expect(statuses([bad, down, bad], { isPlaced })).toEqual(["degraded", "down", "degraded"]);
  expect(statuses([good, down, good], { isPlaced })).toEqual(["up", "down", "up"]);
});

test("behavior 10.93: a result says when the certificate ends, and the outage why it began", () => {
  const [, warned] = walked([good, bad]);
  const message = "the certificate expires in 12 days, on 2027-01-14";
  expect(warned?.result).toMatchObject({ status: "degraded", detail: { reason: "expires_soon", message } });
  expect(warned?.outages).toMatchObject([{ kind: "opened", reason: "expires_soon", status: "degraded" }]);
  const [renewed] = walked([bad, good, good, good])
    .flatMap(({ transitions }) => transitions)
    .slice(1);
  expect(renewed).toMatchObject({ previousStatus: "degraded", status: "up", wasDegradedBy: "expires_soon" });
});

test.each<[number, string, string]>([
  [14.01, "up", ""],
  [14, "degraded", "the certificate expires in 14 days, on 2027-01-15"],
  [1.9, "degraded", "the certificate expires in 1 day, on 2027-01-03"],
  [0.5, "degraded", "the certificate expires in less than a day, on 2027-01-02"],
  [0, "degraded", "the certificate expired on 2027-01-01"],
  [-30, "degraded", "the certificate expired on 2026-12-02"],
])("behavior 10.93: %p days before the end with a warning of 14 days, it is %s", (left, status, message) => {
  const [first] = walked([up(tls(left))]);
  expect(first?.result?.status).toBe(status as "up");
  expect(first?.result?.detail?.message ?? "").toBe(message);
});

test("behavior 10.93: without the setting, and without TLS, there is no warning", () => {
  expect(statuses([bad], { config: { url: "https://a.example/", interval: 60 } })).toEqual(["up"]);
  expect(statuses([{ outcome: "reached", latencyMs: 10, detail: {} }])).toEqual(["up"]);
});

test("behavior 10.93: its latency counts as usual, and does not make the next one slow", () => {
  const fast = Array.from({ length: 20 }, () => bad);
  const latest = walked(fast).at(-1)?.state;
  expect(latest?.baseline.count).toBe(20);
  // Slower than a degraded monitor needs to recover, and not slow.
  const medium = up(tls(90), { latencyMs: 50 });
  expect(statuses([...fast, medium, medium, medium]).at(-1)).toBe("up");
  expect(statuses([...fast, up(tls(90), { latencyMs: 500 })]).at(-1)).toBe("degraded");
});

test("behavior 10.90: a result has the TLS where it differs from the check before", () => {
  const other = up(tls(90, { cipher: "TLS_AES_256_GCM_SHA384" }));
  const advised = up(tls(90, { advice: ["weak_key"] }));
  const seen = walked([good, good, other, failing, down, advised, advised, good]);
  expect(seen.map(({ result }) => Boolean(result?.detail?.tls))).toEqual([
    true,
    false,
    true,
    true,
    false,
    true,
    false,
    true,
  ]);
  const [first, second] = seen;
  expect(first?.result?.detail?.tls).toEqual({ ...tls(90), daysLeft: 90 });
  // Then there is nothing to write.
  expect(second?.state.memory).toBe(first?.state.memory as never);
});
