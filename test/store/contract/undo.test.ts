import { expect, test } from "bun:test";
import type { Author } from "../../../src/domain/accounts/audit.ts";
import type { BulkChange } from "../../../src/domain/monitors/bulk/bulk-request.ts";
import { contractSuite } from "./suite.ts";
import { channelsOf, MINUTE, NOW } from "./world.ts";

const AUTHOR: Author = { actor: { type: "cli", id: null, name: "root" }, address: null, at: NOW };

contractSuite("undo", (world) => {
  const owned = (more: Partial<Author> = {}) => world().store.as({ ...AUTHOR, ...more });
  const latest = async () => {
    const { items } = await world().store.audit.list(world().organizationId, { limit: 1 });
    if (!items[0]) throw new Error("the audit log is empty");
    return items[0];
  };

  /** @returns the entries */
  async function changeAll(change: BulkChange): Promise<string[]> {
    const { organizationId } = world();
    const request = { selector: { all: true } as const, change };
    const options = { isDryRun: false, forUndo: true };
    return (await owned().monitors.changeInBulk(organizationId, request, options, NOW)).auditIds ?? [];
  }
  const undo = (ids: string[]) =>
    world().store.monitors.undoInBulk(world().organizationId, ids, NOW + MINUTE);

  test("behavior 14.102: a change of many gives each monitor its own old values again", async () => {
    const { owner } = world();
    const [kept, added] = [await world().channel(), await world().channel()];
    const [site, job] = [await world().site(kept), await world().job(kept, added)];
    const timed = [{ alertChannelId: kept, after: 60, every: 300 }];
    await world().store.monitors.update(owner, site, { alertBindings: timed, tags: ["a"] }, NOW);
    const before = await Promise.all([site, job].map((id) => world().find(id)));
    const ids = await changeAll({
      addTags: ["x"],
      enabled: false,
      addChannels: [added],
      removeChannels: [kept],
    });
    expect(ids).toHaveLength(2);
    expect(channelsOf(await world().find(site))).toEqual([added]);
    expect(await undo(ids)).toEqual({ undone: 2, refused: [] });
    const settings = async (id: string) => {
      const { tags, enabled, config, alertBindings } = await world().find(id);
      return { tags, enabled, config, alertBindings };
    };
    for (const { id, tags, enabled, config, alertBindings } of before)
      expect(await settings(id)).toEqual({ tags, enabled, config, alertBindings });
  });

  test("behavior 14.102: what was changed, deleted or can't have its values since stays, with the reason", async () => {
    const { owner, organizationId } = world();
    const channel = await world().channel();
    const [changed, deleted, unbound, free] = [
      await world().site(),
      await world().site(),
      await world().site(channel),
      await world().site(),
    ];
    const ids = await changeAll({ addTags: ["x"], removeChannels: [channel] });
    await owned().monitors.update(owner, changed, { name: "other" }, NOW);
    await owned().monitors.delete(organizationId, deleted);
    await owned().channels.delete(organizationId, channel);
    const { undone, refused } = await undo(ids);
    expect(undone).toBe(1);
    expect(refused.map(({ id, error }) => [id, error]).sort()).toEqual(
      [
        [changed, "site was changed again since then"],
        [deleted, "site was deleted since then: it can't be restored"],
        [unbound, "a channel that it had was deleted"],
      ].sort(),
    );
    expect((await world().find(free)).tags).toEqual([]);
    expect((await world().find(unbound)).tags).toEqual(["x"]);
    await expect(undo(["none"])).rejects.toMatchObject({ kind: "not_found" });
  });

  test("behavior 14.102: a pause of all monitors is a change of each", async () => {
    await world().site();
    const ids = await changeAll({ addTags: ["x"] });
    await owned().monitors.pauseAll(world().organizationId, NOW);
    expect((await undo(ids)).refused).toMatchObject([{ error: "site was changed again since then" }]);
  });

  test("behavior 14.101: a write that undoes an entry fails after another change, also one meanwhile", async () => {
    const { owner } = world();
    const id = await world().site();
    await owned().monitors.update(owner, id, { name: "b" }, NOW);
    const { id: undoes, before } = await latest();
    expect(before).toEqual({ name: "site" });
    const other = await world().site();
    await owned().monitors.update(owner, other, { name: "c" }, NOW);
    await world().store.audit.assertUnchangedSince(undoes);
    const undone = await owned({ undoes }).monitors.update(owner, id, { name: "site" }, NOW);
    expect(undone.name).toBe("site");
    const { audit } = world().store;
    expect((await audit.find(world().organizationId, undoes)).before).toEqual({ name: "site" });
    await expect(audit.find((await world().another()).organizationId, undoes)).rejects.toMatchObject({
      kind: "not_found",
    });
    await expect(audit.assertUnchangedSince(undoes)).rejects.toMatchObject({ kind: "refused" });
    await expect(owned({ undoes }).monitors.update(owner, id, { name: "d" }, NOW)).rejects.toMatchObject({
      kind: "refused",
    });
    expect((await world().find(id)).name).toBe("site");
  });

  test("behavior 14.100: an applied document keeps the old values too", async () => {
    const { organizationId } = world();
    const document = (interval: number) => ({
      monitors: { web: { name: "web", type: "TCP", config: { host: "a", port: 1, interval } } },
    });
    const options = { prune: "none", isDryRun: false } as const;
    await owned().configuration.apply(organizationId, document(60), options, NOW);
    await owned().configuration.apply(organizationId, document(120), options, NOW);
    expect(await latest()).toMatchObject({
      action: "monitor.updated",
      changed: ["config"],
      before: { config: { host: "a", port: 1, interval: 60 } },
    });
  });
});
