import { describe, expect, test } from "bun:test";
import type { NewIncident } from "../../../src/domain/pages/incident-request.ts";
import type { PasswordHash, Sealed } from "../../../src/domain/pages/page-password.ts";
import type { NewPage } from "../../../src/domain/pages/page-request.ts";
import { dueMails, subscribe } from "../../support/store/subscribers.ts";
import { contractSuite } from "./suite.ts";
import { HOUR, MINUTE, NOW, SECOND, type World } from "./world.ts";

const iso = (time: number) => new Date(time).toISOString();

contractSuite("pages", (world) => {
  let pages = 0;

  function create(values: Partial<Sealed<NewPage>> = {}, own: World = world()) {
    const request = { slug: `page-${++pages}`, title: "Shop", ...values };
    return own.store.pages.create(own.organizationId, request, NOW);
  }

  const pathOf = (pageId: string, own: World = world()) => ({ organizationId: own.organizationId, pageId });

  function createIncident(pageId: string, values: Partial<NewIncident> = {}, now = NOW) {
    const request = { title: "Slow", impact: "minor", ...values } as const;
    return world().store.incidents.create(pathOf(pageId), request, now);
  }

  /** A page with one component, whose monitor is healthy. */
  async function withSite(values: Partial<Sealed<NewPage>> = {}) {
    const monitorId = await world().site();
    await world().up(monitorId, { at: NOW - HOUR });
    const page = await create({ components: [{ monitorId }], ...values });
    return { monitorId, page, componentIds: page.components.map(({ id }) => id) };
  }

  describe("a page", () => {
    test("behavior 15.1, 15.6: is listed oldest first, in its organization only", async () => {
      const [one, other] = [await create(), await create({ days: 7, components: [] })];
      const foreign = await world().another();
      const theirs = await create({}, foreign);
      const { store, organizationId } = world();
      expect(await store.pages.list(organizationId)).toEqual([one, other]);
      expect(await store.pages.list(foreign.organizationId)).toEqual([theirs]);
      await expect(store.pages.find(foreign.organizationId, one.id)).rejects.toThrow("Not found");
      await expect(store.pages.update(foreign.organizationId, one.id, {}, NOW)).rejects.toThrow("Not found");
      await expect(store.pages.delete(foreign.organizationId, one.id, NOW)).rejects.toThrow("Not found");
      expect(await store.pages.delete(organizationId, one.id, NOW)).toEqual({ id: one.id });
      expect(await store.pages.list(organizationId)).toEqual([other]);
    });

    describe("behavior 15.7: a slug that was given up", () => {
      const DAY = 24 * HOUR;
      const taken = "slug is taken: it must be unique on this server";
      const releases: Record<string, (id: string) => Promise<unknown>> = {
        "by a deletion": (id) => world().store.pages.delete(world().organizationId, id, NOW),
        "by another slug": (id) =>
          world().store.pages.update(world().organizationId, id, { slug: `moved-${++pages}` }, NOW),
        "by a document": () => apply(world(), {}),
        "by another slug in a document": () =>
          apply(world(), { shop: { slug: `moved-${++pages}`, title: "Shop" } }),
      };
      const apply = (own: World, entries: object, now = NOW) =>
        own.store.configuration.apply(
          own.organizationId,
          { pages: entries },
          { prune: "all", isDryRun: false },
          now,
        );

      for (const [how, release] of Object.entries(releases))
        test(`${how} is taken for other organizations for 30 days`, async () => {
          const { id, slug } = await create({ ref: "shop" });
          await release(id);
          const foreign = await world().another();
          const { store, organizationId } = foreign;
          const request = { slug, title: "Shop" };
          const last = NOW + 30 * DAY - 1;
          await expect(store.pages.create(organizationId, request, last)).rejects.toThrow(taken);
          const other = await create({}, foreign);
          await expect(store.pages.update(organizationId, other.id, { slug }, last)).rejects.toThrow(taken);
          await expect(apply(foreign, { other: request }, last)).rejects.toThrow("is taken");
          expect(await store.pages.create(organizationId, request, last + 1)).toMatchObject({ slug });
        });

      test("can be used again by its organization, also for another page", async () => {
        const { id, slug } = await create();
        const { store, organizationId } = world();
        await store.pages.delete(organizationId, id, NOW);
        const again = await create({ slug });
        await store.pages.update(organizationId, again.id, { slug: `moved-${++pages}` }, NOW);
        await store.pages.update(organizationId, again.id, { slug }, NOW);
        expect(await store.pages.find(organizationId, again.id)).toMatchObject({ slug });
      });

      test("stays taken while a host of a server leads to it, and is forgotten after its time", async () => {
        const { id, slug } = await create();
        const { store, organizationId } = world();
        const foreign = await world().another();
        await store.pages.delete(organizationId, id, NOW);
        await store.pages.keepReleased([slug, "unknown"], NOW + 29 * DAY);
        await store.housekeeping.pruneReleasedSlugs(NOW + 31 * DAY);
        const request = { slug, title: "Shop" };
        const create59 = store.pages.create(foreign.organizationId, request, NOW + 59 * DAY - 1);
        await expect(create59).rejects.toThrow(taken);
        expect(await store.housekeeping.pruneReleasedSlugs(NOW + 59 * DAY)).toBe(false);
        await store.pages.create(foreign.organizationId, request, NOW + 59 * DAY);
      });
    });

    test("behavior 21.30, 21.31: has the hash of its password until it is shown without one, found in its organization only", async () => {
      const [hash, another] = ["hash 1" as PasswordHash, "hash 2" as PasswordHash];
      const { organizationId, store } = world();
      const page = await create({ visibility: "password", password: hash, ref: "shop" });
      expect(page.password).toBe("•••");
      const hashes = async (own = organizationId) => [
        await store.pages.findPasswordHash(own, { id: page.id }),
        await store.pages.findPasswordHash(own, { ref: "shop" }),
      ];
      expect(await hashes()).toEqual([hash, hash]);
      expect(await hashes((await world().another()).organizationId)).toEqual([null, null]);
      await store.pages.update(organizationId, page.id, { password: another }, NOW);
      expect(await hashes()).toEqual([another, another]);
      await store.pages.update(organizationId, page.id, { title: "x", password: "•••" }, NOW);
      expect(await hashes()).toEqual([another, another]);
      const open = await store.pages.update(organizationId, page.id, { visibility: "public" }, NOW);
      expect(open.password).toBeNull();
      expect(await hashes()).toEqual([null, null]);
    });

    test("behavior 15.2: has its components in their order, whatever their age", async () => {
      const [a, b] = [await world().site(), await world().site()];
      const { id, components } = await create({
        components: [
          { monitorId: b, name: "b" },
          { monitorId: a, group: "g" },
        ],
      });
      expect(components).toMatchObject([
        { monitorId: b, name: "b", group: null },
        { monitorId: a, name: null, group: "g" },
      ]);
      const [first, second] = components;
      const request = [
        { id: second?.id, monitorId: a },
        { monitorId: a, name: "new" },
        { id: first?.id, monitorId: a },
      ];
      const updated = await world().store.pages.update(
        world().organizationId,
        id,
        { components: request as never },
        NOW,
      );
      const names = [null, "new", null];
      expect(updated.components.map(({ name }) => name)).toEqual(names);
      expect(updated.components[0]?.id).toBe(second?.id as string);
      expect(updated.components[2]?.id).toBe(first?.id as string);
      await world().opened.reopen();
      expect(await world().store.pages.find(world().organizationId, id)).toEqual(updated);
    });

    test("behavior 15.3: has a slug that no other page on the server has", async () => {
      const { slug } = await create();
      const foreign = await world().another();
      await expect(create({ slug })).rejects.toThrow("slug is taken");
      await expect(create({ slug }, foreign)).rejects.toThrow("slug is taken");
      const both = await Promise.allSettled([create({ slug: "same" }), create({ slug: "same" }, foreign)]);
      expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    });

    test("behavior 15.3: is left as it is by a request that is refused", async () => {
      const { page, monitorId } = await withSite();
      const { store, organizationId } = world();
      const foreign = await (await world().another()).site();
      for (const components of [
        [{ monitorId }, { monitorId: foreign }],
        [{ id: "none", monitorId }],
        [...page.components, ...page.components].map(({ id }) => ({ id, monitorId })),
      ])
        await expect(
          store.pages.update(organizationId, page.id, { title: "x", components }, NOW),
        ).rejects.toMatchObject({ kind: "invalid" });
      expect(await store.pages.find(organizationId, page.id)).toEqual(page);
      await expect(create({ components: [{ monitorId: foreign }] })).rejects.toMatchObject({
        kind: "invalid",
      });
      expect(await store.pages.list(organizationId)).toEqual([page]);
    });

    test("behavior 15.5: loses the components of a monitor that is deleted", async () => {
      const { page, monitorId, componentIds } = await withSite();
      const { id } = await createIncident(page.id, { componentIds });
      await world().store.monitors.delete(world().organizationId, monitorId);
      const { components } = await world().store.pages.find(world().organizationId, page.id);
      expect(components).toEqual([]);
      const incident = await world().store.incidents.find({ ...pathOf(page.id), incidentId: id });
      expect(incident.componentIds).toEqual([]);
    });
  });

  test("behavior 15.5: a page that is deleted loses its subscribers and their messages", async () => {
    const { store, organizationId } = world();
    const { page } = await withSite({ visibility: "public" });
    const token = await subscribe(store, page.slug, "ada@example.com", NOW);
    await createIncident(page.id);
    expect(await dueMails(store, NOW)).toHaveLength(1);
    await store.pages.delete(organizationId, page.id, NOW);
    expect(await dueMails(store, NOW)).toEqual([]);
    expect(await store.subscriptions.find(token)).toBeUndefined();
    await create({ slug: page.slug });
    expect(await store.subscriptions.find(token)).toBeUndefined();
  });

  describe("an incident", () => {
    test("behavior 15.10, 15.5: is listed the latest first, and deleted with its page", async () => {
      const { page, componentIds } = await withSite();
      const one = await createIncident(page.id, { componentIds }, NOW + 1);
      const two = await createIncident(page.id, {}, NOW + 1);
      const three = await createIncident(page.id, {}, NOW);
      const { incidents } = world().store;
      expect(await incidents.list(pathOf(page.id))).toEqual([two, one, three]);
      const other = await create();
      expect(await incidents.list(pathOf(other.id))).toEqual([]);
      const path = { ...pathOf(page.id), incidentId: one.id };
      await expect(incidents.find({ ...path, pageId: other.id })).rejects.toThrow("Not found");
      const foreign = await world().another();
      await expect(incidents.list(pathOf(page.id, foreign))).rejects.toThrow("Not found");
      expect(await incidents.findPage(world().organizationId, one.id)).toBe(page.id);
      expect(await incidents.findPage(foreign.organizationId, one.id)).toBeNull();
      expect(await incidents.delete(path, NOW)).toEqual({ id: one.id });
      await expect(incidents.find(path)).rejects.toThrow("Not found");
      await world().store.pages.delete(world().organizationId, page.id, NOW);
      await expect(incidents.list(pathOf(page.id))).rejects.toThrow("Not found");
    });

    test("behavior 15.12: is resolved by its latest update", async () => {
      const { page } = await withSite();
      const { id, startedAt } = await createIncident(page.id);
      expect(startedAt).toBe(NOW);
      const add = (status: "resolved" | "monitoring", now: number) =>
        world().store.incidents.addUpdate({ ...pathOf(page.id), incidentId: id }, { status, body: "b" }, now);
      expect((await add("resolved", NOW + 1)).resolvedAt).toBe(NOW + 1);
      expect((await add("resolved", NOW + 2)).resolvedAt).toBe(NOW + 1);
      expect((await add("monitoring", NOW + 3)).resolvedAt).toBeNull();
      // The clock was set back.
      const { resolvedAt, updates } = await add("resolved", NOW);
      expect(resolvedAt).toBe(NOW);
      expect(updates.map(({ createdAt }) => createdAt)).toEqual([NOW, NOW + 3, NOW + 2, NOW + 1]);
    });

    test("behavior 17.40, 17.41: follows its latest update after an edit and a deletion", async () => {
      const { page } = await withSite();
      const { incidents } = world().store;
      const { id } = await createIncident(page.id);
      const path = { ...pathOf(page.id), incidentId: id };
      await incidents.addUpdate(path, { status: "identified", body: "a" }, NOW + 1);
      const { updates } = await incidents.addUpdate(path, { status: "monitoring", body: "b" }, NOW + 2);
      const latest = { ...path, updateId: updates[0]?.id ?? "" };
      const edited = await incidents.editUpdate(latest, { status: "resolved" }, NOW + 3);
      expect(edited).toMatchObject({
        resolvedAt: NOW + 2,
        updates: [
          { status: "resolved", body: "b", createdAt: NOW + 2, editedAt: NOW + 3 },
          { editedAt: null },
        ],
      });
      expect(await incidents.find(path)).toEqual(edited);
      expect(await incidents.deleteUpdate(latest, NOW + 4)).toEqual({ id: latest.updateId });
      expect(await incidents.find(path)).toMatchObject({
        resolvedAt: null,
        updates: [{ status: "identified" }],
      });
      await expect(incidents.editUpdate(latest, { body: "c" }, NOW)).rejects.toThrow("Not found");
    });

    test("behavior 15.13: is updated in what is sent, even with equal times", async () => {
      const { page, componentIds } = await withSite();
      const before = await createIncident(page.id, { componentIds });
      const path = { ...pathOf(page.id), incidentId: before.id };
      const after = await world().store.incidents.update(path, { title: " Fast " }, NOW);
      expect(after).toEqual({ ...before, title: "Fast" });
      await expect(
        world().store.incidents.update(path, { title: "x", componentIds: ["none"] }, NOW),
      ).rejects.toThrow("componentIds.0 is not a component of this page");
      expect(await world().store.incidents.find(path)).toEqual(after);
    });
  });

  describe("behavior 15.15: outages of a page", () => {
    const listOutages = (pageId: string, now: number) => world().store.pages.listOutages(pathOf(pageId), now);

    test("are those that are longer than minOutage, the latest first", async () => {
      const { page, monitorId, componentIds } = await withSite({ minOutage: 60 });
      await world().down(monitorId, NOW);
      await world().up(monitorId, { at: NOW + MINUTE });
      await world().down(monitorId, NOW + HOUR);
      await world().up(monitorId, { at: NOW + HOUR + MINUTE + 1 });
      await world().down(monitorId, NOW + 2 * HOUR);
      const long = { componentIds, status: "down", startedAt: NOW + HOUR, endedAt: NOW + HOUR + MINUTE + 1 };
      const atFirst = await listOutages(page.id, NOW + 2 * HOUR + MINUTE);
      expect(atFirst).toEqual([
        { ...long, id: expect.any(String), status: "down", isDown: true, incidentId: null },
      ]);
      const later = await listOutages(page.id, NOW + 2 * HOUR + MINUTE + 1);
      expect(later).toMatchObject([{ startedAt: NOW + 2 * HOUR, endedAt: null }, long]);
    });

    test("are measured from the end of the window in which they began", async () => {
      const { page, monitorId } = await withSite({ minOutage: 60 });
      const { maintenances } = world().store;
      const window = { startsAt: iso(NOW - MINUTE), endsAt: iso(NOW + HOUR) };
      const values = { title: "Move", selector: { monitorIds: [monitorId] }, ...window };
      const { id } = await maintenances.create(world().organizationId, values, NOW - MINUTE);
      await world().down(monitorId, NOW);
      expect(await listOutages(page.id, NOW + HOUR - 1)).toEqual([]);
      await maintenances.end(world().organizationId, id, NOW + 10 * MINUTE);
      expect(await listOutages(page.id, NOW + 11 * MINUTE)).toEqual([]);
      expect(await listOutages(page.id, NOW + 11 * MINUTE + 1)).toMatchObject([{ startedAt: NOW }]);
    });

    test("are those of its components, each with its incident", async () => {
      const { page, monitorId, componentIds } = await withSite({ minOutage: 0 });
      const other = await withSite({ minOutage: 0 });
      await world().down(monitorId, NOW);
      const [outage] = await listOutages(page.id, NOW + SECOND);
      if (!outage) throw new Error("no outage is listed");
      const { id: outageId } = outage;
      expect(await listOutages(other.page.id, NOW + SECOND)).toEqual([]);
      const foreign = await world().another();
      await expect(world().store.pages.listOutages(pathOf(page.id, foreign), NOW)).rejects.toThrow(
        "Not found",
      );
      const incident = await createIncident(page.id, { outageId }, NOW + HOUR);
      expect(incident).toMatchObject({ componentIds, startedAt: NOW, resolvedAt: null });
      expect(await listOutages(page.id, NOW + HOUR)).toEqual([{ ...outage, incidentId: incident.id }]);
      await expect(createIncident(other.page.id, { outageId })).rejects.toThrow("outageId is not");
      await expect(createIncident(page.id, { outageId })).rejects.toThrow("already");
    });
  });
});
