import { describe, expect, test } from "bun:test";
import type { PageFacts } from "../../../src/domain/pages/component-status.ts";
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
  SECOND,
  show,
} from "./facts.ts";

const components = [component("a", { name: "Checkout" }), component("b", { monitorId: "monitor a" })];

function shown(facts: Partial<PageFacts>, now = NOW) {
  return show(factsOf({ components, ...facts, page: { minOutage: 120 } }), now).page.incidents;
}

describe("an outage", () => {
  test("behavior 15.26: is shown with a title, an impact and updates of its own, of all components of its monitor", () => {
    const [shownOutage] = shown({
      outages: [outage("x", { startedAt: NOW - HOUR, endedAt: NOW - 48 * MINUTE })],
    });
    expect(shownOutage).toEqual({
      id: "x",
      outage: { component: "Checkout", isDown: true, lengthMs: 12 * MINUTE },
      title: "Checkout is down",
      impact: "major",
      status: "resolved",
      componentIds: ["a", "b"],
      startedAt: NOW - HOUR,
      resolvedAt: NOW - 48 * MINUTE,
      updatedAt: NOW - 48 * MINUTE,
      updates: [
        {
          id: "x2",
          status: "resolved",
          body: "It lasted 12 minutes.",
          createdAt: NOW - 48 * MINUTE,
          editedAt: null,
        },
        {
          id: "x1",
          status: "investigating",
          body: "It has been down since Nov 22, 11:00 UTC.",
          createdAt: NOW - HOUR,
          editedAt: null,
        },
      ],
    });
  });

  test("behavior 15.26: whose worst status is in group warning is minor", () => {
    expect(shown({ outages: [outage("x", { downs: [] })] })).toMatchObject([
      {
        title: "Checkout is degraded",
        impact: "minor",
        status: "investigating",
        resolvedAt: null,
        updates: [{ body: "It has been degraded since Nov 22, 11:00 UTC." }],
      },
    ]);
  });

  test("behavior 15.25: is shown after it has lasted longer than the page demands, if it is open or not", () => {
    const outages = [outage("x", { startedAt: NOW })];
    const long = NOW + 2 * MINUTE;
    expect(shown({ outages }, long)).toEqual([]);
    expect(shown({ outages }, long + 1)).toHaveLength(1);
    expect(shown({ outages: [outage("x", { startedAt: NOW, endedAt: long })] }, long + HOUR)).toEqual([]);
    expect(
      shown({ outages: [outage("x", { startedAt: NOW, endedAt: long + 1 })] }, long + HOUR),
    ).toHaveLength(1);
  });

  describe("behavior 15.26: that was down for a part of it", () => {
    const degradedFor = (minutes: number, downs: [from: number, to: number | null][]) =>
      outage("x", {
        startedAt: NOW,
        endedAt: NOW + minutes * MINUTE,
        downs: downs.map(([from, to]) => ({ from: NOW + from * MINUTE, to: to && NOW + to * MINUTE })),
      });

    test("is degraded if that part is not longer than the page demands", () => {
      expect(shown({ outages: [degradedFor(10, [[4, 5]])] }, NOW + HOUR)).toMatchObject([
        {
          title: "Checkout is degraded",
          impact: "minor",
          startedAt: NOW,
          updates: [
            { body: "It lasted 10 minutes." },
            { body: "It has been degraded since Nov 22, 12:00 UTC." },
          ],
        },
      ]);
    });

    test("is down since that part began, and lasted as long as all such parts", () => {
      const downs: [number, number][] = [
        [4, 5],
        [6, 8],
      ];
      expect(shown({ outages: [degradedFor(10, downs)] }, NOW + HOUR)).toMatchObject([
        {
          title: "Checkout is down",
          impact: "major",
          startedAt: NOW + 4 * MINUTE,
          resolvedAt: NOW + 8 * MINUTE,
          updatedAt: NOW + 10 * MINUTE,
          outage: { lengthMs: 3 * MINUTE },
          updates: [{ body: "It lasted 3 minutes." }, { body: "It has been down since Nov 22, 12:04 UTC." }],
        },
      ]);
    });

    test("becomes down when the part is long enough, and says when it is over", () => {
      const open = (to: number | null) => [{ ...degradedFor(0, [[4, to]]), endedAt: null }];
      const at = NOW + 6 * MINUTE;
      const facts = factsOf({ components, outages: open(null), page: { minOutage: 120 } });
      expect(show(facts, at).page.incidents).toMatchObject([{ title: "Checkout is degraded" }]);
      expect(show(facts, at).validUntil).toBe(at + 1);
      expect(show(facts, at + 1).page.incidents).toMatchObject([
        { title: "Checkout is down", status: "investigating", updatedAt: NOW + 4 * MINUTE },
      ]);
      expect(shown({ outages: open(7) }, NOW + HOUR)).toMatchObject([
        {
          title: "Checkout is down",
          status: "monitoring",
          resolvedAt: null,
          updatedAt: NOW + 7 * MINUTE,
          updates: [{ body: "It was down for 3 minutes, and is degraded now." }, {}],
        },
      ]);
    });
  });

  test("behavior 15.25: of a monitor that is no component any more is not shown", () => {
    expect(shown({ outages: [outage("x", { monitorId: "other" })] })).toEqual([]);
  });
});

