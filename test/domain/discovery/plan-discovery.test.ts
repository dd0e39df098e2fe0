import { describe, expect, test } from "bun:test";
import type { Reading } from "../../../src/domain/discovery/found.ts";
import { deleteAtOf, planDiscovery, seenGone } from "../../../src/domain/discovery/plan-discovery.ts";
import type { SourceName } from "../../../src/domain/discovery/settings.ts";
import { reading, thing } from "../../support/discovery/stand-in-source.ts";

const HTTP = { type: "HTTP", config: { url: "http://127.0.0.1:8080/", interval: 60 } };
const NOW = Date.parse("2026-11-29T12:00:00Z");
const GRACE = 86_400_000;
const MINUTE = 60_000;

function monitor(ref: string, goneAt: number | null = null) {
  return { ref, goneAt };
}

function plan(
  readings: Partial<Record<SourceName, Reading>>,
  stored: ReturnType<typeof monitor>[] = [],
  more: Partial<Parameters<typeof planDiscovery>[0]> = {},
) {
  return planDiscovery({
    readings: new Map(Object.entries(readings) as [SourceName, Reading][]),
    stored,
    grace: GRACE,
    now: NOW,
    monotonic: 0,
    seen: new Map(),
    ...more,
  });
}

const NOTHING = { monitors: {}, missing: { gone: [], deleted: [], kept: [] }, faults: [] };

describe("the plan of what sources found", () => {
  test("behavior 28.71: the entries of all sources that were read are one document", () => {
    const docker = reading(
      thing("web-1", { "docker/web": HTTP, "docker/tcp": { type: "TCP" } }),
      thing("db", {}),
    );
    const files = reading(thing("h", { "files/h": HTTP }));
    expect(plan({ docker, files })).toEqual({
      ...NOTHING,
      monitors: { "docker/web": HTTP, "docker/tcp": { type: "TCP" }, "files/h": HTTP },
    });
  });

  test("behavior 28.72: an entry that its source can't read is a fault, and its monitor stays as it is", () => {
    const faults = [
      { entry: "docker/web", message: "must be JSON" },
      { entry: "db", message: "has no port" },
    ];
    const docker = { found: [thing("web-1")], faults };
    expect(plan({ docker }, [monitor("docker/web")])).toEqual({
      ...NOTHING,
      missing: { ...NOTHING.missing, kept: ["docker/web"] },
      faults: faults.map((one) => ({ source: "docker", ...one })),
    });
  });

  test("behavior 28.73: what is gone is paused, and only monitors of sources that were read", () => {
    const stored = [monitor("docker/web"), monitor("docker/gone", NOW - MINUTE), monitor("files/h")];
    const { missing } = plan({ docker: reading() }, stored);
    expect(missing).toEqual({ gone: ["docker/web", "docker/gone"], deleted: [], kept: [] });
    expect(plan({}, stored)).toEqual(NOTHING);
  });

  test.each([
    { name: "within grace", goneFor: GRACE - 1, left: 0, isDeleted: false },
    { name: "after grace, seen for long enough", goneFor: GRACE, left: 0, isDeleted: true },
    { name: "after grace, seen for less", goneFor: 9 * GRACE, left: 1, isDeleted: false },
    { name: "after grace, not seen by this process", goneFor: 9 * GRACE, left: null, isDeleted: false },
    { name: "noted in the future", goneFor: -GRACE, left: 0, isDeleted: false },
  ])("behavior 28.75: a monitor $name is deleted: $isDeleted", ({ goneFor, left, isDeleted }) => {
    const stored = [monitor("docker/web", NOW - goneFor)];
    const seen = new Map(left === null ? [] : [["docker/web", left]]);
    const { missing } = plan({ docker: reading() }, stored, { seen });
    expect(missing.deleted).toEqual(isDeleted ? ["docker/web"] : []);
    expect(missing.gone).toEqual(isDeleted ? [] : ["docker/web"]);
    expect(plan({ files: reading() }, stored, { seen })).toEqual(NOTHING);
  });

  test("behavior 28.75: the time of a deletion is the later one of grace and of what this process must have seen", () => {
    const goneAt = NOW - GRACE + MINUTE;
    const at = (seen: [string, number][], grace = GRACE) =>
      deleteAtOf({ ref: "docker/web", goneAt }, { now: NOW, monotonic: 0, grace, seen: new Map(seen) });
    expect(at([["docker/web", 0]])).toBe(NOW + MINUTE);
    expect(at([["docker/web", 3 * MINUTE]])).toBe(NOW + 3 * MINUTE);
    expect(at([])).toBe(NOW + 10 * MINUTE);
    expect(at([], 5000)).toBe(NOW + 5000);
    expect(
      deleteAtOf({ ref: "docker/web", goneAt: null }, { now: NOW, monotonic: 0, grace: 1, seen: new Map() }),
    ).toBeNull();
  });

  test("behavior 28.75: what this process has seen as gone is counted again after it came back, or its source could not be read", () => {
    const stored = [monitor("docker/web"), monitor("docker/db"), monitor("files/h")];
    const see = (
      seen: Map<string, number>,
      readings: [SourceName, Reading][],
      asked: SourceName[],
      monotonic: number,
    ) => seenGone({ readings: new Map(readings), asked, stored, seen, now: NOW, grace: 5000, monotonic });
    const db = reading(thing("db", { "docker/db": HTTP }));
    const first = see(
      new Map(),
      [
        ["docker", db],
        ["files", reading()],
      ],
      ["docker", "files"],
      1000,
    );
    expect([...first]).toEqual([
      ["docker/web", 6000],
      ["files/h", 6000],
    ]);
    const second = see(first, [["docker", reading()]], ["docker"], 2000);
    expect(Object.fromEntries(second)).toEqual({ "docker/web": 6000, "docker/db": 7000, "files/h": 6000 });
    expect([...see(second, [], ["docker"], 3000)]).toEqual([["files/h", 6000]]);
    expect([...see(second, [["docker", db]], ["docker"], 3000).keys()]).toEqual(["files/h", "docker/web"]);
  });

  test.each([
    { name: "goes now", goneFor: null, left: GRACE },
    { name: "has been gone for an hour", goneFor: 60 * MINUTE, left: GRACE - 60 * MINUTE },
    { name: "has been gone for longer than grace", goneFor: 9 * GRACE, left: 10 * MINUTE },
    { name: "is noted in the future", goneFor: -GRACE, left: GRACE },
  ])(
    "behavior 28.75: a process that first sees what $name must see it for $left ms, however its clock is set",
    ({ goneFor, left }) => {
      const goneAt = goneFor === null ? null : NOW - goneFor;
      const given = { readings: new Map([["docker", reading()] as const]), grace: GRACE };
      const seen = seenGone({
        ...given,
        asked: ["docker"],
        stored: [monitor("docker/web", goneAt)],
        ...{ seen: new Map(), now: NOW, monotonic: 0 },
      });
      const stored = [monitor("docker/web", goneAt ?? NOW)];
      const deletedAt = (now: number, monotonic: number) =>
        planDiscovery({ ...given, stored, seen, now, monotonic }).missing.deleted;
      const nextYear = NOW + 365 * GRACE;
      expect(deletedAt(nextYear, left - 1)).toEqual([]);
      expect(deletedAt(nextYear, left)).toEqual(["docker/web"]);
      expect(deletedAt(NOW - 365 * GRACE, left)).toEqual([]);
    },
  );
});
