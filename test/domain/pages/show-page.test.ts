import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  component,
  DAY,
  factsOf,
  HOUR,
  incident,
  MINUTE,
  maintenance,
  NOW,
  outage,
  run,
  SECOND,
  show,
} from "./facts.ts";

describe("a page", () => {
  test("behavior 15.23, 15.24: has the settings of its organization and its overall state", () => {
    const page = { title: "Shop status", description: "All of it", days: 7, showLatency: true };
    const facts = factsOf({
      page,
      components: [component("a", { status: "down", latencyMs: 12 }), component("b")],
    });
    expect(show(facts).page).toMatchObject({
      ...{ id: "page", slug: "shop", title: "Shop status", description: "All of it" },
      ...{ historyDays: 7, showLatency: true, indicator: "major", summary: "Partial System Outage" },
      components: [{ latencyMs: 12 }, { latencyMs: null }],
    });
  });

  test("behavior 15.30: shows no ID and no tag of a monitor", () => {
    const facts = factsOf({
      components: [component("a", { monitorId: "secret-1", tags: ["secret-2"] })],
      outages: [outage("x", { monitorId: "secret-1" })],
      maintenances: [maintenance(NOW, NOW + HOUR, { selector: { monitorIds: ["secret-1", "secret-3"] } })],
      runs: [run(NOW - DAY, NOW - HOUR, { selector: { tags: ["secret-2"] } })],
    });
    const { page } = show(facts);
    expect([page.incidents.length, page.maintenances.length]).toEqual([1, 2]);
    expect(JSON.stringify(page)).not.toContain("secret");
  });
});

describe("the last change of a page", () => {
  const updated = (facts: Parameters<typeof factsOf>[0]) => show(factsOf(facts)).page.updatedAt;
  const old = { statusSince: NOW - 9 * DAY, editedAt: NOW - 9 * DAY };
  const components = [component("a", old), component("b", old)];

  test.each<[string, Parameters<typeof factsOf>[0], number]>([
    ["of the settings", { page: { updatedAt: NOW - 5 } }, NOW - 5],
    ["of a status", { components: [component("a", { statusSince: NOW - 4 })] }, NOW - 4],
    ["of a name", { components: [component("a", { editedAt: NOW - 3 })] }, NOW - 3],
    ["of an incident", { components, incidents: [incident("i", { updatedAt: NOW - 2 })] }, NOW - 2],
    ["the end of an outage", { components, outages: [outage("x", { endedAt: NOW - 6 })] }, NOW - 6],
    [
      "the moment at which an outage became long",
      { components, outages: [outage("x", { startedAt: NOW - 10 * MINUTE })] },
      NOW - 8 * MINUTE + 1,
    ],
    ["the start of a window", { components, maintenances: [maintenance(NOW - 7, NOW + HOUR)] }, NOW - 7],
    ["the end of a window", { components, runs: [run(NOW - HOUR, NOW - 8)] }, NOW - 8],
    [
      "nothing that is to come",
      { components, maintenances: [maintenance(NOW + 7, NOW + HOUR)] },
      NOW - 9 * DAY,
    ],
  ])("behavior 15.31: is %s", (_, facts, at) => {
    expect(updated(facts)).toBe(at);
  });
});

describe("a page is valid", () => {
  test("behavior 15.29: for a minute, because of its uptimes", () => {
    expect(show(factsOf({})).validUntil).toBe(NOW + MINUTE);
  });

  test("behavior 15.29: until midnight in UTC", () => {
    const midnight = NOW + 12 * HOUR;
    const facts = factsOf({ components: [component("a")] });
    expect(show(facts, midnight - 1).validUntil).toBe(midnight);
    expect(show(facts, midnight).page.components[0]?.days.at(-1)?.date).toBe("2026-11-23");
  });
});

describe("time alone", () => {
  const moments = fc.integer({ min: -200, max: 60 }).map((seconds) => NOW + seconds * SECOND);
  const window = fc
    .tuple(moments, fc.integer({ min: 1, max: 240 }))
    .map(([from, length]) => ({ from, to: from + length * SECOND }));

  /** One maintenance with one window, outages that began in it or not, and what is noticed of the window until now. */
  const facts = fc
    .record({
      window,
      minOutage: fc.integer({ min: 0, max: 120 }),
      outages: fc.array(
        fc.record({ startedAt: moments, lasts: fc.option(fc.integer({ min: 0, max: 200 })) }),
      ),
    })
    .map(({ window: { from, to }, minOutage, outages }) =>
      factsOf({
        page: { minOutage },
        components: [component("a", { status: "down" }), component("b")],
        maintenances: [maintenance(from, to)],
        runs: from > NOW ? [] : [run(from, to > NOW ? null : to)],
        outages: outages
          .map(({ startedAt, lasts }, index) => {
            const isInWindow = startedAt >= from && startedAt < to;
            return outage(`${index}`, {
              startedAt,
              endedAt: lasts === null ? null : startedAt + lasts * SECOND,
              maintenanceId: isInWindow ? "m" : null,
              windowEndedAt: isInWindow && to <= NOW ? to : null,
            });
          })
          .filter(({ startedAt, endedAt }) => startedAt <= NOW && (endedAt ?? 0) <= NOW),
      }),
    );

  test("behavior 15.29: changes nothing on a page while it is valid", () => {
    fc.assert(
      fc.property(facts, fc.double({ min: 0, max: 1, noNaN: true }), (given, part) => {
        const { page, validUntil } = show(given);
        expect(validUntil).toBeGreaterThan(NOW);
        const later = Math.floor(NOW + part * (validUntil - 1 - NOW));
        expect(show(given, later).page).toEqual(page);
        expect(show(given, validUntil - 1).page).toEqual(page);
      }),
    );
  });
});
