import { describe, expect, test } from "bun:test";
import type { MonitorSummary } from "../../../src/dashboard/web/data/api.ts";
import { countFilters } from "../../../src/dashboard/web/overview/filter-bar.tsx";
import { selectMonitors } from "../../../src/dashboard/web/overview/select-monitors.ts";
import { MONITOR_KINDS, type MonitorKind } from "../../../src/domain/monitors/kinds/kinds.ts";
import type { Sort } from "../../../src/domain/overview/selection.ts";

function monitor(name: string, changes: Partial<MonitorSummary> = {}): MonitorSummary {
  const config = { url: `https://${name}.example/`, interval: 60 };
  const defaults = { id: name, name, type: "HTTP", config, status: "up", enabled: true } as const;
  const empty = {
    tags: [],
    dependsOn: [],
    maintenance: null,
    acknowledgement: null,
    since: null,
    blindSince: null,
    latest: null,
    detail: null,
    seenDown: null,
  };
  return { ...defaults, ...empty, ...changes };
}

const latency = (latencyMs: number) => ({ status: "up", latencyMs, createdAt: "" }) as const;

const all = [
  monitor("b10", { uptime: "100.00%", latest: latency(5) }),
  monitor("b9", { uptime: "99.00%", latest: latency(50) }),
  monitor("paused", { enabled: false, status: "down" }),
  monitor("new", { status: "unknown", tags: ["web"] }),
  monitor("broken", { status: "down", uptime: "9.50%", tags: ["eu", "web"] }),
  monitor("job", { type: "SCHEDULED", config: { interval: 300 }, status: "havent_heard" }),
];

const maintained = (name: string) =>
  monitor(name, { status: "down", maintenance: { id: "m", title: "Move", endsAt: "" } });
const acknowledged = (name: string) =>
  monitor(name, { status: "down", acknowledgement: { at: "", by: "Mia", note: null } });

const none = { search: "", type: "", state: "", tags: [] as string[], sort: "trouble" as Sort } as const;
const names = (filters: Partial<Parameters<typeof selectMonitors>[1]>) =>
  selectMonitors(all, { ...none, ...filters }).map(({ name }) => name);

describe("the list of monitors", () => {
  test("behavior 1.6: has problems first, then waiting ones, then healthy ones by name, and paused ones last", () => {
    expect(names({})).toEqual(["broken", "job", "new", "b9", "b10", "paused"]);
  });

  test("behavior 1.6: has what somebody works on, and what is in maintenance, after what needs somebody", () => {
    const monitors = [acknowledged("a"), maintained("b"), ...all];
    const found = (state: "" | "down" | "acknowledged" | "maintenance") =>
      selectMonitors(monitors, { ...none, state }).map(({ name }) => name);
    expect(found("")).toEqual(["broken", "job", "new", "a", "b", "b9", "b10", "paused"]);
    expect(found("down")).toEqual(["broken"]);
    expect(found("acknowledged")).toEqual(["a"]);
    expect(found("maintenance")).toEqual(["b"]);
  });

  test.each([
    ["name", ["b9", "b10", "broken", "job", "new", "paused"]],
    ["uptime", ["broken", "b9", "b10", "job", "new", "paused"]],
    ["latency", ["b9", "b10", "broken", "job", "new", "paused"]],
  ] as const)("is ordered by %s", (sort, expected) => {
    expect(names({ sort })).toEqual([...expected]);
  });

  test("is searched by name and target, ignoring case", () => {
    expect(names({ search: " BROKEN.example " })).toEqual(["broken"]);
    expect(names({ search: "learns" })).toEqual(["job"]);
  });

  test("is filtered by type and by display state", () => {
    expect(names({ type: "SCHEDULED" })).toEqual(["job"]);
    expect(names({ state: "paused" })).toEqual(["paused"]);
    expect(names({ state: "down" })).toEqual(["broken"]);
  });

  test("behavior 7.50: is filtered by the kinds of the form, of which each monitor has one", () => {
    const tcp = (protocol?: string) =>
      monitor(protocol ?? "port", {
        type: "TCP",
        config: { host: "a.example", port: 1, interval: 60, ...(protocol && { protocol }) } as never,
      });
    const monitors = [monitor("site"), tcp(), tcp("icmp"), tcp("smtp"), tcp("redis"), tcp("ssh")];
    const found = (kind: MonitorKind) => selectMonitors(monitors, { ...none, kind }).map(({ name }) => name);
    expect(Object.fromEntries(MONITOR_KINDS.map((kind) => [kind, found(kind)]))).toMatchObject({
      ...{ HTTP: ["site"], PING: ["icmp"], TCP: ["port"], MAIL: ["smtp"], DATABASE: ["redis"], SSH: ["ssh"] },
      ...{ WEBSOCKET: [], GRPC: [], DNS: [] },
    });
  });

  test("behavior 14.93: is filtered by tags, which a monitor must all have", () => {
    expect(names({ tags: ["web"] })).toEqual(["broken", "new"]);
    expect(names({ tags: ["web", "eu"] })).toEqual(["broken"]);
  });
});

test("behavior 16.368: the button of the filters counts what leaves monitors out, not the order and the range", () => {
  const filters = { ...none, kind: "", range: "7d", sort: "name" } as const;
  expect(countFilters(filters)).toBe(0);
  const all = { search: "x", kind: "HTTP", state: "down", tags: ["a", "b"] } as const;
  expect(countFilters({ ...filters, ...all, tags: [...all.tags] })).toBe(5);
});
