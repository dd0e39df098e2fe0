import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Author } from "../../../src/domain/accounts/audit.ts";
import { createLogger } from "../../../src/log.ts";
import { applyFound, type EngineParts } from "../../../src/runner/discovery/discovery-engine.ts";
import {
  createDiscoveryRounds,
  type DiscoveryRounds,
} from "../../../src/runner/discovery/discovery-rounds.ts";
import { createNode } from "../../../src/runner/node.ts";
import type { Store } from "../../../src/store/store.ts";
import { World } from "../../store/contract/world.ts";
import { createTestClock, type TestClock } from "../../support/clock.ts";
import { reading, StandInSource, tcp, thing } from "../../support/discovery/stand-in-source.ts";
import { type DeathAt, Life, mortalStore } from "../../support/outbox/life.ts";
import { engineOfTests } from "../../support/store/engines.ts";
import type { TestStore } from "../../support/store/test-store.ts";

setDefaultTimeout(120_000);

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let opened: TestStore;
let world: World;
let clock: TestClock;
let ends: (() => Promise<unknown> | unknown)[];
let docker: StandInSource;

beforeEach(async () => {
  opened = await engineOfTests().open();
  world = await World.create(opened);
  clock = createTestClock();
  // Its module is loaded by the first call, which the clock does not wait for.
  const nothing = { gone: [], deleted: [] };
  await opened.store.discovery.apply(world.organizationId, { monitors: {} }, nothing, clock.now());
  ends = [];
  docker = new StandInSource();
});

afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  await clock.settle();
  await opened[Symbol.asyncDispose]();
});

interface Process {
  rounds: DiscoveryRounds;
  life: Life;
  end: () => Promise<void>;
  lines: Record<string, unknown>[];
  wakes: () => number;
}

/** A server with discovery. @param more.deathAt the call of the store at which it is killed */
async function start(
  sources: StandInSource[] = [docker],
  {
    grace = HOUR,
    defaults = {},
    ...more
  }: {
    grace?: number;
    defaults?: object;
    store?: Store;
    deathAt?: DeathAt;
    confirm?: EngineParts["confirm"];
    findOrganization?: () => Promise<string>;
  } = {},
): Promise<Process> {
  const life = new Life();
  const { store: given = opened.store } = more;
  const store: Store = {
    ...given,
    claims: mortalStore(given.claims, { clock, life }),
    nodes: mortalStore(given.nodes, { clock, life }),
    discovery: mortalStore(given.discovery, { clock, life }),
    audit: mortalStore(given.audit, { clock, life }),
    as: (author) => mortalStore(given.as(author), { clock, life }),
  };
  const whileAlive = (task: () => unknown) => () => (life.isOver ? undefined : task());
  const own = {
    ...clock,
    after: (ms: number, task: () => unknown) => clock.after(ms, whileAlive(task)),
    every: (ms: number, task: () => unknown) => clock.every(ms, whileAlive(task)),
  };
  const lines: Record<string, unknown>[] = [];
  let wakes = 0;
  const log = createLogger({ level: "info" }, (line: string) => void lines.push(JSON.parse(line)));
  const silent = createLogger({ level: "silent" });
  const named = { name: "n", version: "1", retentionDays: 90, checks: () => 0 };
  const node = createNode({ store, clock: own, log: silent, ...named });
  await node.start();
  const wake = () => void wakes++;
  const organizationId = world.organizationId;
  const confirm = more.confirm ?? (async () => {});
  const parts = { store, clock: own, claimant: node.claimant, log, wake, organizationId, confirm };
  if (more.deathAt) life.endAt(more.deathAt);
  const rounds = createDiscoveryRounds({
    ...parts,
    ...{ sources, grace, defaults },
    findOrganization: more.findOrganization ?? (async () => organizationId),
    apply: applyFound(parts),
  });
  rounds.start();
  const end = async () => {
    if (life.isOver) return;
    await Promise.all([rounds.stop(), node.stop()]);
    life.end();
  };
  ends.push(end);
  await clock.advance(SECOND);
  return { rounds, life, end, lines, wakes: () => wakes };
}

const list = () => opened.store.discovery.list(world.organizationId);

/** By ref whether a monitor is enabled. A monitor with a note is `gone` if it is paused, else `noted`. */
async function states(): Promise<Record<string, boolean | "gone" | "noted">> {
  const all = await list();
  return Object.fromEntries(
    all.map(({ ref, enabled, goneAt }) => [ref, goneAt === null ? enabled : enabled ? "noted" : "gone"]),
  );
}

