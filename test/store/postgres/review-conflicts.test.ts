import { expect, test } from "bun:test";
import { eventually } from "../../support/eventually.ts";
import { NOW, SECOND } from "../contract/world.ts";
import { describeTwoNodes } from "./two-nodes.ts";

describeTwoNodes("a review of notifications between the snapshot of an edit and the edit", (nodes) => {
  const waiting = async () =>
    (await nodes().execute("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).length;

  /** A monitor whose notification of trouble waits for its `after`, from the next review on. */
  async function delayed() {
    const { world, a } = nodes();
    const channel = await world.channel();
    const id = await world.site();
    const alertBindings = [{ alertChannelId: channel, after: 86_400, every: 0 }];
    await a.store.monitors.update(world.owner, id, { alertBindings }, NOW);
    await world.up(id);
    await world.down(id, NOW + SECOND);
    const { items } = await a.store.outages.list(world.owner.organizationId, { limit: 1 });
    return { id, outage: items[0]?.id ?? "" };
  }

  /** Both wait for the state of the monitor, the review first. */
  async function reviewBefore(edit: () => Promise<unknown>, at: number): Promise<void> {
    const { a, b, hold } = nodes();
    const end = await hold("SELECT 1 FROM monitor_states FOR UPDATE");
    const review = b.store.alertReviews.review(at, 100);
    await eventually(async () => (await waiting()) === 1);
    const editing = edit();
    await eventually(async () => (await waiting()) === 2);
    await end();
    await Promise.all([review, editing]);
    await a.store.alertReviews.review(at + 1, 100);
  }

  const holds = () =>
    nodes().execute("SELECT hold ->> 'kind' AS kind, review_at IS NULL AS decided FROM deliveries");

  test("behavior 14.55: an acknowledgement withdraws what the review has just put off", async () => {
    const { world, a } = nodes();
    const { outage } = await delayed();
    const at = NOW + 2 * SECOND;
    const by = { by: "owner", note: null };
    const acknowledge = () => a.store.outages.acknowledge(world.owner.organizationId, outage, by, at);
    await reviewBefore(acknowledge, at);
    expect(await holds()).toEqual([{ kind: "withdrawn", decided: true }]);
  });

  test("behavior 14.26: an acknowledgement that is taken back revives what the review has just withdrawn", async () => {
    const { world, a } = nodes();
    const { outage } = await delayed();
    const { organizationId } = world.owner;
    const at = NOW + 2 * SECOND;
    await a.store.outages.acknowledge(organizationId, outage, { by: "owner", note: null }, at);
    await reviewBefore(() => a.store.outages.unacknowledge(organizationId, outage, at), at);
    expect(await holds()).toEqual([{ kind: "delay", decided: false }]);
  });
});
