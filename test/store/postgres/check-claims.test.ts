import { expect, test } from "bun:test";
import { LOCK_SPACE, SHARDS } from "../../../src/store/postgres/monitors/check-claims.ts";
import type { DueMonitor, Slot } from "../../../src/store/store.ts";
import { MINUTE, NOW, SECOND } from "../contract/world.ts";
import { describeTwoNodes, type Node } from "./two-nodes.ts";

/** From the time of a slot of `World.site` to the end of its claim. */
const LEASE = 10 * SECOND + 8 * SECOND;

describeTwoNodes("claims of checks", (nodes) => {
  /** All slots that a node sees, at a time when they are due. */
  const due = ({ store, by }: Node, now = NOW + MINUTE) =>
    store.checks.listDueSlots(by, { now, before: now + 1500 });

  const claim = ({ store, by }: Node, slots: Slot[], now = NOW + MINUTE) =>
    store.checks.claim(slots, by, now);

  async function oneSlot(): Promise<Slot & { id: string }> {
    const id = await nodes().world.site();
    const [slot] = await due(nodes().a);
    if (!slot) throw new Error("nothing is due");
    return { ...slot, id };
  }

  function record({ store }: Node, { id, revision, claim, nextCheckAt }: DueMonitor) {
    const evidence = { outcome: "reached", latencyMs: 5, detail: {} } as const;
    const check = { kind: "check", monitorId: id, revision, evidence, startAt: nextCheckAt } as const;
    return store.recording.record([{ ...check, at: NOW + MINUTE, claim }]);
  }

  test("behavior 12.30: each slot is claimed by one of the nodes that claim at the same time", async () => {
    const { world, a, b } = nodes();
    for (let count = 0; count < 30; count++) await world.site();
    const slots = await due(a);
    expect(slots).toHaveLength(30);
    const turns = Array.from({ length: 6 }, (_, at) => claim(at % 2 === 0 ? a : b, slots.toReversed()));
    const claimed = await Promise.all(turns);
    const byNode = [0, 1].map((node) => claimed.filter((_, at) => at % 2 === node).flat());
    const [ofA = new Set(), ofB = new Set()] = byNode.map((all) => new Set(all.map(({ pk }) => pk)));
    expect(ofA.isDisjointFrom(ofB)).toBeTrue();
    expect(ofA.size + ofB.size).toBe(30);
  });

  test("the claimed monitors are in the order of the slots, with what their checks need", async () => {
    const { world, a } = nodes();
    const ids = [await world.site(), await world.site(), await world.site()];
    const slots = (await due(a)).toReversed();
    const claimed = await claim(a, slots);
    expect(claimed.map(({ pk, nextCheckAt }) => ({ pk, nextCheckAt }))).toEqual(slots);
    expect(claimed.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    const config = { host: "a", port: 1, interval: 60 };
    expect(claimed[0]).toMatchObject({ type: "TCP", config, status: "unknown", revision: 0, claim: 1 });
    expect(await claim(a, [])).toEqual([]);
  });

  test("behavior 12.31: a claim ends at the timeout of the check and 8 s", async () => {
    const { a, b } = nodes();
    const slot = await oneSlot();
    const [first] = await claim(a, [slot]);
    const end = NOW + MINUTE + LEASE;
    expect(await due(a, end)).toMatchObject([{ pk: slot.pk }]);
    expect(await due(b, end)).toEqual([]);
    expect(await claim(b, [slot], end)).toEqual([]);
    expect(await due(b, end + 1)).toMatchObject([{ pk: slot.pk }]);
    const [second] = await claim(b, [slot], end + 1);
    expect(second?.claim).toBeGreaterThan(first?.claim ?? Number.NaN);
  });

  test("behavior 12.32: only the outcome of the latest claim is recorded", async () => {
    const { world, a, b } = nodes();
    const slot = await oneSlot();
    const [late] = await claim(a, [slot]);
    const [taken] = await claim(b, [slot], NOW + 2 * MINUTE);
    if (!late || !taken) throw new Error("nothing was claimed");
    expect(await record(a, late)).toEqual([null]);
    expect(await world.results(slot.id)).toEqual([]);
    expect(await record(b, taken)).toMatchObject([{ status: "up" }]);
    expect(await record(b, taken)).toEqual([null]);
    expect(await record(a, late)).toEqual([null]);
    expect(await world.results(slot.id)).toHaveLength(1);
  });

  test("behavior 12.33: a claim that nobody took over holds after its end", async () => {
    const { a } = nodes();
    const [held] = await claim(a, [await oneSlot()], NOW);
    if (!held) throw new Error("nothing was claimed");
    expect(await record(a, held)).toMatchObject([{ status: "up" }]);
  });

  test("a recorded result, an edit and a pause end a claim", async () => {
    const { world, a, b } = nodes();
    const slot = await oneSlot();
    const [recorded] = await claim(a, [slot]);
    if (!recorded) throw new Error("nothing was claimed");
    await record(a, recorded);
    const [next] = await due(b, NOW + 3 * MINUTE);
    if (!next) throw new Error("nothing is due");
    expect(next.nextCheckAt).toBeGreaterThan(slot.nextCheckAt);
    expect(await claim(b, [slot])).toEqual([]);
    expect(await claim(b, [next])).toHaveLength(1);

    const config = { host: "b", port: 1, interval: 60 };
    await world.store.monitors.update(world.owner, slot.id, { config }, NOW + 3 * MINUTE);
    const [edited] = await due(a, NOW + 3 * MINUTE);
    expect(await claim(a, edited ? [edited] : [])).toMatchObject([{ revision: 1, config }]);

    await world.store.monitors.update(world.owner, slot.id, { enabled: false }, NOW + 3 * MINUTE);
    expect(await due(a, NOW + 10 * MINUTE)).toEqual([]);
    expect(await claim(b, edited ? [edited] : [])).toEqual([]);
  });

  test("behavior 12.34: each node claims its part early, and what is left just before its time", async () => {
    const { world, a, b } = nodes();
    for (let count = 0; count < 8; count++) await world.site();
    const all = (await due(a)).toSorted((one, other) => one.pk - other.pk);
    const first = Math.min(...all.map(({ nextCheckAt }) => nextCheckAt));
    const early = { now: first - 300, before: NOW + 3 * MINUTE };
    const parts = [
      await a.store.checks.listDueSlots(a.by, early),
      await b.store.checks.listDueSlots(b.by, early),
    ];
    expect(parts.flat().toSorted((one, other) => one.pk - other.pk)).toEqual(all);
    expect(parts.map((part) => part.length)).toEqual([4, 4]);
    expect(await due(b)).toHaveLength(8);
    const alone = { node: 33, place: 0, nodes: 1 };
    expect(await b.store.checks.listDueSlots(alone, early)).toHaveLength(8);
  });

  test("behavior 12.35: a node that stops hands its claims back at once", async () => {
    const { a, b } = nodes();
    const slot = await oneSlot();
    await claim(a, [slot]);
    expect(await claim(b, [slot])).toEqual([]);
    await a.store.claims.release(a.by.node);
    expect(await due(b)).toMatchObject([{ pk: slot.pk }]);
    expect(await claim(b, [slot])).toHaveLength(1);
    // Not the checks of others.
    await a.store.claims.release(a.by.node);
    expect(await claim(a, [slot])).toEqual([]);
  });

  test("behavior 12.30: a claim leaves the shards in which another node claims just now, and waits for no lock", async () => {
    const { world, a, hold } = nodes();
    for (let count = 0; count < 3; count++) await world.site();
    const [other, locked, free] = await due(a);
    if (!other || !locked || !free) throw new Error("nothing is due");
    const releases = [
      await hold(`SELECT pg_advisory_xact_lock(${LOCK_SPACE}, ${other.pk % SHARDS})`),
      await hold(`SELECT FROM monitor_states WHERE monitor_pk = ${locked.pk} FOR UPDATE`),
    ];
    const pksOf = (claimed: DueMonitor[]) => claimed.map(({ pk }) => pk);
    expect(pksOf(await claim(a, [other, locked, free]))).toEqual([locked.pk, free.pk]);
    for (const release of releases) await release();
    expect(pksOf(await claim(a, [other]))).toEqual([other.pk]);
  });

  test("behavior 12.32: the outcome of a claim counts only for its slot, also after all that its node claimed has ended", async () => {
    const { world, a, b } = nodes();
    const slot = await oneSlot();
    const [first] = await claim(a, [slot]);
    if (!first) throw new Error("nothing was claimed");
    await record(a, first);
    const [next] = await due(a, NOW + 3 * MINUTE);
    const [second] = await claim(a, next ? [next] : [], NOW + 3 * MINUTE);
    if (!second) throw new Error("nothing was claimed");
    expect(await record(a, first)).toEqual([null]);
    // Another process of the same node name knows the claim from the database only.
    expect(await record(b, second)).toMatchObject([{ status: "up" }]);
    expect(await record(b, second)).toEqual([null]);
    expect(await world.results(slot.id)).toHaveLength(2);
  });

  test("claims are deleted after their checks, and those of a node that died after all was taken over", async () => {
    const { a, b, execute } = nodes();
    const countClaims = async () => (await execute("SELECT FROM check_claims")).length;
    const slot = await oneSlot();
    const [first] = await claim(a, [slot]);
    if (first) await record(a, first);
    const [next] = await due(a, NOW + 3 * MINUTE);
    if (!next) throw new Error("nothing is due");
    await claim(a, [next], NOW + 3 * MINUTE);
    expect(await countClaims()).toBe(1);
    const later = NOW + 5 * MINUTE;
    const [taken] = await claim(b, [next], later);
    expect(await countClaims()).toBe(2);
    await due(b, later);
    expect(await countClaims()).toBe(2);
    if (taken) await record(b, taken);
    await due(b, later + 2 * MINUTE);
    expect(await countClaims()).toBe(0);
  });

  test("slots whose time the clock was set back from are due now", async () => {
    const { world, a } = nodes();
    await world.site();
    const [slot] = await due(a);
    expect(await a.store.checks.recall(NOW)).toBe(0);
    expect(await a.store.checks.recall(NOW - 2 * MINUTE)).toBe(1);
    expect(await due(a, NOW - 2 * MINUTE)).toMatchObject([{ pk: slot?.pk, nextCheckAt: NOW - 2 * MINUTE }]);
    expect(await a.store.checks.recall(NOW - 2 * MINUTE)).toBe(0);
  });

  test("work that one node does at a time is that of another after the lease, or after a release", async () => {
    const { a, b } = nodes();
    const take = ({ store, by }: Node, now: number) =>
      store.claims.take("housekeeping", by, { now, lease: 30 * SECOND });
    expect((await Promise.all([take(a, NOW), take(b, NOW)])).toSorted()).toEqual([false, true]);
    const [holder, other] = (await take(a, NOW)) ? [a, b] : [b, a];
    expect(await take(holder, NOW + 10 * SECOND)).toBeTrue();
    expect(await take(other, NOW + 40 * SECOND)).toBeFalse();
    expect(await take(other, NOW + 40 * SECOND + 1)).toBeTrue();
    expect(await take(holder, NOW + 41 * SECOND)).toBeFalse();
    await other.store.claims.release(other.by.node);
    expect(await take(holder, NOW + 41 * SECOND)).toBeTrue();
    expect(await other.store.claims.take("other work", other.by, { now: NOW, lease: 1 })).toBeTrue();
  });
});