/** Runs the next regular round. */
const nextRound = () => clock.advance(31 * SECOND);

async function audit(): Promise<string[]> {
  const { items } = await opened.store.audit.list(world.organizationId, { limit: 100 });
  return items.map(({ action, resource }) => `${action} ${resource.name}`).toReversed();
}

async function edit(ref: string, changes: { enabled?: boolean; name?: string }): Promise<void> {
  const { id = "" } = (await list()).find((one) => one.ref === ref) ?? {};
  await opened.store.monitors.update(world.owner, id, changes, clock.now());
}

describe("the rounds of discovery", () => {
  test("behavior 28.70: sources are read at the start, every 30 seconds, and on request; events within a second share a read", async () => {
    const files = new StandInSource("files");
    const { rounds } = await start([docker, files]);
    expect([docker.reads, files.reads]).toEqual([1, 1]);
    await nextRound();
    expect([docker.reads, files.reads]).toEqual([2, 2]);
    for (let event = 0; event < 10; event++) docker.change();
    await clock.advance(SECOND);
    expect([docker.reads, files.reads]).toEqual([3, 2]);
    for (let event = 0; event < 10; event++) {
      docker.change();
      await clock.advance(100);
    }
    expect(docker.reads).toBeLessThanOrEqual(6);
    rounds.wake();
    await clock.advance(SECOND);
    expect(files.reads).toBe(3);
    await rounds.stop();
    expect([docker.watchers, files.watchers]).toEqual([0, 0]);
  });

  test("behavior 28.71, 28.73, 28.74, 28.75, 28.78: a monitor from its first entry to its deletion", async () => {
    docker.answer = reading(thing("web-1", { "docker/web": tcp(1) }), thing("db-1", { "docker/db": tcp(2) }));
    const own = await world.site();
    const { lines, wakes } = await start();
    expect(await states()).toEqual({ "docker/web": true, "docker/db": true });
    docker.answer = reading(thing("db-1", { "docker/db": tcp(3) }));
    docker.change();
    await clock.advance(SECOND);
    expect(await states()).toEqual({ "docker/web": "gone", "docker/db": true });
    docker.answer = reading(thing("web-1", { "docker/web": tcp(1) }), thing("db-1", { "docker/db": tcp(3) }));
    await nextRound();
    expect(await states()).toEqual({ "docker/web": true, "docker/db": true });
    docker.answer = reading(thing("db-1", { "docker/db": tcp(3) }));
    await nextRound();
    const [before = 0] = (await list()).flatMap(({ goneAt }) => goneAt ?? []);
    await clock.advance(before + HOUR - clock.now() - SECOND);
    expect(await states()).toEqual({ "docker/web": "gone", "docker/db": true });
    await clock.advance(3 * SECOND);
    expect(await states()).toEqual({ "docker/db": true });
    expect((await opened.store.monitors.find(world.organizationId, own)).enabled).toBe(true);
    const changes = lines.map(({ level: _, time: __, msg: ___, ...refs }) => refs);
    expect(changes).toEqual([
      { create: ["docker/web", "docker/db"] },
      { update: ["docker/db"], pause: ["docker/web"] },
      { update: ["docker/web"] },
      { pause: ["docker/web"] },
      { delete: ["docker/web"] },
    ]);
    expect(wakes()).toBe(5);
    expect((await opened.store.audit.list(world.organizationId, { limit: 1 })).items[0]?.actor).toEqual({
      type: "cli",
      id: null,
      name: "discovery",
    });
  });

  test("behavior 28.71: what people change of a monitor is as in its source after the next read, and `defaults` apply", async () => {
    docker.answer = reading(thing("web-1", { "docker/web": tcp(1) }));
    await start([docker], { defaults: { tags: ["found"] } });
    await edit("docker/web", { name: "Mine" });
    await nextRound();
    const [monitor] = await list();
    expect(monitor?.name).toBe("docker/web");
    expect(await opened.store.monitors.find(world.organizationId, monitor?.id ?? "")).toMatchObject({
      tags: ["found"],
    });
  });

  test("behavior 28.71: while neither a source nor the organization changes, nothing is applied for ten minutes", async () => {
    let applied = 0;
    const { store } = opened;
    const counting = (author: Author): Store["discovery"] => ({
      ...store.as(author).discovery,
      apply: (...given) => {
        applied++;
        return store.as(author).discovery.apply(...given);
      },
    });
    docker.answer = reading(thing("web-1", { "docker/web": tcp(1) }));
    await start([docker], {
      store: { ...store, as: (author) => ({ ...store.as(author), discovery: counting(author) }) },
    });
    await clock.advance(5 * MINUTE);
    expect(applied).toBe(2);
    const author: Author = { actor: { type: "cli", id: null, name: "me" }, address: null, at: clock.now() };
    const [{ id = "" } = {}] = await list();
    await store.as(author).monitors.update(world.owner, id, { tags: ["mine"] }, clock.now());
    await nextRound();
    expect(await store.monitors.find(world.organizationId, id)).toMatchObject({ tags: [] });
    await nextRound();
    expect(applied).toBe(4);
    await clock.advance(11 * MINUTE);
    expect(applied).toBe(5);
  });

  test("behavior 28.74: a monitor that a person paused stays paused, also after it was gone", async () => {
    docker.answer = reading(thing("web-1", { "docker/web": tcp(1) }));
    await start();
    await edit("docker/web", { enabled: false });
    await nextRound();
    expect(await states()).toEqual({ "docker/web": false });
    const there = docker.answer;
    docker.answer = reading();
    await nextRound();
    expect(await states()).toEqual({ "docker/web": "gone" });
    docker.answer = there;
    await nextRound();
    expect(await states()).toEqual({ "docker/web": false });
    docker.answer = reading(thing("web-1", { "docker/web": tcp(1, { enabled: true }) }));
    await nextRound();
    expect(await states()).toEqual({ "docker/web": true });
  });

  test("behavior 28.72, 28.78: entries with faults are left out, reported and logged once, and the others are applied", async () => {
    docker.answer = reading(thing("web-1", { "docker/web": tcp(1), "docker/db": tcp(2) }));
    const { rounds, lines } = await start();
    const wrong = {
      "docker/web": tcp(70_000),
      "docker/db": tcp(2, { name: "DB", dependsOn: ["docker/none"] }),
    };
    docker.answer = reading(
      thing("web-1", { ...wrong, "docker/new": tcp(3), [`docker/${"n".repeat(100)}`]: { type: "TCP" } }),
    );
    await nextRound();
    await nextRound();
    const faults = rounds.faults();
    expect(faults.map(({ source, entry }) => [source, entry]).sort()).toEqual([
      ["docker", "docker/db"],
      ["docker", `docker/${"n".repeat(100)}`],
      ["docker", "docker/web"],
    ]);
    expect(faults.find(({ entry }) => entry === "docker/web")?.message).toStartWith("config.port must be ");
    expect((await list()).map(({ ref, name }) => [ref, name])).toEqual([
      ["docker/web", "docker/web"],
      ["docker/db", "docker/db"],
      ["docker/new", "docker/new"],
    ]);
    docker.answer = reading(
      thing("web-1", { "docker/web": tcp(1), "docker/db": tcp(2), "docker/new": tcp(3) }),
    );
    await nextRound();
    expect(rounds.faults()).toEqual([]);
    const messages = lines.map(({ msg }) => msg);
    expect(messages.filter((msg) => String(msg).startsWith("discovery has a fault"))).toHaveLength(3);
    expect(messages.filter((msg) => msg === "a fault of discovery has ended")).toHaveLength(3);
  });

  test("behavior 28.76: a source that can't be read, or stalls, changes nothing; the others are applied", async () => {
    const files = new StandInSource("files");
    docker.answer = reading(thing("web-1", { "docker/web": tcp(1) }));
    const { rounds } = await start([docker, files], { grace: SECOND });
    docker.answer = { fault: "the socket refuses connections" };
    files.answer = reading(thing("h", { "files/h": tcp(2) }));
    await clock.advance(5 * MINUTE);
    expect(await states()).toEqual({ "docker/web": true, "files/h": true });
    expect(rounds.faults()).toEqual([{ source: "docker", message: "the socket refuses connections" }]);
    expect(rounds.sources().get("docker")?.reading?.found).toHaveLength(1);
    docker.answer = "stalls";
    await nextRound();
    expect(await states()).toEqual({ "docker/web": true, "files/h": true });
    await rounds.stop();
  });

  test("behavior 28.81: a source that stalls at the start is shown in its organization as not read yet", async () => {
    docker.answer = "stalls";
    const { rounds } = await start();
    expect(rounds.organizationId()).toBe(world.organizationId);
    expect(rounds.sources().get("docker")?.readAt).toBeNull();
    await rounds.stop();
  });

  test("behavior 28.75: after a stop that is longer than grace, a source that is still empty deletes nothing at once", async () => {
    docker.answer = reading(thing("web-1", { "docker/web": tcp(1) }));
    const first = await start();
    docker.answer = reading();
    await nextRound();
    await first.end();
    await clock.advance(2 * HOUR);
    await start();
    await clock.advance(9 * MINUTE);
    expect(await states()).toEqual({ "docker/web": "gone" });
    docker.answer = reading(thing("web-1", { "docker/web": tcp(1) }));
    await nextRound();
    expect(await states()).toEqual({ "docker/web": true });
    docker.answer = reading();
    await nextRound();
    await clock.advance(HOUR + MINUTE);
    expect(await states()).toEqual({});
  });

  test("behavior 28.75: with a short grace, the deletion does not wait for the next regular read", async () => {
    docker.answer = reading(thing("web-1", { "docker/web": tcp(1) }));
    await start([docker], { grace: 3 * SECOND });
    docker.answer = reading();
    docker.change();
    await clock.advance(2 * SECOND);
    expect(await states()).toEqual({ "docker/web": "gone" });
    await clock.advance(3 * SECOND);
    expect(await states()).toEqual({});
  });

  test("behavior 28.73: killed at any call of the store, the next process completes what it began", async () => {
    const here = reading(thing("web-1", { "docker/web": tcp(1) }));
    for (const effect of ["none", "all"] as const)
      for (let call = 1; call <= 12; call++) {
        for (const answer of [here, reading()]) {
          docker.answer = answer === here ? reading() : here;
          const before = await start();
          await before.end();
          docker.answer = answer;
          await start([docker], { deathAt: { call, effect } });
          await clock.advance(MINUTE);
          for (const end of ends.splice(0)) await end();
          const after = await start();
          await clock.advance(MINUTE);
          expect([call, effect, await states()]).toEqual([
            call,
            effect,
            { "docker/web": answer === here ? true : "gone" },
          ]);
          await after.end();
        }
      }
  });

  test.skipIf(!engineOfTests().isShared)(
    "behavior 28.77: of several nodes one applies, and another one takes over when it is killed",
    async () => {
      const stores = await Promise.all([opened.openAnother(), opened.openAnother()]);
      ends.push(() => Promise.all(stores.map((store) => store.close())));
      docker.answer = reading(thing("web-1", { "docker/web": tcp(1), "docker/wrong": tcp(0) }));
      const [a, b] = [
        await start([docker], { store: stores[0] }),
        await start([docker], { store: stores[1] }),
      ];
      await nextRound();
      expect(await audit()).toEqual(["monitor.created docker/web"]);
      expect(b.lines.filter(({ create }) => create)).toEqual([]);
      expect(b.rounds.faults()).toEqual(a.rounds.faults());
      docker.answer = reading();
      docker.change();
      await clock.advance(2 * SECOND);
      expect(await audit()).toEqual(["monitor.created docker/web", "monitor.updated docker/web"]);
      a.life.end();
      docker.answer = reading(thing("web-1", { "docker/web": tcp(1) }));
      await clock.advance(MINUTE);
      expect(await states()).toEqual({ "docker/web": true });
      expect(await audit()).toHaveLength(3);
    },
  );

  test.skipIf(!engineOfTests().isShared)(
    "behavior 28.70, 28.77: a node that does not apply reads in its rhythm, also while a deletion is overdue on the node that applies",
    async () => {
      const stores = await Promise.all([opened.openAnother(), opened.openAnother()]);
      ends.push(() => Promise.all(stores.map((store) => store.close())));
      const other = new StandInSource();
      docker.answer = reading(thing("web-1", { "docker/web": tcp(1) }));
      await start([docker], { store: stores[0], grace: MINUTE });
      docker.answer = reading();
      await start([other], { store: stores[1], grace: MINUTE });
      await nextRound();
      docker.answer = { fault: "it is away" };
      await clock.advance(2 * MINUTE);
      expect(await states()).toEqual({ "docker/web": "gone" });
      const before = other.reads;
      await clock.advance(MINUTE);
      expect(other.reads - before).toBe(2);
    },
  );
});
