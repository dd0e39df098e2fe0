import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Organization } from "../../../src/domain/accounts/organization.ts";
import { StorageFault } from "../../../src/errors.ts";
import { createPublicPages, type PublicPages } from "../../../src/runner/pages/public-pages.ts";
import { createTestClock, type TestClock } from "../../support/clock.ts";
import { InterruptedStore } from "../../support/pages/interrupted-store.ts";
import { engineOfTests } from "../../support/store/engines.ts";
import type { TestStore } from "../../support/store/test-store.ts";

// The first store on PostgreSQL starts its cluster.
setDefaultTimeout(300_000);

const SLUG = "shop";
const AWAY = new StorageFault(new Error("the database is away"));
const HOUR = 3_600_000;

let opened: TestStore;
let interrupted: InterruptedStore;
let clock: TestClock;
let pages: PublicPages;
let organization: Organization;
let pageId: string;
let logged: string[];

beforeEach(async () => {
  opened = await engineOfTests().open();
  clock = createTestClock(Date.UTC(2027, 5, 1, 12));
  logged = [];
  interrupted = new InterruptedStore(opened.store);
  pages = createPublicPages({
    store: interrupted.reads,
    clock,
    log: { error: (_: object, message: string) => void logged.push(message) } as never,
  });
  organization = await opened.store.organizations.create(
    { name: "A", plan: "enterprise", subscription: "active" },
    clock.now(),
  );
  const page = { slug: SLUG, title: "Shop", visibility: "public" } as const;
  pageId = (await opened.store.pages.create(organization.id, page, clock.now())).id;
});

afterEach(() => opened[Symbol.asyncDispose]());

const update = (title: string) => opened.store.pages.update(organization.id, pageId, { title }, clock.now());

async function monitors(count: number): Promise<string[]> {
  const owner = { organizationId: organization.id, plan: organization.plan };
  const monitor = { name: "m", type: "TCP", config: { host: "a", port: 1, interval: 60 } } as const;
  const ids: string[] = [];
  while (ids.length < count)
    ids.push(
      (await opened.store.monitors.create(owner, { ...monitor, alertChannelIds: [] }, clock.now())).id,
    );
  return ids;
}

const showMonitors = (ids: string[]) => {
  const components = ids.map((monitorId) => ({ monitorId }));
  return opened.store.pages.update(organization.id, pageId, { components }, clock.now());
};

describe("while nothing changes", () => {
  test("behavior 15.33: many readers get the identical page, which causes two queries a second", async () => {
    const [first, ...others] = await Promise.all(Array.from({ length: 100 }, () => pages.find(SLUG)));
    expect(first).toMatchObject({ slug: SLUG, title: "Shop" });
    expect(others.every((other) => other === first)).toBe(true);
    expect(interrupted.takeCalls()).toMatchObject({ findMarkers: 1, readFacts: 1 });
    await clock.advance(499);
    expect(await pages.find(SLUG)).toBe(first ?? null);
    expect(interrupted.takeCalls()).toMatchObject({ findMarkers: 0, readFacts: 0 });
    await clock.advance(1);
    await Promise.all(
      Array.from({ length: 100 }, async () => expect(await pages.find(SLUG)).toBe(first ?? null)),
    );
    expect(interrupted.takeCalls()).toMatchObject({ findMarkers: 1, readFacts: 0 });
  });

  test("behavior 15.29: it is read again after a minute, and stays the identical page if it is equal", async () => {
    const first = await pages.find(SLUG);
    await clock.advance(59_999);
    await pages.find(SLUG);
    expect(interrupted.takeCalls()).toMatchObject({ readFacts: 1 });
    await clock.advance(60_001);
    expect(await pages.find(SLUG)).toBe(first ?? null);
    expect(interrupted.takeCalls()).toMatchObject({ readFacts: 1 });
  });

  test("behavior 15.29: it is read again if the clock was set back", async () => {
    await pages.find(SLUG);
    clock.setBack(HOUR);
    await clock.advance(500);
    await pages.find(SLUG);
    expect(interrupted.takeCalls()).toMatchObject({ readFacts: 2 });
  });

  test("behavior 15.33: without readers, nothing is read", async () => {
    await pages.find(SLUG);
    interrupted.takeCalls();
    await clock.advance(HOUR);
    expect(interrupted.takeCalls()).toEqual({ findMarkers: 0, readFacts: 0, listSettledCounts: 0 });
  });
});

describe("a change", () => {
  test("behavior 15.29: is shown half a second after its commit", async () => {
    const first = await pages.find(SLUG);
    await update("New");
    await clock.advance(500);
    const changed = await pages.find(SLUG);
    expect(changed).toMatchObject({ title: "New" });
    expect(changed).not.toBe(first);
  });

  test("behavior 15.32: of the visibility ends the page, and begins it again", async () => {
    await pages.find(SLUG);
    const show = (visibility: "public" | "off") =>
      opened.store.pages.update(organization.id, pageId, { visibility }, clock.now());
    await show("off");
    await clock.advance(500);
    expect(await pages.find(SLUG)).toBeNull();
    await show("public");
    await clock.advance(500);
    expect(await pages.find(SLUG)).toMatchObject({ slug: SLUG });
  });

  test("behavior 15.33: is shown while others write, or cannot write", async () => {
    await pages.find(SLUG);
    await update("New");
    const end = await opened.db.breakWrites(opened.db.engine === "sqlite" ? "locked" : "read-only");
    await clock.advance(500);
    expect(await pages.find(SLUG)).toMatchObject({ title: "New" });
    await end();
  });
});