describe("an outage that began in a window", () => {
  const began = { startedAt: NOW, maintenanceId: "m" };

  test("behavior 15.25: is measured from the end of the window", () => {
    const windowEndedAt = NOW + HOUR;
    const outages = [outage("x", { ...began, windowEndedAt })];
    expect(shown({ outages }, windowEndedAt + 2 * MINUTE)).toEqual([]);
    expect(shown({ outages }, windowEndedAt + 2 * MINUTE + 1)).toHaveLength(1);
    const ended = [outage("x", { ...began, windowEndedAt, endedAt: windowEndedAt + MINUTE })];
    expect(shown({ outages: ended }, NOW + DAY)).toEqual([]);
  });

  test("behavior 15.25: is not shown while the window is open, nor if it ended in it", () => {
    const maintenances = [maintenance(NOW - HOUR, NOW + HOUR)];
    expect(shown({ maintenances, outages: [outage("x", began)] }, NOW + HOUR - 1)).toEqual([]);
    const ended = [outage("x", { ...began, endedAt: NOW + 30 * MINUTE })];
    expect(shown({ maintenances, outages: ended }, NOW + 40 * MINUTE)).toEqual([]);
  });

  test("behavior 15.29: says when time alone will show it", () => {
    const facts = factsOf({
      page: { minOutage: 5 },
      components,
      maintenances: [maintenance(NOW - HOUR, NOW + 10 * SECOND)],
      outages: [outage("x", began)],
    });
    expect(show(facts, NOW + SECOND).validUntil).toBe(NOW + 10 * SECOND);
    expect(show({ ...facts, maintenances: [] }, NOW + SECOND).validUntil).toBe(NOW + 5 * SECOND + 1);
  });
});

describe("the incidents of a page", () => {
  test("behavior 15.25: are the open ones that people wrote, open outages, then all others, each part the latest first", () => {
    const incidents = [
      incident("open early", { startedAt: NOW - 5 * DAY }),
      incident("late", { startedAt: NOW - HOUR, resolvedAt: NOW }),
      incident("early", { startedAt: NOW - 9 * DAY, resolvedAt: NOW }),
    ];
    const outages = [
      outage("open outage", { startedAt: NOW - 2 * DAY }),
      outage("outage", { startedAt: NOW - 2 * DAY, endedAt: NOW - DAY }),
    ];
    const ids = shown({ incidents, outages }).map(({ id }) => id);
    expect(ids).toEqual(["open early", "open outage", "late", "outage", "early"]);
  });

  test("behavior 15.25: are at most 50 outages, the open ones first", () => {
    const outages = Array.from({ length: 60 }, (_, index) =>
      outage(`${index}`, { startedAt: NOW - (index + 1) * HOUR, endedAt: NOW - index * HOUR }),
    );
    const all = shown({ outages: [...outages, outage("open", { startedAt: NOW - 80 * DAY })] });
    expect(all).toHaveLength(50);
    expect([all[0]?.id, all.at(-1)?.id]).toEqual(["open", "48"]);
  });

  test("behavior 15.25: are all that people wrote, however many outages there are", () => {
    const open = Array.from({ length: 56 }, (_, index) => outage(`open ${index}`, { startedAt: NOW - HOUR }));
    const ended = Array.from({ length: 54 }, (_, index) =>
      outage(`ended ${index}`, { startedAt: NOW - HOUR, endedAt: NOW - MINUTE }),
    );
    const incidents = [
      incident("written", { startedAt: NOW - 2 * DAY }),
      ...Array.from({ length: 60 }, (_, index) =>
        incident(`over ${index}`, { startedAt: NOW - 3 * DAY, resolvedAt: NOW - 2 * DAY }),
      ),
    ];
    const all = shown({ incidents, outages: [...open, ...ended] });
    expect(all[0]?.id).toBe("written");
    expect(all.filter((one) => one.outage === null)).toHaveLength(61);
    expect(all.filter((one) => one.outage !== null)).toHaveLength(50);
  });

  test("behavior 15.25: have the status of their latest update, or else that of their end", () => {
    const update = { id: "u", status: "monitoring", body: "b", createdAt: NOW, editedAt: null } as const;
    const all = shown({
      incidents: [
        incident("1", { startedAt: NOW - 1 }),
        incident("2", { startedAt: NOW - 2, updates: [update] }),
        incident("3", { startedAt: NOW - 3, resolvedAt: NOW }),
      ],
    });
    expect(all.map(({ status }) => status)).toEqual(["investigating", "monitoring", "resolved"]);
    expect(all.map(({ outage }) => outage)).toEqual([null, null, null]);
  });
});
