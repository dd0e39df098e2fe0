import { afterAll, beforeEach, expect, test } from "bun:test";
import { lastVisit, outageFilters } from "../../../src/dashboard/web/outages/outages.tsx";

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 24, 8);
const storage: { outagesSeen?: unknown } = {};
const before = Object.getOwnPropertyDescriptor(globalThis, "localStorage");
Object.defineProperty(globalThis, "localStorage", { value: storage, configurable: true });
afterAll(() => {
  if (before) Object.defineProperty(globalThis, "localStorage", before);
  else Reflect.deleteProperty(globalThis, "localStorage");
});
beforeEach(() => {
  delete storage.outagesSeen;
});

test("behavior 14.104: a reader who comes back after half an hour was there before; a reload is the same visit", () => {
  expect(lastVisit(NOW)).toBeUndefined();
  expect(lastVisit(NOW + 60_000)).toBeUndefined();
  expect(lastVisit(NOW + 10 * HOUR)).toBe(NOW + 60_000);
  expect(lastVisit(NOW + 10 * HOUR + 60_000)).toBe(NOW + 60_000);
  expect(lastVisit(NOW + 20 * HOUR)).toBe(NOW + 10 * HOUR + 60_000);
});

test("behavior 14.104: a value that people wrote into the storage is no visit", () => {
  for (const value of ["x", "x y", "", "NaN 0"]) {
    storage.outagesSeen = value;
    expect([value, lastVisit(NOW)]).toEqual([value, undefined]);
  }
});

test("behavior 14.103: the filters of the outages are in the address", () => {
  const of = (address: string) => outageFilters(new URLSearchParams(address));
  expect<object>(of("")).toEqual({});
  expect<object>(of("monitor=m&tag=web&search=%20shop%20&problems=true&from=2026-11-24T10:00:00Z")).toEqual({
    ...{ monitorId: "m", tag: "web", search: "shop" },
    from: "2026-11-24T10:00:00.000Z",
  });
});
