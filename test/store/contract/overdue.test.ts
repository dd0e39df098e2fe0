import { describe, expect, test } from "bun:test";
import { createLogger } from "../../../src/log.ts";
import { createOverdueWatch } from "../../../src/runner/checks/blindness-watch.ts";
import { createTestClock } from "../../support/clock.ts";
import { trackedStore } from "../../support/store/tracked-store.ts";
import { contractSuite } from "./suite.ts";
import { MINUTE, NOW, SECOND } from "./world.ts";

contractSuite("overdue", (world, _, slow) => {
  const count = (now: number) => world().store.overdue.count(now);

  /** Each is due at `NOW`. */
  const monitor = (interval: number) => {
    const site = { name: "site", type: "TCP", config: { host: "a", port: 1, interval } } as const;
    return world().store.monitors.create(world().owner, { ...site, alertChannelIds: [] }, NOW);
  };

  describe("behavior 1.61: a monitor", () => {
    test("is overdue after more than its interval, until it has a result", async () => {
      const [often, seldom] = [await monitor(1), await monitor(60)];
      expect(await count(NOW + SECOND)).toBe(0);
      expect(await count(NOW + SECOND + 1)).toBe(1);
      expect(await count(NOW + MINUTE)).toBe(1);
      expect(await count(NOW + MINUTE + 1)).toBe(2);
      await world().up(often.id, { at: NOW + MINUTE + 1 });
      expect(await count(NOW + MINUTE + 1)).toBe(1);
      await world().down(seldom.id, NOW + MINUTE + 1);
      expect(await count(NOW + MINUTE + 1)).toBe(0);
    });

    test("that is paused, a job, or checked from elsewhere only is not overdue", async () => {
      const { id } = await monitor(1);
      await world().store.monitors.update(world().owner, id, { enabled: false }, NOW);
      await world().job();
      await world().placed([(await world().location()).id]);
      expect(await count(NOW + MINUTE)).toBe(0);
    });

    slow("is counted also beside very many others and whatever its config contains", async () => {
      const config = { host: "a", port: 1, interval: 60, send: "\u0000\\u0000" };
      const entries = Array.from({ length: 2100 }, (_, at) => [`m${at}`, { type: "TCP", config }]);
      const { store, organizationId } = world();
      const document = { monitors: Object.fromEntries(entries) };
      await store.configuration.apply(organizationId, document, { prune: "none", isDryRun: false }, NOW);
      // Their first checks are spread over an interval.
      expect(await count(NOW + 2 * MINUTE + 1)).toBe(2100);
    });
  });

  slow("behavior 1.61: the log says once that monitors are overdue, and once that none is", async () => {
    const id = await world().site();
    const logged: unknown[] = [];
    const log = createLogger({ level: "silent" });
    log.warn = (...said: unknown[]) => void logged.push(said);
    log.info = (...said: unknown[]) => void logged.push(said);
    const clock = createTestClock(NOW);
    const watch = createOverdueWatch({ store: trackedStore(world().store, clock), clock, log });
    watch.start();
    await clock.advance(MINUTE);
    expect([watch.count(), logged]).toEqual([0, []]);
    await clock.advance(MINUTE);
    expect(watch.count()).toBe(1);
    await world().up(id, { at: clock.now() });
    await clock.advance(6 * SECOND);
    expect(watch.count()).toBe(0);
    expect(logged).toEqual([
      [{ monitors: 1 }, "monitors wait for a check for longer than their interval"],
      ["no monitor waits for a check for longer than its interval any more"],
    ]);
    await watch.stop();
  });
});
