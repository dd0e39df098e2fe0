import { expect, test } from "bun:test";
import type { Evidence } from "../../../src/domain/checks/observation.ts";
import { byAddress, type OfAddress } from "../../support/checks/by-address.ts";
import { START } from "../locations/walk.ts";
import { type WalkOptions, walkedChecks } from "./walked-checks.ts";

const DAY = 24 * 60 * 60_000;
const CONFIG = { url: "https://a.example/", interval: 60, everyAddress: true, expiryWarning: 14 };

const several = (...all: OfAddress[]) => byAddress(all);
const tls = (daysLeft: number) => ({
  ...{ protocol: "TLSv1.3", cipher: "A", advice: [] },
  validTo: new Date(START + daysLeft * DAY).toISOString(),
});
const answered = (latencyMs = 10, daysLeft = 90): OfAddress => ({
  ...{ outcome: "reached", latencyMs, tls: tls(daysLeft), detail: {} },
});
const refused: OfAddress = { outcome: "failed", reason: "refused", detail: { message: "no" } };

const [good, some, none] = [
  several(answered(), answered()),
  several(answered(), refused),
  several(refused, refused),
];
const expiring = several(answered(), answered(10, 12.5));
const both = several(answered(10, 12.5), refused);

const walked = (checks: Evidence[], options: WalkOptions = {}) =>
  walkedChecks(checks, { config: CONFIG, ...options });
const statuses = (...given: Parameters<typeof walked>) => walked(...given).map(({ state }) => state.status);

test.each([false, true])(
  "behavior 10.102, 11.1: addresses that fail need confirmation like any trouble (location: %p)",
  (isPlaced) => {
    const of = { isPlaced, confirmations: 1, recoveries: 1 };
    expect(statuses([good, some, some, good, good], of)).toEqual(["up", "up", "degraded", "degraded", "up"]);
    expect(statuses([good, some, none, none], of)).toEqual(["up", "up", "degraded", "down"]);
    const [, , degraded] = walked([good, some, some], of);
    expect(degraded?.outages).toMatchObject([
      { kind: "opened", reason: "some_addresses", status: "degraded" },
    ]);
    const [, suspected] = walked([good, some], of);
    expect(suspected?.result?.detail).toMatchObject({
      seen: {
        status: "degraded",
        reason: "some_addresses",
        message: "1 of 2 addresses fails: 192.0.2.2: no",
      },
      addresses: [{ seen: "up" }, { seen: "down", reason: "refused" }],
    });
  },
);

test.each([false, true])(
  "behavior 10.104, 11.6: a certificate that ends soon is a date, also if addresses fail (location: %p)",
  (isPlaced) => {
    const of = { isPlaced, confirmations: 3 };
    expect(statuses([good, expiring], of)).toEqual(["up", "degraded"]);
    expect(statuses([good, both], of)).toEqual(["up", "degraded"]);
  },
);

test("behavior 10.107: the end of it says that no address fails any more", () => {
  const [, recovery] = walked([some, good]).flatMap(({ transitions }) => transitions);
  expect(recovery).toMatchObject({
    previousStatus: "degraded",
    status: "up",
    wasDegradedBy: "some_addresses",
  });
});

test("behavior 10.102: the latency of the addresses that answer counts as usual, and does not make the next one slow", () => {
  const fast = Array.from({ length: 20 }, () => some);
  const latest = walked(fast).at(-1)?.state;
  expect(latest?.baseline.count).toBe(20);
  // Slower than a degraded monitor needs to recover, and not slow.
  expect(statuses([...fast, several(answered(50), answered())]).at(-1)).toBe("up");
  expect(statuses([...fast, several(answered(), answered(500))]).at(-1)).toBe("degraded");
});
