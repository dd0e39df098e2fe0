import { expect, test } from "bun:test";
import type { ChannelSlot, MonitorSlot } from "../../support/outbox/slots.ts";
import { MONITOR_KINDS, template } from "../../support/outbox/template.ts";
import { OutboxWorld } from "../../support/outbox/world.ts";

const SECOND = 1000;

/*
 * Sequences that the outbox model found. The model judges each step here too.
 */

/** A domain that depends on a job. @returns the statuses that each channel of the domain was notified of, after the steps */
async function notified(steps: (world: OutboxWorld, domain: MonitorSlot, job: MonitorSlot) => Promise<void>) {
  using world = new OutboxWorld(await template());
  const slotOf = (kind: string) =>
    world.monitors[MONITOR_KINDS.findIndex((one) => one.kind === kind)] as MonitorSlot;
  const [domain, job] = [slotOf("DNS"), slotOf("SCHEDULED")];
  await world.requests.setDependencies(domain, [job]);
  await steps(world, domain, job);
  await world.finish();
  return [...domain.model.channels].map((channel) =>
    world.rules.notifications
      .filter((one) => one.channel === channel && one.monitor === domain.model && one.arrivals > 0)
      .map(({ to }) => to),
  );
}

const both = [
  ["missing", "present"],
  ["missing", "present"],
];

test("behavior 1.50, 14.8, 14.52: trouble from a time in which the disk rejected writes is sent if a check still sees it, and so is an end right after that", async () => {
  const sent = await notified(async (world, domain) => {
    await world.rejectWrites();
    await world.record(domain, "missing");
    await world.pass(5 * SECOND);
    await world.acceptWrites();
    await world.record(domain, "missing");
    await world.record(domain, "present");
  });
  expect(sent).toEqual(both);
});

test("behavior 1.50, 14.23: trouble that began and ended while the disk rejected writes is sent", async () => {
  const sent = await notified(async (world, domain) => {
    await world.rejectWrites();
    await world.record(domain, "missing");
    await world.pass(5 * SECOND);
    await world.record(domain, "present");
    await world.acceptWrites();
  });
  expect(sent).toEqual(both);
});

test("behavior 1.50, 14.8: trouble from a time in which the disk rejected writes is withdrawn if no check sees it any more", async () => {
  const sent = await notified(async (world, domain) => {
    await world.rejectWrites();
    await world.record(domain, "missing");
    await world.pass(5 * SECOND);
    await world.acceptWrites();
    await world.record(domain, "present");
  });
  expect(sent).toEqual([[], []]);
});

test("behavior 14.13, 14.52: trouble that a check still sees after its cause has ended is sent, and so is an end right after that", async () => {
  const sent = await notified(async (world, domain, job) => {
    await world.record(job, "failed");
    await world.record(domain, "missing");
    await world.record(job, "ok");
    await world.record(domain, "missing");
    await world.record(domain, "present");
  });
  expect(sent).toEqual(both);
});

test("behavior 1.50, 14.8: what was held in memory while the disk rejected writes is the present of a delay that passed meanwhile", async () => {
  const sent = await notified(async (world, domain) => {
    const [channel] = world.channels as [ChannelSlot];
    await world.requests.setDelay(domain, channel, 60);
    await world.record(domain, "changed");
    await world.rejectWrites();
    await world.rejectSyncs();
    // The results are written between two reviews.
    await world.record(domain, "changed");
    await world.pass(59.75 * SECOND);
    await world.pass(6 * SECOND);
    await world.record(domain, "changed");
  });
  expect(sent).toEqual([["changed"], []]);
});

test("behavior 5.12, 14.16: a notice that waits may be sent before older trouble whose delay passes at the same time", async () => {
  const sent = await notified(async (world, domain) => {
    const [channel] = world.channels as [ChannelSlot];
    await world.requests.setDelay(domain, channel, 600);
    await world.record(domain, "missing");
    await world.requests.notify(channel);
    await world.jump(600 * SECOND);
    await world.record(domain, "missing");
  });
  expect(sent).toEqual([["missing"], ["missing"]]);
});