describe("the days before yesterday", () => {
  const settled = async () => {
    await clock.advance(500);
    await pages.find(SLUG);
    return interrupted.takeCalls().listSettledCounts;
  };

  test("behavior 15.33: are read in slices, for new components alone, and again after an hour or a day", async () => {
    const ids = await monitors(12);
    await showMonitors(ids.slice(0, 11));
    expect(await settled()).toBe(2);
    await showMonitors(ids);
    expect(await settled()).toBe(1);
    await update("New");
    expect(await settled()).toBe(0);
    await clock.advance(HOUR);
    expect(await settled()).toBe(2);
    expect((await pages.find(SLUG))?.components.map(({ days }) => days.length)).toEqual(Array(12).fill(90));
  });
});

describe("if the database is away", () => {
  test("behavior 15.34: readers get the last known page, and the next one when it is back", async () => {
    const first = await pages.find(SLUG);
    await update("New");
    interrupted.failWith(AWAY);
    await clock.advance(500);
    expect(await pages.find(SLUG)).toBe(first ?? null);
    await clock.advance(HOUR);
    expect(await pages.find(SLUG)).toBe(first ?? null);
    expect(logged).toEqual(["public pages can't be read: the last known ones are shown"]);
    interrupted.failWith(undefined);
    await clock.advance(200);
    expect(await pages.find(SLUG)).toMatchObject({ title: "New" });
  });

  test("behavior 15.34: it is not asked by each of many readers", async () => {
    await pages.find(SLUG);
    interrupted.failWith(AWAY);
    await clock.advance(500);
    interrupted.takeCalls();
    for (let reader = 0; reader < 50; reader++) await pages.find(SLUG);
    expect(interrupted.takeCalls().findMarkers).toBe(1);
  });

  test("behavior 15.34: a page that was never read, or did not exist, is not known", async () => {
    expect(await pages.find("missing")).toBeNull();
    interrupted.failWith(new Error("not a fault of the storage"));
    await clock.advance(500);
    await expect(pages.find(SLUG)).rejects.toThrow(StorageFault);
    await expect(pages.find("missing")).rejects.toThrow(StorageFault);
  });
});

describe("if the database does not answer", () => {
  test("behavior 15.34: readers wait a second, then get the last known page without waiting", async () => {
    const first = await pages.find(SLUG);
    await update("New");
    const goOn = interrupted.hold();
    await clock.advance(500);
    const waiting = pages.find(SLUG);
    await clock.advance(999);
    expect(Bun.peek.status(waiting)).toBe("pending");
    await clock.advance(1);
    expect(await waiting).toBe(first ?? null);
    // The clock is not advanced, so this one does not wait.
    expect(await pages.find(SLUG)).toBe(first ?? null);
    goOn();
    const changed = await clock.until(async () => {
      const page = await pages.find(SLUG);
      return page !== first && page;
    });
    expect(changed).toMatchObject({ title: "New" });
  });

  test("behavior 15.34: the first readers of a page wait 5 seconds, then get an error without waiting", async () => {
    const goOn = interrupted.hold();
    const waiting = pages.find(SLUG);
    waiting.catch(() => {});
    await clock.advance(4999);
    expect(Bun.peek.status(waiting)).toBe("pending");
    await clock.advance(1);
    await expect(waiting).rejects.toThrow("the database did not answer within 5000 ms");
    await expect(pages.find(SLUG)).rejects.toThrow(StorageFault);
    goOn();
    expect(await clock.until(() => pages.find(SLUG).catch(() => false as const))).toMatchObject({
      slug: SLUG,
    });
  });
});

describe("a page that does not exist", () => {
  test("behavior 15.35: causes at most two queries a second", async () => {
    for (let reader = 0; reader < 10; reader++) expect(await pages.find("missing")).toBeNull();
    expect(interrupted.takeCalls()).toMatchObject({ findMarkers: 1, readFacts: 0 });
    await opened.store.pages.create(
      organization.id,
      { slug: "missing", title: "Found", visibility: "public" },
      clock.now(),
    );
    await clock.advance(500);
    expect(await pages.find("missing")).toMatchObject({ title: "Found" });
  });

  test("behavior 15.35: shares one query with others", async () => {
    const slugs = Array.from({ length: 300 }, (_, index) => `missing-${index}`);
    const found = await Promise.all(slugs.map((slug) => pages.find(slug)));
    expect(found.every((page) => page === null)).toBe(true);
    expect(interrupted.takeCalls().findMarkers).toBeLessThanOrEqual(3);
  });

  test.each(["", "Shop", "shop/", "../shop", "a".repeat(64), "sh\0op", "__proto__"])(
    "behavior 15.35: causes no query if its slug is not valid: %p",
    async (slug) => {
      expect(await pages.find(slug)).toBeNull();
      expect(interrupted.takeCalls().findMarkers).toBe(0);
    },
  );
});
