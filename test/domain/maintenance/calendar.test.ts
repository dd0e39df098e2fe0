import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createCalendar, findOpenWindow } from "../../../src/domain/maintenance/maintenance.ts";
import type { Selector } from "../../../src/domain/monitors/selector.ts";
import { walks } from "../../support/long.ts";
import { DAY, HOUR, MINUTE, once, repeated } from "./definition.ts";

const NOW = Date.UTC(2026, 10, 22, 12);
const web = { id: "w", tags: ["web"] };

describe("the window of a monitor", () => {
  test("behavior 14.31: is the one that ends last of those that are open", () => {
    const definitions = [
      once(NOW - HOUR, NOW + HOUR, { id: "short" }),
      once(NOW, NOW + 2 * HOUR, { id: "long", title: "Move" }),
      once(NOW + 2 * HOUR, NOW + 9 * HOUR, { id: "later" }),
    ];
    expect(findOpenWindow(definitions, web, NOW)).toEqual({
      id: "long",
      title: "Move",
      endsAt: NOW + 2 * HOUR,
    });
    expect(findOpenWindow(definitions, web, NOW - 1)?.id).toBe("short");
    expect(findOpenWindow(definitions, web, NOW - HOUR - 1)).toBeNull();
  });

  test.each([
    [{ all: true as const }, true],
    [{ tags: ["db", "web"] }, true],
    [{ monitorIds: ["w"] }, true],
    [{ monitorIds: ["x"], tags: ["web"] }, true],
    [{ monitorIds: ["x"], tags: ["db"] }, false],
  ])("behavior 14.31: with the selector %j is open: %j", (selector, isOpen) => {
    const definition = once(NOW, NOW + HOUR, { selector });
    expect(findOpenWindow([definition], web, NOW) !== null).toBe(isOpen);
  });
});

describe("a calendar", () => {
  const minutes = fc.integer({ min: -3000, max: 3000 });
  const definition = fc.oneof(
    fc.tuple(minutes, minutes).map(([start, length]) => {
      return once(NOW + start * MINUTE, NOW + (start + Math.abs(length)) * MINUTE);
    }),
    fc
      .tuple(fc.constantFrom("0 * * * *", "30 2 * * *", "0 */7 * * *"), fc.integer({ min: 1, max: 600 }))
      .map(([cron, length]) => repeated(cron, length * 60, { timezone: "Europe/Berlin" })),
  );
  const definitions = fc
    .array(fc.tuple(definition, fc.constantFrom<Selector>({ all: true }, { tags: ["db"] })), { maxLength: 4 })
    .map((list) => list.map(([one, selector], at) => ({ ...one, id: `${at}`, selector })));

  test("behavior 14.31: has the windows of its definitions at any moments in any order", () => {
    fc.assert(
      fc.property(definitions, fc.array(minutes, { maxLength: 30 }), (definitions, moments) => {
        const calendar = createCalendar(definitions);
        for (const moment of moments) {
          const at = NOW + moment * MINUTE;
          expect(calendar.windowOf(web, at)).toEqual(findOpenWindow(definitions, web, at));
        }
      }),
      { numRuns: walks(100) },
    );
  });

  test("behavior 14.31: of definitions that have all ended is empty", () => {
    const calendar = createCalendar([once(NOW - DAY, NOW)]);
    expect(calendar.windowOf(web, NOW)).toBeNull();
  });
});
