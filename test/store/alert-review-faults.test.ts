import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { engines } from "../support/store/engines.ts";
import { NOW, World } from "./contract/world.ts";

setDefaultTimeout(300_000);

describe.each(engines)("a review on $name", (engine) => {
  test("decides about the other monitors if nothing can be decided about one of them", async () => {
    await using world = await World.create(await engine.open());
    const channel = await world.channel();
    const alertBindings = [{ alertChannelId: channel, every: 300 }];
    const site = { name: "site", type: "TCP", config: { host: "a", port: 1, interval: 60 } } as const;
    const monitors: string[] = [];
    for (let at = 0; at < 3; at++) {
      const { id } = await world.store.monitors.create(world.owner, { ...site, alertBindings }, NOW);
      await world.down(id);
      monitors.push(id);
    }
    const [first] = await world.opened.db.rows<{ pk: number }>("SELECT min(pk) AS pk FROM deliveries");
    await world.opened.db.run("UPDATE deliveries SET transition = 'null' WHERE pk = $1", first?.pk ?? 0);
    await expect(world.store.alertReviews.review(NOW, 100)).rejects.toThrow();
    expect((await world.opened.db.rows("SELECT pk FROM deliveries WHERE status = 0")).length).toBe(2);
  });
});
