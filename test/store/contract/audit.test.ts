import { beforeEach, expect, test } from "bun:test";
import type { Author } from "../../../src/domain/accounts/audit.ts";
import { contractSuite } from "./suite.ts";
import { allPages, DAY, NOW, untilDone } from "./world.ts";

const AUTHOR: Author = { actor: { type: "cli", id: null, name: "root" }, address: null, at: NOW };

contractSuite("audit", (world, _, slow) => {
  const list = (limit: number, cursor?: string) =>
    world().store.audit.list(world().organizationId, { limit, cursor });

  /** Logs one change at each of these times. */
  async function change(...times: number[]): Promise<void> {
    const id = await world().channel({ name: "0" });
    for (const [place, at] of times.entries()) {
      const { channels } = world().store.as({ ...AUTHOR, at });
      await channels.update(world().organizationId, id, { name: `${place + 1}` }, at);
    }
  }

  const namesOf = (items: { resource: { name: string } }[]) => items.map(({ resource }) => resource.name);

  beforeEach(() => change(NOW, NOW, NOW + 1, NOW - 1, NOW + 2));

  test("behavior 14.74: pages go from the latest entry to the first, each once", async () => {
    for (const limit of [1, 2, 3, 5, 200])
      expect(namesOf(await allPages((cursor) => list(limit, cursor)))).toEqual(["5", "4", "3", "2", "1"]);
  });

  test("behavior 14.74: a cursor of another form, or of nothing, is invalid", async () => {
    for (const cursor of ["", "x", "-".repeat(32)])
      await expect(list(1, cursor)).rejects.toMatchObject({ kind: "invalid" });
  });

  test("behavior 14.75: entries are deleted by their age, and a cursor whose entry is gone still works", async () => {
    const { cursor } = await list(4);
    await untilDone(() => world().store.housekeeping.pruneAuditEntries(NOW + 1));
    expect(namesOf((await list(50)).items)).toEqual(["5", "3"]);
    expect((await list(50, cursor ?? "")).items).toEqual([]);
    await untilDone(() => world().store.housekeeping.pruneAuditEntries(NOW + DAY));
    expect((await list(50)).items).toEqual([]);
  });

  slow("behavior 14.75: many entries are deleted in several pieces", async () => {
    await change(...Array.from({ length: 250 }, (_, place) => NOW + place));
    let pieces = 1;
    while (await world().store.housekeeping.pruneAuditEntries(NOW + DAY)) pieces++;
    expect(pieces).toBe(3);
    expect((await list(50)).items).toEqual([]);
  });
});
