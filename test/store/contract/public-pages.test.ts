import { describe, expect, test } from "bun:test";
import type { NewMaintenance } from "../../../src/domain/maintenance/request.ts";
import type { IncidentStatus } from "../../../src/domain/pages/incident.ts";
import type { Sealed } from "../../../src/domain/pages/page-password.ts";
import type { NewPage, PageChanges } from "../../../src/domain/pages/page-request.ts";
import { showMonth } from "../../../src/domain/pages/show-page.ts";
import { shownPage } from "../../support/pages/shown-page.ts";
import { SMALL_GIF } from "../../support/pages/small-gif.ts";
import { contractSuite } from "./suite.ts";
import { DAY, HOUR, MINUTE, NOW, SECOND, type World } from "./world.ts";

const SLUG = "shop";
const iso = (time: number) => new Date(time).toISOString();

contractSuite("public-pages", (world, _, slow) => {
  function create(values: Partial<Sealed<NewPage>> = {}, own: World = world()) {
    const page = { slug: SLUG, title: "Shop", visibility: "public", minOutage: 0, ...values } as const;
    return own.store.pages.create(own.organizationId, page, NOW);
  }

  /** A public page with one component, whose monitor is up. @returns the IDs */
  async function pageOf(values: Partial<Sealed<NewPage>> = {}) {
    const monitorId = await world().site();
    await world().up(monitorId, { at: NOW - HOUR });
    const { id, components } = await create({ components: [{ monitorId }], ...values });
    return { monitorId, pageId: id, componentId: components[0]?.id ?? "" };
  }

  function update(pageId: string, changes: Sealed<PageChanges>) {
    return world().store.pages.update(world().organizationId, pageId, changes, NOW);
  }

  function createIncident(pageId: string, ...statuses: IncidentStatus[]) {
    const updates = statuses.map((status) => ({ status, body: `now ${status}` }));
    const request = { title: "Slow", impact: "minor", updates } as const;
    return world().store.incidents.create({ organizationId: world().organizationId, pageId }, request, NOW);
  }

  function maintain(values: Partial<NewMaintenance>, now = NOW) {
    const request = { title: "Move", selector: { all: true }, ...values } as NewMaintenance;
    return world().store.maintenances.create(world().organizationId, request, now);
  }

  /** Stores which windows began and ended. */
  async function noteWindows(now: number): Promise<void> {
    const { maintenances } = world().store;
    for (const { pk } of await maintenances.listWatched()) await maintenances.noteWindows(pk, now);
  }

  async function marker(slug = SLUG): Promise<string | undefined> {
    return (await world().store.pages.findMarkers([slug])).get(slug);
  }

  const show = async (now = NOW, slug = SLUG) => (await shownPage(world().store, slug, now)).page;

  /** Whether something changes the marker. */
  async function changes(change: () => Promise<unknown>): Promise<boolean> {
    const before = await marker();
    await change();
    return (await marker()) !== before;
  }

  describe("behavior 15.108: a month of a page", () => {
    const MONTH = { since: NOW - 200 * DAY, until: NOW - 170 * DAY };

    test("has the incidents and windows of that month, however long ago, and no others", async () => {
      const { pageId, monitorId } = await pageOf();
      const { store, organizationId } = world();
      const at = MONTH.since + DAY;
      const write = (now: number, title: string) =>
        store.incidents.create(
          { organizationId, pageId },
          { title, impact: "minor", updates: [{ status: "resolved", body: "Done." }] },
          now,
        );
      await write(at, "then");
      await write(NOW - HOUR, "now");
      await maintain({ startsAt: iso(at), endsAt: iso(at + HOUR), title: "Then" }, at);
      await noteWindows(at + 1);
      await noteWindows(at + HOUR);
      const facts = await store.pages.readMonth(SLUG, MONTH, NOW);
      expect(facts?.components.map((one) => one.monitorId)).toEqual([monitorId]);
      expect(facts?.incidents.map(({ title }) => title)).toEqual(["then"]);
      expect(facts?.runs.map(({ title }) => title)).toEqual(["Then"]);
      const shown = facts && showMonth(facts, MONTH, NOW);
      expect(shown?.incidents.map(({ title }) => title)).toEqual(["then"]);
      expect(shown?.maintenances).toMatchObject([{ title: "Then", state: "ended", endsAt: at + HOUR }]);
    });

    test("of a page that is off is not found", async () => {
      await create({ visibility: "off" });
      expect(await world().store.pages.readMonth(SLUG, MONTH, NOW)).toBeNull();
    });
  });

  describe("a page that is not public", () => {
    test("behavior 15.32: is not found, however many are requested", async () => {
      const { pageId } = await pageOf();
      await create({ slug: "empty" });
      await create({ slug: "hidden", visibility: "off" });
      const { findMarkers, readFacts } = world().store.pages;
      const found = await findMarkers([SLUG, "empty", "hidden", "missing"]);
      expect([...found.keys()].sort()).toEqual(["empty", SLUG]);
      expect(await findMarkers([])).toEqual(new Map());
      expect([await readFacts("hidden", NOW), await readFacts("missing", NOW)]).toEqual([null, null]);
      await update(pageId, { visibility: "off" });
      expect(await marker()).toBeUndefined();
    });
  });

  describe("a marker changes", () => {
    test("behavior 15.29: with the settings, the components and their names", async () => {
      const { monitorId, pageId } = await pageOf();
      const other = await world().site();
      expect(await changes(() => update(pageId, { title: "New" }))).toBe(true);
      expect(await changes(() => update(pageId, { components: [{ monitorId }, { monitorId: other }] }))).toBe(
        true,
      );
      const rename = { name: "renamed" };
      expect(await changes(() => world().store.monitors.update(world().owner, other, rename, NOW + 1))).toBe(
        true,
      );
      expect(await changes(() => world().store.monitors.delete(world().organizationId, other))).toBe(true);
      expect(await changes(async () => {})).toBe(false);
    });

    test("behavior 15.29: with a status, an outage and a pause, and not with each result", async () => {
      const { monitorId } = await pageOf();
      const result = (at: number) => world().up(monitorId, { at, latencyMs: 11 });
      expect(await changes(() => result(NOW))).toBe(false);
      expect(await changes(() => world().down(monitorId, NOW + 1))).toBe(true);
      expect(await changes(() => world().down(monitorId, NOW + 2))).toBe(false);
      expect(await changes(() => result(NOW + 3))).toBe(true);
      await world().down(monitorId, NOW + 4);
      const pause = { enabled: false };
      expect(
        await changes(() => world().store.monitors.update(world().owner, monitorId, pause, NOW + 5)),
      ).toBe(true);
    });

    test("behavior 15.29: with an incident and with its updates", async () => {
      const { pageId } = await pageOf();
      let incidentId = "";
      const place = () => ({ organizationId: world().organizationId, pageId, incidentId });
      expect(
        await changes(async () => {
          incidentId = (await createIncident(pageId)).id;
        }),
      ).toBe(true);
      const added = { status: "resolved", body: "over" } as const;
      expect(await changes(() => world().store.incidents.addUpdate(place(), added, NOW + 1))).toBe(true);
      expect(await changes(() => world().store.incidents.delete(place(), NOW + 2))).toBe(true);
    });

    test("behavior 15.29: with a maintenance, and when its window begins and ends", async () => {
      await pageOf();
      const window = { startsAt: iso(NOW + MINUTE), endsAt: iso(NOW + HOUR) };
      expect(await changes(() => maintain(window))).toBe(true);
      expect(await changes(() => noteWindows(NOW + MINUTE))).toBe(true);
      expect(await changes(() => noteWindows(NOW + 2 * MINUTE))).toBe(false);
      expect(await changes(() => noteWindows(NOW + HOUR))).toBe(true);
    });

    test("behavior 15.29: not with what is not on the page", async () => {
      await pageOf();
      const other = await world().site();
      await world().up(other, { at: NOW - HOUR });
      const { id } = await create({ slug: "other", components: [{ monitorId: other }] });
      expect(await changes(() => world().down(other, NOW))).toBe(false);
      expect(await changes(() => update(id, { title: "New" }))).toBe(false);
    });
  });

  describe("a page shows", () => {
    test("behavior 15.20, 15.21, 15.22: components in their order, by their own names or those of the monitors", async () => {
      const [one, two] = [await world().site(), await world().job()];
      await world().up(one, { at: NOW });
      const components = [
        { monitorId: two, group: "Jobs" },
        { monitorId: one, name: "Web" },
        { monitorId: one, group: "Jobs" },
      ];
      await create({ components });
      const page = await show();
      expect(page.components.map(({ name, group }) => [name, group?.name ?? null])).toEqual([
        ["job 1", "Jobs"],
        ["site", "Jobs"],
        ["Web", null],
      ]);
      expect(page.components[0]?.group).toEqual(page.components[1]?.group ?? null);
      await world().down(one, NOW + 1);
      expect((await show(NOW + 2)).components.map(({ status, since }) => [status, since])).toEqual([
        ["operational", NOW],
        ["major_outage", NOW + 1],
        ["major_outage", NOW + 1],
      ]);
    });

    test("behavior 15.27: the days and the uptime of each component, without results in a maintenance", async () => {
      const { monitorId } = await pageOf({ days: 7 });
      const other = await world().site();
      for (const [at, isUp] of [
        [NOW - 7 * DAY, false],
        [NOW - 6 * DAY, true],
        [NOW - 5 * DAY, false],
        [NOW - DAY, true],
      ] as const) {
        if (isUp) await world().up(monitorId, { at });
        else await world().down(monitorId, at);
        await world().down(other, at);
      }
      await maintain({ startsAt: iso(NOW), endsAt: iso(NOW + HOUR) });
      await world().down(monitorId, NOW);
      const [component] = (await show(NOW + 1)).components;
      expect(component?.uptime).toBe("75.00%");
      const days = component?.days.map(({ level, uptime }) => [level, uptime]);
      expect(days).toEqual([
        ["good", "100.00%"],
        ["down", "0.00%"],
        ["none", null],
        ["none", null],
        ["none", null],
        ["good", "100.00%"],
        ["good", "100.00%"],
      ]);
    });

    test("behavior 15.27: the mean latency of the last 24 hours, if it is to be shown", async () => {
      const { monitorId, pageId } = await pageOf({ showLatency: true });
      await world().up(monitorId, { at: NOW - 26 * HOUR, latencyMs: 1000 });
      await world().up(monitorId, { at: NOW, latencyMs: 31 });
      const latency = async () => (await show(NOW + 1)).components[0]?.latencyMs;
      expect(await latency()).toBe(21);
      await update(pageId, { showLatency: false });
      expect(await latency()).toBeNull();
    });

    test("behavior 17.20, 17.22: its color, its logo, and the sites that may embed it", async () => {
      const look = { accent: "#0a7f62", embedOrigins: ["https://www.example.com"] };
      const { pageId } = await pageOf({ ...look, logo: SMALL_GIF });
      const shown = await show();
      expect(shown).toMatchObject({ ...look, logo: { type: "image/gif", bytes: { length: 29 } } });
      const logo = { url: "/status/shop/logo", type: "image/gif", size: 29 };
      await update(pageId, { logo, accent: null, embedOrigins: [] });
      expect(await show()).toMatchObject({ accent: null, embedOrigins: [], logo: shown.logo });
      expect(await changes(() => update(pageId, { logo: null }))).toBe(true);
      expect((await show()).logo).toBeNull();
    });

    test("behavior 21.1: its language and its time zone", async () => {
      const { pageId } = await pageOf({ timezone: "Asia/Tokyo" });
      expect(await show()).toMatchObject({ language: "auto", timezone: "Asia/Tokyo" });
      expect(await changes(() => update(pageId, { language: "zh-TW", timezone: "UTC" }))).toBe(true);
      expect(await show()).toMatchObject({ language: "zh-TW", timezone: "UTC" });
    });

    test("behavior 15.25, 15.26: outages of its components that are long, and nothing of others", async () => {
      const { monitorId, componentId } = await pageOf({ minOutage: 60 });
      const other = await world().site();
      for (const id of [monitorId, other]) {
        await world().up(id, { at: NOW });
        await world().down(id, NOW + MINUTE);
        await world().up(id, { at: NOW + 2 * MINUTE });
        await world().down(id, NOW + 3 * MINUTE);
        await world().up(id, { at: NOW + 4 * MINUTE + 1 });
        await world().down(id, NOW + 5 * MINUTE);
      }
      const shown = async (now: number) =>
        (await show(now)).incidents.map(({ startedAt, resolvedAt }) => [startedAt, resolvedAt]);
      const ended = [NOW + 3 * MINUTE, NOW + 4 * MINUTE + 1];
      expect(await shown(NOW + 6 * MINUTE)).toEqual([ended]);
      expect(await shown(NOW + 6 * MINUTE + 1)).toEqual([[NOW + 5 * MINUTE, null], ended]);
      const [incident] = (await show(NOW + HOUR)).incidents;
      expect(incident).toMatchObject({ title: "site is down", componentIds: [componentId] });
    });

    test("behavior 15.25: an outage that began in a window only if it lasts longer after the window", async () => {
      const { monitorId } = await pageOf({ minOutage: 60 });
      await maintain({ startsAt: iso(NOW), endsAt: iso(NOW + HOUR) });
      await noteWindows(NOW);
      await world().down(monitorId, NOW + MINUTE);
      const shown = async (now: number) => (await show(now)).incidents.length;
      expect(await shown(NOW + HOUR - 1)).toBe(0);
      // Also before the end of the window is noticed.
      expect(await shown(NOW + HOUR + 30 * SECOND)).toBe(0);
      await noteWindows(NOW + HOUR);
      expect(await shown(NOW + HOUR + MINUTE)).toBe(0);
      expect(await shown(NOW + HOUR + MINUTE + 1)).toBe(1);
      await world().up(monitorId, { at: NOW + HOUR + MINUTE });
      expect(await shown(NOW + DAY)).toBe(0);
    });

    test("behavior 15.25: an incident in place of the outage that it was", async () => {
      const { monitorId, pageId } = await pageOf();
      await world().down(monitorId, NOW + 1);
      const [outage] = await world().store.pages.listOutages(
        { organizationId: world().organizationId, pageId },
        NOW + MINUTE,
      );
      const request = { title: "Explained", impact: "minor", outageId: outage?.id ?? "" } as const;
      await world().store.incidents.create(
        { organizationId: world().organizationId, pageId },
        request,
        NOW + MINUTE,
      );
      const { incidents } = await show(NOW + HOUR);
      expect(incidents).toMatchObject([{ outage: null, title: "Explained", startedAt: NOW + 1 }]);
      expect(JSON.stringify(incidents)).not.toContain(outage?.id ?? "");
    });

    test("behavior 15.102: no more of the updates than can be rendered quickly, and the last one of each incident", async () => {
      const { pageId } = await pageOf();
      const path = { organizationId: world().organizationId, pageId };
      const incidentOf = (letter: string) => ({
        title: letter,
        impact: "minor" as const,
        updates: Array.from({ length: 15 }, (_, index) => ({
          status: "identified" as const,
          body: `${index} ${letter.repeat(9990)}`,
        })),
      });
      for (const [at, letter] of ["a", "b", "c"].entries())
        await world().store.incidents.create(path, incidentOf(letter), NOW + at);
      const { incidents } = await show(NOW + HOUR);
      expect(incidents.map(({ title, updates }) => [title, updates.length])).toEqual([
        ["c", 15],
        ["b", 5],
        ["a", 1],
      ]);
      expect(incidents[2]?.updates[0]?.body).toStartWith("14 ");
    });

    test("behavior 15.102: the last update of an incident, however many updates the later ones have", async () => {
      const { pageId } = await pageOf();
      const path = { organizationId: world().organizationId, pageId };
      const incidentOf = (title: string, count: number) => ({
        ...{ title, impact: "minor" as const },
        updates: Array.from({ length: count }, (_, index) => ({
          status: "identified" as const,
          body: `${title} ${index}`,
        })),
      });
      await world().store.incidents.create(path, incidentOf("first", 2), NOW);
      for (let at = 1; at <= 5; at++)
        await world().store.incidents.create(path, incidentOf(`${at}`, 100), NOW + at);
      const { incidents } = await show(NOW + HOUR);
      expect(incidents.map(({ updates }) => updates.length)).toEqual([100, 100, 100, 100, 100, 1]);
      expect(incidents.at(-1)).toMatchObject({ title: "first", updates: [{ body: "first 1" }] });
    });

    slow("behavior 15.25: all incidents that people wrote, open or not", async () => {
      const { pageId } = await pageOf();
      await createIncident(pageId, "investigating");
      for (let count = 0; count < 60; count++) await createIncident(pageId, "resolved");
      const { incidents } = await show(NOW + HOUR);
      expect(incidents).toHaveLength(61);
      expect(incidents[0]?.status).toBe("investigating");
    });

    slow(
      "behavior 15.28: the last window of a maintenance, however often another one was repeated since",
      async () => {
        await pageOf();
        await maintain({ title: "Move", startsAt: iso(NOW), endsAt: iso(NOW + MINUTE) });
        await maintain({ title: "Restart", cron: "*/5 * * * *", duration: 60 });
        for (let at = NOW; at <= NOW + 3 * HOUR; at += MINUTE) await noteWindows(at);
        const { maintenances } = await show(NOW + 3 * HOUR + 2 * MINUTE);
        const ended = maintenances.filter(({ state }) => state === "ended").map(({ title }) => title);
        expect(ended).toEqual([...Array(20).fill("Restart"), "Move"]);
      },
    );

    test("behavior 15.25: incidents with their updates, the newest first", async () => {
      const { pageId } = await pageOf({ days: 7 });
      await createIncident(pageId, "investigating", "identified");
      await createIncident(pageId, "resolved");
      const { incidents, indicator } = await show(NOW + HOUR);
      expect(indicator).toBe("minor");
      expect(incidents.map(({ status, updates }) => [status, updates.map(({ body }) => body)])).toEqual([
        ["identified", ["now identified", "now investigating"]],
        ["resolved", ["now resolved"]],
      ]);
      const later = (await show(NOW + 7 * DAY)).incidents;
      expect(later.map(({ status }) => status)).toEqual(["identified"]);
    });

    test("behavior 15.28: maintenances that name a component, also after they were deleted", async () => {
      const { monitorId } = await pageOf();
      const other = await world().site();
      const named = { selector: { monitorIds: [monitorId] } };
      const window = { startsAt: iso(NOW + MINUTE), endsAt: iso(NOW + HOUR), message: "All of it." };
      const { id } = await maintain({ ...window, ...named });
      await maintain({ ...window, title: "Secret", selector: { monitorIds: [other] } });
      const states = async (now: number) =>
        (await show(now)).maintenances.map(({ title, state, message }) => [title, state, message]);
      expect(await states(NOW)).toEqual([["Move", "scheduled", "All of it."]]);
      await noteWindows(NOW + MINUTE);
      expect(await states(NOW + 2 * MINUTE)).toEqual([["Move", "active", "All of it."]]);
      await world().store.maintenances.delete(world().organizationId, id, NOW + 3 * MINUTE);
      const [deleted] = (await show(NOW + 4 * MINUTE)).maintenances;
      expect(deleted).toMatchObject({ state: "ended", message: null, endsAt: NOW + 3 * MINUTE });
    });

    test("behavior 15.30: IDs of its own, which differ from page to page", async () => {
      const { monitorId } = await pageOf({ components: [] });
      const components = [{ monitorId, group: "Web" }];
      for (const slug of ["one", "two"]) await create({ slug, components });
      await world().down(monitorId, NOW + 1);
      const { id } = await maintain({ startsAt: iso(NOW), endsAt: iso(NOW + HOUR) });
      const outages = await world().store.outages.list(world().organizationId, { limit: 10 });
      const pages = [await show(NOW + HOUR, "one"), await show(NOW + HOUR, "two")];
      const text = JSON.stringify(pages);
      for (const internal of [monitorId, id, outages.items[0]?.id ?? "?"])
        expect(text).not.toContain(internal);
      const ids = pages.flatMap((page) => [
        page.id,
        ...page.components.flatMap((component) => [component.id, component.group?.id]),
        ...page.incidents.map((incident) => incident.id),
        ...page.maintenances.map((maintenance) => maintenance.id),
      ]);
      expect(new Set(ids).size).toBe(ids.length);
      expect(await show(NOW + HOUR, "one")).toEqual(pages[0] as (typeof pages)[0]);
    });
  });
});
