import { describe, expect, test } from "bun:test";
import { mayBeUnwatched, reportDiscovery } from "../../../src/domain/discovery/report.ts";
import type { SourceName } from "../../../src/domain/discovery/settings.ts";
import { tcp, thing } from "../../support/discovery/stand-in-source.ts";

const NOW = Date.parse("2026-11-29T12:00:00Z");

function stored(ref: string, goneAt: number | null = null) {
  return { id: `id of ${ref}`, ref, name: `name of ${ref}`, goneAt };
}

const draft = { name: "db-1", type: "TCP", config: { host: "127.0.0.1", port: 5432, interval: 60 } };
const found = [
  thing("stopped", {}, { isRunning: false }),
  thing("excluded", {}, { isExcluded: true }),
  thing("web-1", { "docker/web": tcp(1) }),
  thing("wrong-1", { "docker/wrong": tcp(0) }),
  thing("by address", {}, { addresses: ["127.0.0.1:9", "127.0.0.1:8080"] }),
  thing("by host", {}, { addresses: ["shop.example.com"] }),
  thing("db-1", {}, { addresses: ["127.0.0.1:8081"], draft }),
];

function report(
  sources: [
    SourceName,
    Parameters<typeof reportDiscovery>[0] extends ReadonlyMap<string, infer S> ? S : never,
  ][],
) {
  return reportDiscovery(new Map(sources), {
    stored: [stored("docker/web"), stored("docker/old", NOW), stored("files/other")],
    addresses: new Set(["127.0.0.1", "127.0.0.1:8080", "shop.example.com", "shop.example.com:443"]),
    deleteAt: ({ goneAt }) => (goneAt === null ? null : goneAt + 1000),
  });
}

describe("the report of discovery", () => {
  test("behavior 28.60, 28.81: an entry whose name is no text, or is long, has a short text as its name", () => {
    const named = [{ x: "1" }, 5, "n".repeat(100_000)].map((name, at) => [`docker/n${at}`, { name }]);
    const wrong = thing("wrong", Object.fromEntries(named));
    const { entries } = report([["docker", { found: [wrong], readAt: NOW, faults: [] }]]);
    const names = new Map(entries.map(({ ref, name }) => [ref, name]));
    expect([names.get("docker/n0"), names.get("docker/n1")]).toEqual(["docker/n0", "docker/n1"]);
    expect(names.get("docker/n2")?.length).toBeLessThanOrEqual(200);
  });

  test("behavior 28.81: the entries are the monitors of its sources, and what has a fault", () => {
    const faults = [
      { source: "docker" as const, entry: "docker/twice", message: "must be equal" },
      { source: "docker" as const, entry: "a container", message: "must be true or false" },
      { source: "docker" as const, entry: "docker/wrong", message: "config.port must be 1 to 65535" },
    ];
    const { entries, ...others } = report([["docker", { found, readAt: NOW, faults }]]);
    const there = { source: "docker", goneAt: null, deleteAt: null } as const;
    expect(entries).toEqual([
      {
        ...there,
        ref: "docker/old",
        name: "name of docker/old",
        monitorId: "id of docker/old",
        goneAt: NOW,
        deleteAt: NOW + 1000,
      },
      { ...there, ref: "docker/twice", name: "docker/twice", monitorId: null },
      { ...there, ref: "docker/web", name: "name of docker/web", monitorId: "id of docker/web" },
      { ...there, ref: "docker/wrong", name: "docker/wrong", monitorId: null },
    ]);
    expect(others.faults).toEqual(faults);
  });

  test("behavior 28.83: unwatched is what runs, is not excluded, has no entry that is a monitor, and no target of a monitor", () => {
    const { sources, unwatched } = report([["docker", { found, readAt: NOW, faults: [] }]]);
    expect(sources).toEqual([{ source: "docker", found: 5, readAt: NOW, unwatched: 2 }]);
    expect(unwatched).toEqual([
      { source: "docker", name: "wrong-1", draft: null },
      { source: "docker", name: "db-1", draft },
    ]);
  });

  test("behavior 28.81: a source that was never read has no time, and found nothing", () => {
    const { sources } = report([["http", { found: [], readAt: null, faults: [] }]]);
    expect(sources).toEqual([{ source: "http", found: 0, readAt: null, unwatched: 0 }]);
  });

  test("behavior 28.83: addresses are read only if something that runs has any", () => {
    const known = (...some: typeof found) => [{ found: some, readAt: NOW, faults: [] }];
    expect(mayBeUnwatched(known(...found))).toBe(true);
    expect(mayBeUnwatched(known(thing("a"), thing("b", {}, { isRunning: false, addresses: ["a"] })))).toBe(
      false,
    );
  });
});
