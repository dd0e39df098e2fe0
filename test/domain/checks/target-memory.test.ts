import { describe, expect, test } from "bun:test";
import type { Memory } from "../../../src/domain/checks/judge.ts";
import type { Evidence } from "../../../src/domain/checks/observation.ts";
import { knownAddresses, rememberTarget } from "../../../src/domain/checks/target-memory.ts";

const DAY = 86_400_000;
const NOW = 20_000 * DAY + 1000;

const told = (...addresses: string[]): Evidence => ({
  outcome: "reached",
  latencyMs: 1,
  told: addresses,
  detail: {},
});

const days = (memory: Memory | null) => memory?.told;

describe("behavior 22.4: a memory of addresses", () => {
  test("is the same object while nothing is new, and no address has waited for more than a day", () => {
    const first = rememberTarget(null, told("a", "b"), NOW);
    expect(days(first)).toEqual({ a: 20_000, b: 20_000 });
    expect(rememberTarget(first, told("b", "a"), NOW + DAY)).toBe(first);
    expect(rememberTarget(first, told("a"), NOW + DAY)).toBe(first);
    expect(days(rememberTarget(first, told("a"), NOW + 2 * DAY))).toEqual({ a: 20_002, b: 20_000 });
  });

  test("keeps what judges a check, and forgets addresses after 7 days", () => {
    const before: Memory = { valid: ["f"], told: { a: 20_000 } };
    expect(rememberTarget(before, told("b"), NOW + 7 * DAY)).toEqual({
      valid: ["f"],
      told: { a: 20_000, b: 20_007 },
    });
    expect(rememberTarget(before, told("b"), NOW + 8 * DAY)).toEqual({ valid: ["f"], told: { b: 20_008 } });
    expect(knownAddresses(before, NOW + 7 * DAY)).toEqual(["a"]);
    expect(knownAddresses(before, NOW + 8 * DAY)).toBeNull();
    expect(knownAddresses(null, NOW)).toBeNull();
  });

  test("has at most 100 of them, the latest ones", () => {
    const many = Array.from({ length: 150 }, (_, at) => `a${at}`);
    const memory = rememberTarget({ told: { old: 19_999 } }, told(...many), NOW);
    expect(Object.keys(memory?.told ?? {})).toHaveLength(100);
    expect(memory?.told).not.toHaveProperty("old");
  });

  test("is not written for a host that is an address", () => {
    expect(rememberTarget(null, { outcome: "reached", latencyMs: 1, detail: {} }, NOW)).toBeNull();
  });
});

test("behavior 22.4: a memory has the certificate of the server, if there is one", () => {
  const tls = { protocol: "TLSv1.3", cipher: null, validTo: "2027-01-01T00:00:00.000Z", advice: [] };
  const seen = (fingerprint: string): Evidence => ({
    ...{ outcome: "reached", latencyMs: 1, detail: {}, tls: { ...tls, fingerprint } },
  });
  const memory = rememberTarget(null, seen("A"), NOW);
  expect(memory).toEqual({ fingerprint: "A" });
  expect(rememberTarget(memory, seen("A"), NOW + 1)).toBe(memory);
  expect(rememberTarget(memory, seen("B"), NOW + 1)).toEqual({ fingerprint: "B" });
});
