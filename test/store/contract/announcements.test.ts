import { describe, expect, test } from "bun:test";
import type { Sealed } from "../../../src/domain/pages/page-password.ts";
import type { NewPage } from "../../../src/domain/pages/page-request.ts";
import type { MaintenanceNotice, PageMail } from "../../../src/domain/pages/subscription.ts";
import { createPublicPage, subscribe, takeMails } from "../../support/store/subscribers.ts";
import { contractSuite } from "./suite.ts";
import { DAY, HOUR, MINUTE, NOW, SECOND, untilDone, type World } from "./world.ts";

const ADA = "ada@example.com";
const iso = (time: number) => new Date(time).toISOString();

/** A public page with one component and one confirmed subscriber. */
async function pageOf(world: World, values: Partial<Sealed<NewPage>> = {}) {
  const monitorId = await world.site();
  await world.up(monitorId, { at: NOW - HOUR });
  const page = await createPublicPage(world, { monitorIds: [monitorId], ...values }, NOW - HOUR);
  const token = await subscribe(world.store, page.slug, ADA, NOW - HOUR);
  return { ...page, monitorId, token };
}

contractSuite("announcements", (world, _, slow) => {
  /** A round of the watch. @returns what is sent */
  async function round(now: number): Promise<PageMail[]> {
    const { announcements } = world().store;
    let count = 0;
    for (const pagePk of await announcements.listPages(now))
      count += await announcements.announce(pagePk, now);
    const mails = (await takeMails(world().store, now)).map(({ mail }) => mail);
    expect(mails).toHaveLength(count);
    return mails;
  }

  const outage = { kind: "outage", component: "site", isDown: true, endedAt: null } as const;

  describe("behavior 15.78: an outage of a component", () => {
    test("is announced once when it is longer than minOutage, and once when it is over", async () => {
      const { monitorId } = await pageOf(world(), { minOutage: 60 });
      await world().down(monitorId, NOW);
      expect(await round(NOW + MINUTE)).toEqual([]);
      expect(await round(NOW + MINUTE + 1)).toEqual([{ ...outage, startedAt: NOW }]);
      expect(await round(NOW + 2 * MINUTE)).toEqual([]);
      await world().up(monitorId, { at: NOW + HOUR });
      expect(await round(NOW + HOUR)).toEqual([
        { ...outage, startedAt: NOW, endedAt: NOW + HOUR, lengthMs: HOUR },
      ]);
      expect(await round(NOW + HOUR + MINUTE)).toEqual([]);
    });

    test("is not announced if it is over before, nor that of another monitor", async () => {
      const { monitorId } = await pageOf(world(), { minOutage: 60 });
      await world().down(await world().site(), NOW);
      await world().down(monitorId, NOW);
      await world().up(monitorId, { at: NOW + MINUTE - 1 });
      expect(await round(NOW + HOUR)).toEqual([]);
    });

    test("has the public name of the component, and its worst status", async () => {
      const monitorId = await world().site();
      await world().up(monitorId, { at: NOW - HOUR });
      const components = [{ monitorId, name: "Shop" }];
      const { slug } = await createPublicPage(world(), { minOutage: 0, components }, NOW - HOUR);
      await subscribe(world().store, slug, ADA, NOW - HOUR);
      for (let at = 12; at > 0; at--) await world().up(monitorId, { at: NOW - at * MINUTE });
      await world().up(monitorId, { at: NOW, latencyMs: 5000 });
      const degraded = { ...outage, component: "Shop", isDown: false, startedAt: NOW };
      expect(await round(NOW + SECOND)).toEqual([degraded]);
    });

    test("that several components show is one message", async () => {
      const monitorId = await world().site();
      const components = [
        { monitorId, name: "one" },
        { monitorId, name: "other" },
      ];
      const { slug } = await createPublicPage(world(), { minOutage: 0, components }, NOW - HOUR);
      await subscribe(world().store, slug, ADA, NOW - HOUR);
      await world().down(monitorId, NOW);
      expect(await round(NOW + SECOND)).toEqual([{ ...outage, component: "one", startedAt: NOW }]);
    });

    test("of several components at the same time are one message", async () => {
      const monitorIds = [await world().site(), await world().site(), await world().site()];
      const { slug } = await createPublicPage(world(), { minOutage: 0, monitorIds }, NOW - HOUR);
      await subscribe(world().store, slug, ADA, NOW - HOUR);
      for (const id of monitorIds) await world().down(id, NOW);
      const [mail, ...others] = await round(NOW + SECOND);
      expect(mail).toMatchObject({ kind: "several", count: 3 });
      expect(others).toEqual([]);
    });

    test("is not announced while it is an incident that people wrote, nor its end", async () => {
      const page = await pageOf(world(), { minOutage: 0 });
      await world().down(page.monitorId, NOW);
      const { organizationId, store } = world();
      const [own] = await store.pages.listOutages({ organizationId, pageId: page.id }, NOW + SECOND);
      const incident = { title: "Fire", impact: "major", outageId: own?.id ?? "" } as const;
      await store.incidents.create({ organizationId, pageId: page.id }, incident, NOW + SECOND);
      await takeMails(store, NOW + SECOND);
      expect(await round(NOW + SECOND)).toEqual([]);
      await world().up(page.monitorId, { at: NOW + HOUR });
      expect(await round(NOW + HOUR)).toEqual([]);
    });

    test("that becomes an incident after its start was announced has no second end", async () => {
      const page = await pageOf(world(), { minOutage: 0 });
      await world().down(page.monitorId, NOW);
      expect(await round(NOW + SECOND)).toHaveLength(1);
      const { organizationId, store } = world();
      const [own] = await store.pages.listOutages({ organizationId, pageId: page.id }, NOW + SECOND);
      const incident = { title: "Fire", impact: "major", outageId: own?.id ?? "" } as const;
      const { id } = await store.incidents.create(
        { organizationId, pageId: page.id },
        incident,
        NOW + SECOND,
      );
      await takeMails(store, NOW + SECOND);
      await world().up(page.monitorId, { at: NOW + HOUR });
      expect(await round(NOW + HOUR)).toEqual([]);
      await store.incidents.delete({ organizationId, pageId: page.id, incidentId: id }, NOW + HOUR);
      expect(await round(NOW + 2 * HOUR)).toEqual([]);
    });

    test("whose component is deleted has no end", async () => {
      const page = await pageOf(world(), { minOutage: 0 });
      await world().down(page.monitorId, NOW);
      expect(await round(NOW + SECOND)).toHaveLength(1);
      await world().store.pages.update(world().organizationId, page.id, { components: [] }, NOW + MINUTE);
      await world().up(page.monitorId, { at: NOW + HOUR });
      expect(await round(NOW + HOUR)).toEqual([]);
    });

    test("whose component is deleted and created again has an end, and no second start", async () => {
      const { id, monitorId } = await pageOf(world(), { minOutage: 0 });
      const update = (components: { monitorId: string }[], now: number) =>
        world().store.pages.update(world().organizationId, id, { components }, now);
      await world().down(monitorId, NOW);
      expect(await round(NOW + SECOND)).toHaveLength(1);
      await update([], NOW + MINUTE);
      expect(await round(NOW + MINUTE)).toEqual([]);
      await update([{ monitorId }], NOW + 2 * MINUTE);
      expect(await round(NOW + 2 * MINUTE)).toEqual([]);
      expect(await world().store.announcements.listPages(NOW + 3 * MINUTE)).toEqual([]);
      await world().up(monitorId, { at: NOW + HOUR });
      expect(await round(NOW + HOUR)).toEqual([
        { ...outage, startedAt: NOW, endedAt: NOW + HOUR, lengthMs: HOUR },
      ]);
    });

    test("that began in a window counts from the end of the window", async () => {
      const { monitorId } = await pageOf(world(), { minOutage: 60 });
      const { maintenances } = world().store;
      const times = { startsAt: iso(NOW), endsAt: iso(NOW + HOUR) };
      const request = { title: "Move", selector: { all: true as const }, ...times };
      await maintenances.create(world().organizationId, request, NOW);
      expect(await round(NOW)).toMatchObject([{ kind: "maintenance" }]);
      await world().down(monitorId, NOW + MINUTE);
      expect(await round(NOW + 30 * MINUTE)).toEqual([]);
      await world().down(monitorId, NOW + HOUR);
      const [organization] = await maintenances.listWatched();
      await maintenances.noteWindows(organization?.pk ?? 0, NOW + HOUR);
      expect(await round(NOW + HOUR + MINUTE)).toMatchObject([{ kind: "maintenance", isOver: true }]);
      expect(await round(NOW + HOUR + MINUTE + 1)).toEqual([{ ...outage, startedAt: NOW + MINUTE }]);
    });
  });

  describe("behavior 15.79: a window of a maintenance", () => {
    const window = (from: number, to: number, values = {}) =>
      world().store.maintenances.create(
        world().organizationId,
        {
          title: "Move",
          message: "To another rack.",
          selector: { all: true },
          startsAt: iso(from),
          endsAt: iso(to),
          ...values,
        },
        NOW,
      );
    const notice: Omit<MaintenanceNotice, "endsAt" | "isOver"> = {
      kind: "maintenance",
      title: "Move",
      message: "To another rack.",
      components: ["site"],
      startedAt: NOW,
    };

    test("is announced once when it starts, and once when it ends", async () => {
      await pageOf(world());
      const { id } = await window(NOW, NOW + HOUR);
      expect(await round(NOW)).toEqual([{ ...notice, endsAt: NOW + HOUR, isOver: false }]);
      expect(await round(NOW + MINUTE)).toEqual([]);
      await world().store.maintenances.end(world().organizationId, id, NOW + 2 * MINUTE);
      expect(await round(NOW + 2 * MINUTE)).toEqual([{ ...notice, endsAt: NOW + 2 * MINUTE, isOver: true }]);
      expect(await round(NOW + HOUR)).toEqual([]);
    });

    test("of other monitors is not announced", async () => {
      await pageOf(world());
      await window(NOW, NOW + HOUR, { selector: { monitorIds: [await world().site()] } });
      expect(await round(NOW)).toEqual([]);
    });

    test("whose monitors change goes on, and one whose maintenance is deleted ends", async () => {
      const { monitorId } = await pageOf(world());
      const { maintenances } = world().store;
      const { id } = await window(NOW, NOW + HOUR);
      expect(await round(NOW)).toHaveLength(1);
      const selector = { monitorIds: [monitorId] };
      await maintenances.update(world().organizationId, id, { selector }, NOW + MINUTE);
      expect(await round(NOW + MINUTE)).toEqual([]);
      await maintenances.delete(world().organizationId, id, NOW + 2 * MINUTE);
      const over = {
        ...notice,
        message: null,
        startedAt: NOW + MINUTE,
        endsAt: NOW + 2 * MINUTE,
        isOver: true,
      };
      expect(await round(NOW + 2 * MINUTE)).toEqual([over]);
    });
  });

  describe("behavior 15.80: who confirms", () => {
    test("while an outage is open gets its end only", async () => {
      const page = await pageOf(world(), { minOutage: 0 });
      await world().down(page.monitorId, NOW);
      await world().store.subscriptions.delete(page.token);
      await subscribe(world().store, page.slug, "grace@example.com", NOW + MINUTE);
      expect(await round(NOW + MINUTE)).toEqual([]);
      await world().up(page.monitorId, { at: NOW + HOUR });
      expect(await round(NOW + HOUR)).toEqual([
        { ...outage, startedAt: NOW, endedAt: NOW + HOUR, lengthMs: HOUR },
      ]);
    });

    slow("after an outage gets nothing of it", async () => {
      const page = await pageOf(world(), { minOutage: 0 });
      await world().down(page.monitorId, NOW);
      expect(await round(NOW + SECOND)).toHaveLength(1);
      await world().store.subscriptions.delete(page.token);
      await world().up(page.monitorId, { at: NOW + HOUR });
      await subscribe(world().store, page.slug, "grace@example.com", NOW + DAY);
      expect(await round(NOW + DAY)).toEqual([]);
    });
  });

  test("a page without confirmed subscribers, or one that is off, announces nothing", async () => {
    const page = await pageOf(world(), { minOutage: 0 });
    await world().down(page.monitorId, NOW);
    await world().store.pages.update(world().organizationId, page.id, { visibility: "off" }, NOW);
    expect(await world().store.announcements.listPages(NOW + SECOND)).toEqual([]);
    await world().store.pages.update(world().organizationId, page.id, { visibility: "public" }, NOW);
    expect(await world().store.announcements.listPages(NOW + SECOND)).toHaveLength(1);
    await world().store.subscriptions.delete(page.token);
    expect(await world().store.announcements.listPages(NOW + SECOND)).toEqual([]);
  });

  test("what was announced is deleted some time after its end", async () => {
    const { monitorId } = await pageOf(world(), { minOutage: 0 });
    const { store } = world();
    await world().down(monitorId, NOW);
    expect(await round(NOW + SECOND)).toHaveLength(1);
    await untilDone(() => store.housekeeping.pruneAnnouncements(NOW + DAY));
    expect(await round(NOW + MINUTE)).toEqual([]);
    await world().up(monitorId, { at: NOW + HOUR });
    expect(await round(NOW + HOUR)).toHaveLength(1);
    await untilDone(() => store.housekeeping.pruneAnnouncements(NOW + DAY));
    expect(await round(NOW + DAY)).toEqual([]);
  });

  describe("behavior 15.110: a window that people plan for subscribers", () => {
    const times = { startsAt: iso(NOW + DAY), endsAt: iso(NOW + DAY + HOUR) };
    const named = { title: "Move", message: null, components: ["site"] };
    const notice = { kind: "maintenance", ...named, isOver: false } as const;
    const span = { startedAt: NOW + DAY, endsAt: NOW + DAY + HOUR };
    const sent = async () => (await takeMails(world().store, NOW)).map(({ mail }) => mail);

    async function plan(monitorId: string, values = {}) {
      const request = {
        title: "Move",
        selector: { monitorIds: [monitorId] },
        notifySubscribers: true,
        ...times,
      };
      return world().store.maintenances.create(world().organizationId, { ...request, ...values }, NOW);
    }

    test("is announced once for each change of its times, and when it is deleted", async () => {
      const { monitorId } = await pageOf(world());
      const { store, organizationId } = world();
      const { id } = await plan(monitorId);
      expect(await sent()).toEqual([{ ...notice, plan: "planned", ...span }]);
      await store.maintenances.update(organizationId, id, { title: "Move", ...times }, NOW);
      expect(await sent()).toEqual([]);
      await store.maintenances.update(organizationId, id, { endsAt: iso(NOW + DAY + 2 * HOUR) }, NOW);
      const moved = { ...span, endsAt: NOW + DAY + 2 * HOUR };
      expect(await sent()).toEqual([{ ...notice, plan: "moved", ...moved }]);
      await store.maintenances.delete(organizationId, id, NOW);
      expect(await sent()).toEqual([{ ...notice, plan: "canceled", ...moved }]);
      expect(await round(NOW)).toEqual([]);
    });

    test("is announced when people ask for it later, and not without it, or if it has started", async () => {
      const { monitorId } = await pageOf(world());
      const { store, organizationId } = world();
      const { id } = await plan(monitorId, { notifySubscribers: false });
      await plan(monitorId, { startsAt: iso(NOW) });
      expect(await sent()).toEqual([]);
      await store.maintenances.update(organizationId, id, { notifySubscribers: true }, NOW);
      expect(await sent()).toEqual([{ ...notice, plan: "planned", ...span }]);
      await store.maintenances.update(organizationId, id, { notifySubscribers: false }, NOW);
      await store.maintenances.delete(organizationId, id, NOW);
      expect(await sent()).toEqual([]);
    });

    test("is announced on each page that shows one of its components, and on no other", async () => {
      const { monitorId } = await pageOf(world());
      await pageOf(world());
      await plan(monitorId);
      expect(await sent()).toHaveLength(1);
    });
  });

  describe("behavior 15.111: a subscriber of chosen components", () => {
    async function chosen() {
      const [first, second] = [await world().site(), await world().site()];
      for (const id of [first, second]) await world().up(id, { at: NOW - HOUR });
      const page = await createPublicPage(world(), { monitorIds: [first, second], minOutage: 0 }, NOW - HOUR);
      const [one] = page.components;
      const all = await subscribe(world().store, page.slug, "all@example.com", NOW - HOUR);
      const token = await subscribe(world().store, page.slug, ADA, NOW - HOUR);
      await world().store.subscriptions.choose(token, [one?.id ?? ""]);
      return { first, second, page, all, token, componentId: one?.id ?? "" };
    }
    const receivers = async (now: number) => {
      const { announcements } = world().store;
      for (const pagePk of await announcements.listPages(now)) await announcements.announce(pagePk, now);
      return (await takeMails(world().store, now)).map(({ to, mail }) => [to, mail.kind]);
    };

    test("gets messages about outages of these alone, also if several are announced at once", async () => {
      const { first, second } = await chosen();
      await world().down(second, NOW);
      expect(await receivers(NOW + SECOND)).toEqual([["all@example.com", "outage"]]);
      await world().up(second, { at: NOW + MINUTE });
      await world().down(first, NOW + MINUTE);
      const both = await receivers(NOW + MINUTE + SECOND);
      expect(both.toSorted()).toEqual([
        [ADA, "outage"],
        ["all@example.com", "several"],
      ]);
    });

    test("gets messages about windows and incidents of these, and about incidents of the whole page", async () => {
      const { second, page, componentId } = await chosen();
      const { store, organizationId } = world();
      const write = (componentIds: string[]) =>
        store.incidents.create(
          { organizationId, pageId: page.id },
          { title: "Slow", impact: "minor", componentIds },
          NOW,
        );
      await write([page.components[1]?.id ?? ""]);
      expect(await receivers(NOW)).toEqual([["all@example.com", "incident"]]);
      await write([componentId]);
      await write([]);
      expect((await receivers(NOW)).filter(([to]) => to === ADA)).toHaveLength(2);
      const window = { startsAt: iso(NOW + DAY), endsAt: iso(NOW + 2 * DAY), notifySubscribers: true };
      const selector = { monitorIds: [second] };
      await store.maintenances.create(organizationId, { title: "Move", selector, ...window }, NOW);
      expect(await receivers(NOW)).toEqual([["all@example.com", "maintenance"]]);
    });

    test("can choose all again, and no component that the page does not have", async () => {
      const { second, token } = await chosen();
      const { subscriptions } = world().store;
      expect(subscriptions.choose(token, ["another"])).rejects.toThrow("componentIds.0 is not a component");
      expect(await subscriptions.choose("unknown", null)).toBeUndefined();
      await subscriptions.choose(token, null);
      expect((await subscriptions.find(token))?.componentIds).toBeNull();
      await world().down(second, NOW);
      expect(await receivers(NOW + SECOND)).toHaveLength(2);
    });
  });
});
