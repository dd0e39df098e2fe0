import { expect, test } from "bun:test";
import type { Evidence } from "../../../src/domain/checks/observation.ts";
import { MINUTE, NOW, SECOND } from "../contract/world.ts";
import { describeTwoNodes, type Node } from "./two-nodes.ts";

const STREAM = "s".repeat(22);
const up: Evidence = { outcome: "reached", latencyMs: 10, detail: {} };
const down: Evidence = { outcome: "failed", reason: "timeout", detail: {} };

describeTwoNodes("locations", (nodes) => {
  const seen = (monitorId: string, sequence: number, evidence: Evidence = up, at = NOW) => ({
    ...{ sequence, monitorId, revision: 0, at, startAt: at, evidence },
  });

  const send = (
    { store }: Node,
    location: number,
    observations: ReturnType<typeof seen>[],
    stream = STREAM,
  ) =>
    store.recording.recordObservations({
      ...{ location, stream, observations },
      receivedAt: Math.max(...observations.map(({ at }) => at)),
    });

  test("behavior 13.18: a batch that a probe sends to two nodes at once is recorded once", async () => {
    const { world, a, b } = nodes();
    const { id, pk } = await world.location();
    const monitors = [await world.placed([id]), await world.placed([id])];
    const batch = monitors.flatMap((monitor, at) => [
      seen(monitor, 2 * at + 1),
      seen(monitor, 2 * at + 2, down, NOW + 1),
    ]);
    const answers = await Promise.all([a, b, a, b].map((node) => send(node, pk, batch)));
    expect(answers.map(({ repeated }) => repeated).toSorted()).toEqual([0, 4, 4, 4]);
    for (const monitor of monitors) expect(await world.results(monitor)).toHaveLength(2);
  });

  test("behavior 13.73: of two nodes to which two probes send with one key at once, one notices it", async () => {
    const { world, a, b } = nodes();
    const { id, pk } = await world.location();
    const monitor = await world.placed([id]);
    const streams = [STREAM, "t".repeat(22)];
    for (const stream of streams) await send(a, pk, [seen(monitor, 1)], stream);
    const batches = streams.flatMap((stream) => [a, b].map((node) => ({ node, stream })));
    const answers = await Promise.all(
      batches.map(({ node, stream }) => send(node, pk, [seen(monitor, 2, up, NOW + 1)], stream)),
    );
    expect(answers.filter(({ isNewlyShared }) => isNewlyShared)).toHaveLength(1);
  });

  test("what several locations send to different nodes at once is decided once", async () => {
    const { world, a, b } = nodes();
    const channel = await world.channel();
    const [fra, nyc] = [await world.location("fra"), await world.location("nyc")];
    const locations = [fra.id, "here", nyc.id];
    const monitors: string[] = [];
    for (let count = 0; count < 10; count++)
      monitors.push(await world.placed(locations, { alertChannelIds: [channel] }));
    for (const monitor of monitors) await world.up(monitor);
    await send(
      a,
      fra.pk,
      monitors.map((monitor, at) => seen(monitor, at + 1)),
    );
    await send(
      b,
      nyc.pk,
      monitors.map((monitor, at) => seen(monitor, at + 1)),
    );
    const at = NOW + MINUTE;
    const fail = (node: Node, pk: number, some: string[]) =>
      send(
        node,
        pk,
        some.map((monitor, place) => seen(monitor, 100 + place, down, at)),
      );
    const recorded = await Promise.all([fail(a, fra.pk, monitors), fail(b, nyc.pk, monitors.toReversed())]);
    const notable = recorded.flatMap((one) => one.recorded).filter((one) => one?.notable);
    expect(notable).toHaveLength(monitors.length);
    for (const monitor of monitors) expect((await world.find(monitor)).status).toBe("down");
    expect(await world.store.deliveries.countPending(world.organizationId)).toBe(monitors.length);
  });

  test("behavior 13.23: of two nodes that notice a silence at once, one stores it", async () => {
    const { world, a, b } = nodes();
    const { id, pk } = await world.location();
    const monitor = await world.placed([id]);
    await send(a, pk, [seen(monitor, 1)]);
    const at = NOW + MINUTE;
    const silence = ({ store }: Node) => store.locations.silence(pk, at);
    const changes = await Promise.all([silence(a), silence(b)]);
    expect(changes.map(({ isChanged }) => isChanged).toSorted()).toEqual([false, true]);
    expect((await world.find(monitor)).status).toBe("unknown");
  });

  test("behavior 13.27: observations, edits and lost votes at once neither deadlock nor lose anything", async () => {
    const { world, a, b } = nodes();
    const [fra, nyc] = [await world.location("fra"), await world.location("nyc")];
    const monitors: string[] = [];
    for (let count = 0; count < 8; count++) monitors.push(await world.placed(["here", nyc.id, fra.id]));
    const { owner } = world;
    const sendAll = async (node: Node, pk: number, order: string[]) => {
      for (let turn = 0; turn < 5; turn++)
        await send(
          node,
          pk,
          order.map((monitor, place) =>
            seen(monitor, turn * 100 + place + 1, turn % 2 ? down : up, NOW + turn * SECOND),
          ),
        );
    };
    const edit = async ({ store }: Node) => {
      for (const monitor of monitors.toReversed())
        await store.monitors.update(owner, monitor, { name: "edited", confirmations: 1 }, NOW);
    };
    const flap = async ({ store }: Node) => {
      for (let turn = 0; turn < 4; turn++) {
        await store.locations.silence(fra.pk, NOW);
        await store.locations.reconnect(fra.pk, NOW);
      }
    };
    const touch = async ({ store }: Node) => {
      for (let turn = 0; turn < 10; turn++)
        await store.locations.noteSeen(nyc.pk, { now: NOW + turn, version: "1.0.0" });
    };
    const work = [
      sendAll(a, fra.pk, monitors),
      sendAll(b, nyc.pk, monitors.toReversed()),
      edit(b),
      flap(a),
      touch(b),
    ];
    await Promise.all(work);
    for (const monitor of monitors) {
      expect(await world.results(monitor)).toHaveLength(10);
      expect((await world.find(monitor)).name).toBe("edited");
    }
    const [failed] = await nodes().execute<{ deadlocks: number }>(
      "SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()",
    );
    expect(failed?.deadlocks).toBe(0);
  });
});
