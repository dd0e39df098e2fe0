import { expect, test } from "bun:test";
import type { DeliveryAttempt } from "../../../src/domain/alerts/delivery.ts";
import type { PendingDelivery } from "../../../src/store/store.ts";
import { transitionOf } from "../../support/alerts/transitions.ts";
import { MINUTE, NOW, SECOND } from "../contract/world.ts";
import { describeTwoNodes, type Node } from "./two-nodes.ts";

/** From a claim to its end. */
const LEASE = 20 * SECOND;

/** How many jobs change their status at the same time. */
const JOBS = 4;

const delivered: DeliveryAttempt = { outcome: "delivered", answer: "200" };
const failed: DeliveryAttempt = { outcome: "failed", error: "the receiver answered 503", final: false };

describeTwoNodes("claims of channels", (nodes) => {
  const list = ({ store, by }: Node, now = NOW) => store.deliveries.listDue(by, { now, limit: 100 });

  const claimAll = ({ store, by }: Node, pks: number[], now = NOW) => store.deliveries.claim(pks, by, now);

  const claim = async (node: Node, pk: number, now = NOW) => (await claimAll(node, [pk], now))[0];

  async function claimNext(node: Node, now = NOW): Promise<PendingDelivery> {
    const [due] = await list(node, now);
    const claimed = due && (await claim(node, due.pk, now));
    if (!claimed) throw new Error("nothing was claimed");
    return claimed;
  }

  const end = ({ store }: Node, delivery: PendingDelivery, attempt: DeliveryAttempt) =>
    store.deliveries.recordAttempts([{ delivery, attempt, startedAt: NOW, endedAt: NOW }]);

  /** A channel with some transitions. */
  async function busyChannel(transitions: number): Promise<string> {
    const { world } = nodes();
    const channel = await world.channel();
    const job = await world.job(channel);
    for (let at = 0; at < transitions; at++) await world.checkin(job, at % 2 === 0 ? "fail" : "ok", NOW + at);
    return channel;
  }

  test("behavior 12.36: one node at a time sends to a channel", async () => {
    const { a, b } = nodes();
    await busyChannel(2);
    const [due] = await list(a);
    if (!due) throw new Error("nothing is due");
    const turns = Array.from({ length: 6 }, (_, at) => claim(at % 2 === 0 ? a : b, due.pk));
    const claimed = (await Promise.all(turns)).map((one) => one !== undefined);
    const [byA, byB] = [0, 1].map((node) => claimed.filter((isClaimed, at) => isClaimed && at % 2 === node));
    expect([byA?.length, byB?.length].filter((count) => count !== 0)).toHaveLength(1);
    expect(await list(byA?.length ? b : a)).toEqual([]);
    expect(await list(byA?.length ? a : b)).toMatchObject([{ pk: due.pk }]);
  });

  test("only the oldest pending delivery of a channel is claimed", async () => {
    const { a, b } = nodes();
    await busyChannel(3);
    const first = await claimNext(a);
    expect(await claim(a, first.pk + 1)).toBeUndefined();
    expect(await claim(b, first.pk)).toBeUndefined();
    expect(await end(a, first, delivered)).toEqual([false]);
    expect(await claim(a, first.pk)).toBeUndefined();
    expect(await claim(b, first.pk + 2)).toBeUndefined();
    expect((await claimNext(b, NOW + 1)).pk).toBe(first.pk + 1);
  });

  test("behavior 12.36: of several deliveries, each node claims those of channels that no other node uses", async () => {
    const { a, b } = nodes();
    for (let at = 0; at < 3; at++) await busyChannel(2);
    const due = (await list(a)).map(({ pk }) => pk);
    const [first = 0, second = 0, third = 0] = due;
    const held = await claimAll(b, [second]);
    expect(held).toHaveLength(1);
    // Each oldest one together with the next one of its channel.
    const both = due.flatMap((pk) => [pk + 1, pk]);
    expect((await claimAll(a, both)).map(({ pk }) => pk)).toEqual([first, third]);
    expect(await claimAll(b, due)).toMatchObject([{ pk: second, claim: (held[0]?.claim ?? 0) + 1 }]);
  });

  test("behavior 12.36: of two nodes that claim the same channels at once, one gets each", async () => {
    const { world, a, b } = nodes();
    const channels = await Promise.all(Array.from({ length: 40 }, () => world.channel()));
    await world.checkin(await world.job(...channels), "fail");
    const due = (await list(a)).map(({ pk }) => pk);
    const [byA, byB] = [new Set<number>(), new Set<number>()];
    async function claimInto(node: Node, claimed: Set<number>, pks: number[]) {
      for (const { pk } of await claimAll(node, pks)) claimed.add(pk);
    }
    for (let turn = 0; turn < 3; turn++)
      await Promise.all([claimInto(a, byA, due), claimInto(b, byB, due.toReversed())]);
    expect([...byA, ...byB].toSorted((one, other) => one - other)).toEqual(due);
  });

  test("behavior 12.32: a claim ends after 20 s, and only the outcome of the latest one counts", async () => {
    const { world, a, b } = nodes();
    const channel = await busyChannel(1);
    const late = await claimNext(a);
    expect(await list(b, NOW + LEASE)).toEqual([]);
    expect(await claim(b, late.pk, NOW + LEASE)).toBeUndefined();
    const taken = await claimNext(b, NOW + LEASE + 1);
    expect(taken).toMatchObject({ id: late.id, attempts: 0 });
    expect(taken.claim).toBeGreaterThan(late.claim);
    expect(await end(a, late, { ...failed, final: true })).toEqual([true]);
    expect(await end(a, late, delivered)).toEqual([true]);
    const status = async () => {
      const page = { limit: 1, cursor: undefined };
      const { items } = await world.store.deliveries.list(world.organizationId, channel, page);
      return items[0];
    };
    expect(await status()).toMatchObject({ status: "pending", attempts: 0 });
    expect(await end(b, taken, delivered)).toEqual([false]);
    expect(await status()).toMatchObject({ status: "delivered", attempts: 1 });
  });

  test("behavior 14.64: another node repeats the same message, and the outcome of a late claim counts for none of it", async () => {
    const { world, a, b } = nodes();
    const channel = await world.channel({
      type: "SLACK",
      config: { webhookUrl: "https://hooks.slack.com/x" },
    });
    const fail = async () => world.checkin(await world.job(channel), "fail");
    for (let at = 0; at < 5; at++) await fail();
    const late = await claimNext(a);
    expect(late.others).toHaveLength(4);
    for (let at = 0; at < 5; at++) await fail();
    const taken = await claimNext(b, NOW + LEASE + 1);
    expect(taken.others).toEqual(late.others);
    expect(await end(a, late, { ...failed, final: true })).toEqual([true]);
    const statuses = async () => {
      const page = { limit: 20, cursor: undefined };
      const { items } = await world.store.deliveries.list(world.organizationId, channel, page);
      return items.map(({ status, attempts }) => `${status} ${attempts}`).toReversed();
    };
    expect(await statuses()).toEqual(Array(10).fill("pending 0"));
    expect(await end(b, taken, delivered)).toEqual([false]);
    expect(await statuses()).toEqual([...Array(5).fill("delivered 1"), ...Array(5).fill("pending 0")]);
    expect((await claimNext(a, NOW + LEASE + 2)).others).toHaveLength(4);
  });

  test("behavior 14.63: two nodes that claim at once, while transitions are recorded and cancelled, lose none and send none twice", async () => {
    const { world, a, b } = nodes();
    const channel = await world.channel({
      type: "EMAIL",
      config: { to: "ops@example.com" },
    });
    const jobs = await Promise.all(Array.from({ length: 6 }, () => world.job(channel)));
    const [unbound = "", ...kept] = jobs;
    const sent: { job: string; status: string }[] = [];
    let isRecording = true;
    const record = async ({ store }: Node, own: string[]) => {
      for (let turn = 0; turn < 6; turn++)
        await Promise.all(
          own.map((monitorId) =>
            store.recording.record([
              { kind: "checkin", monitorId, status: turn % 2 === 0 ? "fail" : "ok", at: NOW + turn },
            ]),
          ),
        );
    };
    const send = async (node: Node) => {
      for (let isLast = false; !isLast; ) {
        isLast = !isRecording && (await world.store.deliveries.countPending(world.organizationId)) === 0;
        for (const { pk } of await list(node, NOW + MINUTE)) {
          const claimed = await claim(node, pk, NOW + MINUTE);
          if (!claimed) continue;
          for (const part of [claimed, ...claimed.others]) {
            const { monitor, status } = transitionOf(part);
            sent.push({ job: monitor.id, status });
          }
          await end(node, claimed, delivered);
        }
      }
    };
    const sending = Promise.all([send(a), send(b)]);
    const unbinding = world.store.monitors.update(world.owner, unbound, { alertChannelIds: [] }, NOW);
    await Promise.all([
      record(a, kept.slice(0, 2)),
      record(b, kept.slice(2)),
      record(a, [unbound]),
      unbinding,
    ]);
    isRecording = false;
    await sending;
    for (const job of kept) {
      const statuses = sent.filter((one) => one.job === job).map(({ status }) => status);
      expect(statuses).toEqual(["failed", "ok", "failed", "ok", "failed", "ok"]);
    }
  });

  test("a claim that nobody took over holds after its end", async () => {
    const { a, b } = nodes();
    await busyChannel(1);
    const held = await claimNext(a);
    await a.store.claims.release(a.by.node);
    expect(await end(a, held, failed)).toEqual([true]);
    const [retry] = await list(b, NOW + MINUTE);
    expect(retry).toMatchObject({ pk: held.pk });
    expect(await claim(b, held.pk, NOW + MINUTE)).toMatchObject({ attempts: 1 });
  });

  test("behavior 12.36: an attempt that another node has made since the delivery was listed is not repeated early", async () => {
    const { a, b } = nodes();
    await busyChannel(1);
    const [due] = await list(a);
    if (!due) throw new Error("nothing is due");
    expect(await end(b, await claimNext(b), failed)).toEqual([true]);
    expect(await claim(a, due.pk)).toBeUndefined();
    expect(await claim(a, due.pk, NOW + MINUTE)).toMatchObject({ attempts: 1 });
  });

  test("a node that stops hands its channels back at once", async () => {
    const { a, b } = nodes();
    await busyChannel(1);
    const given = await claimNext(a);
    await a.store.claims.release(a.by.node);
    expect((await claimNext(b)).pk).toBe(given.pk);
    await a.store.claims.release(a.by.node);
    expect(await list(a)).toEqual([]);
  });

  test("a deleted channel or monitor has nothing to claim, and takes the outcome of its attempt", async () => {
    const { world, a } = nodes();
    const channel = await busyChannel(2);
    const running = await claimNext(a);
    await world.store.channels.delete(world.organizationId, channel);
    expect(await list(a)).toEqual([]);
    expect(await claim(a, running.pk + 1)).toBeUndefined();
    expect(await end(a, running, delivered)).toEqual([false]);
    await busyChannel(1);
    const [due] = await list(a);
    const [job] = await world.store.monitors.countStatuses(world.organizationId);
    expect(job).toBeDefined();
    const ofMonitor = await claimNext(a);
    await world.store.monitors.delete(world.organizationId, transitionOf(ofMonitor).monitor.id);
    expect(await claim(a, due?.pk ?? 0)).toBeUndefined();
    expect(await list(a)).toEqual([]);
  });

  test("behavior 12.37: a channel gets each transition once, in the order of the commits, from several nodes", async () => {
    const { world, a, b } = nodes();
    const channels = [await world.channel(), await world.channel(), await world.channel()];
    const jobs = await Promise.all(Array.from({ length: JOBS }, () => world.job(...channels)));
    const sent = new Map<number, { pk: number; job: string; status: string }[]>();
    const left = JOBS * 6 * channels.length;
    let recording = true;

    async function record({ store }: Node, own: string[]) {
      for (let turn = 0; turn < 6; turn++) {
        const status = turn % 2 === 0 ? "fail" : "ok";
        await Promise.all(
          own.map((monitorId) =>
            store.recording.record([{ kind: "checkin", monitorId, status, at: NOW + turn }]),
          ),
        );
      }
    }

    async function send(node: Node) {
      for (;;) {
        const isLast = !recording;
        const due = await list(node, NOW + MINUTE);
        if (due.length === 0 && isLast && count() === left) return;
        for (const { pk } of due) await sendOne(node, pk);
      }
    }

    async function sendOne(node: Node, pk: number) {
      const claimed = await claim(node, pk, NOW + MINUTE);
      if (!claimed) return;
      const [{ channel }, transition] = [claimed, transitionOf(claimed)];
      const before = sent.get(channel.pk) ?? [];
      sent.set(channel.pk, [...before, { pk, job: transition.monitor.id, status: transition.status }]);
      await end(node, claimed, delivered);
    }

    const count = () => [...sent.values()].flat().length;
    const sending = Promise.all([send(a), send(b)]);
    await Promise.all([record(a, jobs.slice(0, JOBS / 2)), record(b, jobs.slice(JOBS / 2))]);
    recording = false;
    await sending;
    expect(sent.size).toBe(channels.length);
    for (const all of sent.values()) {
      expect(all.map(({ pk }) => pk)).toEqual(all.map(({ pk }) => pk).toSorted((one, other) => one - other));
      for (const job of jobs) {
        const statuses = all.filter((one) => one.job === job).map(({ status }) => status);
        expect(statuses).toEqual(["failed", "ok", "failed", "ok", "failed", "ok"]);
      }
    }
  });

  test("behavior 13.60: the deliveries of notices and transitions are in the order of the commits", async () => {
    const { world, a, b } = nodes();
    const channel = await world.channel();
    await world.setDefaults(channel);
    const jobs = await Promise.all(Array.from({ length: 4 }, () => world.job(channel)));
    const record = async ({ store }: Node, monitorId: string) => {
      for (let turn = 0; turn < 5; turn++)
        await store.recording.record([
          { kind: "checkin", monitorId, status: turn % 2 === 0 ? "fail" : "ok", at: NOW },
        ]);
    };
    const notify = async () => {
      for (let turn = 0; turn < 10; turn++) await world.notify(NOW);
    };
    const work = Promise.all([notify(), ...jobs.map((job, at) => record(at % 2 === 0 ? a : b, job))]);
    const sent: number[] = [];
    while (sent.length < 30)
      for (const { pk } of await list(b)) {
        const claimed = await claim(b, pk);
        if (!claimed) continue;
        sent.push(claimed.pk);
        await end(b, claimed, delivered);
      }
    await work;
    expect(sent).toEqual(sent.toSorted((one, other) => one - other));
    expect(await world.store.deliveries.countPending(world.organizationId)).toBe(0);
  });

  test("the outcomes of many channels are recorded together", async () => {
    const { world, a } = nodes();
    const channels = await Promise.all(Array.from({ length: 5 }, () => world.channel()));
    await world.checkin(await world.job(...channels), "fail");
    const due = await world.due(NOW);
    expect(due).toHaveLength(5);
    const [gone, disabled, edited] = due;
    await world.store.channels.delete(world.organizationId, gone?.channel.id ?? "");
    await world.store.channels.update(
      world.organizationId,
      disabled?.channel.id ?? "",
      { enabled: false },
      NOW,
    );
    const config = { url: "http://127.0.0.1:2/" };
    await world.store.channels.update(world.organizationId, edited?.channel.id ?? "", { config }, NOW);
    const attempts = [failed, failed, failed, delivered, { ...failed, final: true }];
    const made = due.flatMap((delivery, at) => {
      const attempt = attempts[at];
      return attempt ? [{ delivery, attempt, startedAt: NOW, endedAt: NOW + 10 }] : [];
    });
    expect(await a.store.deliveries.recordAttempts(made)).toEqual([true, true, true, false, false]);
    const pages = await Promise.all(
      due
        .slice(1)
        .map(({ channel }) =>
          world.store.deliveries.list(world.organizationId, channel.id, { limit: 9, cursor: undefined }),
        ),
    );
    expect(pages.map(({ items }) => items[0])).toMatchObject([
      { status: "failed", attempts: 1, error: "the channel was disabled" },
      { status: "pending", attempts: 0, error: null },
      { status: "delivered", attempts: 1, deliveredAt: NOW + 10, answer: "200" },
      { status: "failed", attempts: 1, error: "the receiver answered 503", nextAttemptAt: null },
    ]);
    expect(await a.store.deliveries.recordAttempts([])).toEqual([]);
    expect(await a.store.deliveries.isSynced(Number.MAX_SAFE_INTEGER)).toBeTrue();
  });
});
