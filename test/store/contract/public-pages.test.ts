import { describe, expect, test } from "bun:test";
import type { NewPage } from "../../../src/domain/pages/page-request.ts";
import { shownPage } from "../../support/pages/shown-page.ts";
import { contractSuite } from "./suite.ts";
import { HOUR, MINUTE, NOW, type World } from "./world.ts";

const SLUG = "shop";

contractSuite("public-pages", (world) => {
  function create(values: Partial<NewPage> = {}, own: World = world()) {
    const page = { slug: SLUG, title: "Shop", visibility: "public", minOutage: 0, ...values } as const;
    return own.store.pages.create(own.organizationId, page, NOW);
  }

  async function marker(slug = SLUG): Promise<string | undefined> {
    return (await world().store.pages.findMarkers([slug])).get(slug);
  }

  const show = async (now = NOW, slug = SLUG) => (await shownPage(world().store, slug, now)).page;

  /** Whether an action changes the marker. */
  async function changes(action: () => Promise<unknown>): Promise<boolean> {
    const before = await marker();
    await action();
    return (await marker()) !== before;
  }

  /** A public page with one component. @returns the ID of its monitor */
  async function pageOf(values: Partial<NewPage> = {}): Promise<string> {
    const monitorId = await world().site();
    await world().up(monitorId, { at: NOW - HOUR });
    await create({ components: [{ monitorId }], ...values });
    return monitorId;
  }

  describe("a marker", () => {
    test("behavior 15.33: is found for pages that are public only, however many are looked for", async () => {
      await pageOf();
      await create({ slug: "empty" });
      await create({ slug: "hidden", visibility: "off" });
      const found = await world().store.pages.findMarkers([SLUG, "empty", "hidden", "missing"]);
      expect([...found.keys()].sort()).toEqual(["empty", SLUG]);
      expect(await world().store.pages.readFacts("hidden", NOW)).toBeNull();
      expect(await world().store.pages.readFacts("missing", NOW)).toBeNull();
    });
  });

  describe("what a page shows", () => {
    test("behavior 15.20: the status of a component is that of its monitor", async () => {
      const monitorId = await pageOf({ showLatency: true });
      await world().down(monitorId, NOW);
      const page = await show(NOW + 1);
      expect(page).toMatchObject({ slug: SLUG, indicator: "critical" });
      expect(page.components).toMatchObject([
        { name: "site", status: "major_outage", uptime: "50.00%", latencyMs: 10 },
      ]);
      expect(page.incidents).toMatchObject([{ title: "site is down", resolvedAt: null }]);
      expect(await changes(() => world().up(monitorId, { at: NOW + MINUTE }))).toBe(true);
      expect(await changes(() => world().up(monitorId, { at: NOW + 2 * MINUTE }))).toBe(false);
    });
  });
});
