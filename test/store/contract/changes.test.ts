import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { contractSuite } from "./suite.ts";
import { NOW, type World } from "./world.ts";

contractSuite("changes", (world, engine, slow) => {
  test.each<[string, (own: World) => Promise<unknown>, (keyof Markers)[]]>([
    ["a new monitor changes the marker of the monitors", (own) => own.job(), ["monitors"]],
    ["a new channel changes the marker of the channels", (own) => own.channel(), ["channels"]],
    ["no change leaves all markers", async () => {}, []],
  ])("%s, of one organization", async (_, act, concerned) => {
    const { store, organizationId } = world();
    const other = await world().another();
    const read = (id: string) => store.changes.findMarkers(id);
    const [before, bystander] = [await read(organizationId), await read(other.organizationId)];
    await act(world());
    const after = await read(organizationId);
    const fields = ["monitors", "channels", "results"] as const;
    expect(fields.filter((field) => after[field] !== before[field])).toEqual(concerned);
    expect(await read(other.organizationId)).toEqual(bystander);
  });

  slow("each result, and each update or deletion of a monitor or channel, changes a marker", async () => {
    const { store, owner, organizationId } = world();
    const channel = await world().channel();
    const [job, other] = [await world().job(channel), await world().job()];
    const acts: [keyof Markers, () => Promise<unknown>][] = [
      ["results", () => world().checkin(job, "ok", NOW)],
      ["results", () => world().checkin(job, "ok", NOW + 1)],
      ["monitors", () => world().checkin(job, "fail", NOW + 2)],
      ["monitors", () => store.monitors.update(owner, job, { name: "z" }, NOW + 3)],
      ["channels", () => store.channels.update(organizationId, channel, { name: "z" }, NOW + 3)],
      ["monitors", () => store.monitors.pauseAll(organizationId, NOW + 4)],
      ["monitors", () => store.monitors.delete(organizationId, other)],
      ["channels", () => store.channels.delete(organizationId, channel)],
    ];
    for (const [marker, act] of acts) {
      const before = await store.changes.findMarkers(organizationId);
      await act();
      const after = await store.changes.findMarkers(organizationId);
      expect(after[marker]).not.toBe(before[marker]);
    }
  });

  test("behavior 15.94: a page that is created, updated or deleted changes the marker of the monitors", async () => {
    const { store, organizationId } = world();
    const page = await store.pages.create(organizationId, { slug: "shop", title: "Shop" }, NOW);
    for (const act of [
      () => store.pages.update(organizationId, page.id, { visibility: "public" }, NOW + 1),
      () => store.pages.create(organizationId, { slug: "other", title: "Other" }, NOW + 2),
      () => store.pages.delete(organizationId, page.id, NOW),
    ]) {
      const before = await store.changes.findMarkers(organizationId);
      await act();
      const after = await store.changes.findMarkers(organizationId);
      expect(after.monitors).not.toBe(before.monitors);
    }
  });

  test("behavior 14.90: an acknowledgement, its note and its withdrawal change the marker of the monitors", async () => {
    const { store, organizationId } = world();
    await world().checkin(await world().job(), "fail", NOW);
    const { items } = await store.outages.list(organizationId, { limit: 1 });
    const id = items[0]?.id ?? "";
    const acknowledge = (note: string | null, now: number) =>
      store.outages.acknowledge(organizationId, id, { by: "ops", note }, now);
    for (const act of [
      () => acknowledge(null, NOW + 1),
      () => acknowledge("seen", NOW + 2),
      () => store.outages.unacknowledge(organizationId, id, NOW + 3),
    ]) {
      const before = await store.changes.findMarkers(organizationId);
      await act();
      const after = await store.changes.findMarkers(organizationId);
      expect(after.monitors).not.toBe(before.monitors);
    }
  });

  test("behavior 12.9: what is written later but is older, as that of another node, changes the markers too", async () => {
    const { store, owner, organizationId } = world();
    const channels = [await world().channel(), await world().channel()];
    const jobs = [await world().job(), await world().job()];
    const updates: [keyof Markers, (at: number, time: number) => Promise<unknown>][] = [
      ["monitors", (at, time) => store.monitors.update(owner, jobs[at] ?? "", { name: "z" }, time)],
      [
        "channels",
        (at, time) => store.channels.update(organizationId, channels[at] ?? "", { name: "z" }, time),
      ],
      ["results", (at, time) => world().checkin(jobs[at] ?? "", "ok", time)],
    ];
    for (const [marker, update] of updates) {
      await update(0, NOW + 100);
      const before = await store.changes.findMarkers(organizationId);
      await update(1, NOW + 50);
      const after = await store.changes.findMarkers(organizationId);
      expect(after[marker]).not.toBe(before[marker]);
    }
  });

  test("the version changes with each commit, the foreign version only with those of another process", async () => {
    const { store } = world();
    const versions = async () => [await store.changes.version(), await store.changes.foreignVersion()];
    const first = await versions();
    if (engine.numbersChanges) expect(await versions()).toEqual(first);
    await world().job();
    const second = await versions();
    expect(second[0]).not.toBe(first[0]);
    if (engine.numbersChanges) expect(second[1]).toBe(first[1]);
    const another = await world().opened.openAnother();
    await another.organizations.update(world().organizationId, { name: "theirs" });
    await another.close();
    const third = await versions();
    expect(third[0]).not.toBe(second[0]);
    expect(third[1]).not.toBe(second[1]);
    expect(await store.organizations.list()).toMatchObject([{ name: "theirs" }]);
  });

  test("turns are given one at a time, in the order of the calls", async () => {
    const { changes } = world().store;
    const order: number[] = [];
    await Promise.all([1, 2, 3].map((turn) => changes.turn().then(() => order.push(turn))));
    expect(order).toEqual([1, 2, 3]);
  });

  test.if(engine.backsUp)("a backup has what was committed before it, and nothing that follows", async () => {
    const { store, organizationId } = world();
    const job = await world().job();
    await world().checkin(job, "ok");
    const file = world().opened.path("backup");
    await store.backUp(file);
    await world().checkin(job, "fail", NOW + 1);
    await using backup = await world().opened.openBackup(file);
    const page = { monitorId: job, limit: 10 };
    const { items } = await backup.store.results.list(organizationId, page);
    expect(items.map(({ status }) => status)).toEqual(["ok"]);
  });

  test.if(engine.backsUp)("a backup overwrites nothing", async () => {
    const { store } = world();
    const file = world().opened.path("backup");
    await store.backUp(file);
    await expect(store.backUp(file)).rejects.toMatchObject({ kind: "refused" });
    expect(existsSync(file)).toBeTrue();
  });

  test.if(!engine.backsUp)("a backup is refused if programs of the database make it", async () => {
    const file = world().opened.path("backup");
    await expect(world().store.backUp(file)).rejects.toMatchObject({ kind: "invalid" });
    expect(existsSync(file)).toBeFalse();
  });

  test("the clock of the database is that of this machine or its own", async () => {
    const time = await world().store.changes.readTime();
    // In milliseconds.
    expect(time === null || time > Date.UTC(2026, 0, 1)).toBeTrue();
  });

  test("the sizes of the files are reported, and a closed store answers nothing", async () => {
    const { store, organizationId } = world();
    const sizes = Object.values(await store.fileSizes());
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(0);
    const another = await world().opened.openAnother();
    await another.close();
    await expect(another.organizations.list()).rejects.toThrow();
    expect((await store.organizations.findSettings(organizationId)).name).toBe("A");
  });
});

interface Markers {
  monitors: string;
  channels: string;
  results: string;
}
