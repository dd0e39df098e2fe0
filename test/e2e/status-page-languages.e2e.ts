import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { fill } from "../../src/domain/locale-formats.ts";
import { LANGUAGES, readerOf } from "../../src/domain/pages/reader-locale.ts";
import { localizationOf } from "../../src/status-page/localization.ts";
import { isAccessible } from "../support/browser/accessibility.ts";
import { accessibilityTree, namesOf } from "../support/browser/accessibility-tree.ts";
import { holds } from "../support/browser/becomes.ts";
import type { Reader } from "../support/browser/browser.ts";
import { PATIENCE, sharedBrowser } from "../support/browser/served-page.ts";
import { isLong } from "../support/long.ts";
import { Binary, type RunningServer } from "../support/product/binary.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { createIncident, createPage } from "../support/requests/pages.ts";
import { subscribe } from "../support/store/subscribers.ts";

const SMTP = ["--smtp-url", "smtp://127.0.0.1:1", "--smtp-from", "status@shop.example"];
const PHONE = { width: 320, height: 780 };
const MINUTE = 60_000;

/** The widths of the titles of a page and its events, in pixels. */
const TITLES =
  "[...document.querySelectorAll('header h1, .event-head > :first-child')].map((one) => one.offsetWidth)";
/** In pixels. A narrower one breaks words such as "Checkout" beside a long state. */
const MIN_TITLE = 128;

const SHOP = "Acme (EU)!";
const INNER = "Inner Acme (EU)!";
const DOWN = "Checkout";
/** Wider than a phone. */
const LONG = "https://shop.example/api/v2/orders/checkout?region=eu-central-1&tenant=acme";

const binary = new Binary();
let server: RunningServer;
/** The paths of the documents behind the links of e-mails. */
let links: { confirm: string; unsubscribe: string };

beforeAll(async () => {
  server = await binary.serve(SMTP);
  const client = await server.client();
  const up = { host: "127.0.0.1", port: Number(new URL(server.url).port), interval: 3600 };
  const healthy = await createMonitor(client, "TCP", { config: up });
  const down = await createMonitor(client, "TCP", { config: { ...up, port: 1 } });
  const { id } = await createPage(client, {
    ...{ slug: "shop", title: SHOP, visibility: "public", minOutage: 0, showLatency: true },
    components: [
      { monitorId: healthy.id, name: LONG },
      { monitorId: down.id, name: DOWN, group: "Shop & Co." },
    ],
  });
  const written = (status: string) => ({ status, body: "We **look** for it." });
  await createIncident(client, id, { title: `Slow: ${LONG}`, updates: [written("investigating")] });
  await createIncident(client, id, {
    title: "Over",
    updates: [written("investigating"), written("monitoring"), written("resolved")],
  });
  for (const from of [-1, 60]) {
    const at = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString();
    const window = { startsAt: at(from), endsAt: at(from + 60), selector: { monitorIds: [healthy.id] } };
    const { status } = await client.post("/api/v1/maintenances", { title: "New disks", ...window });
    expect(status).toBe(201);
  }
  await createPage(client, {
    ...{ slug: "inner", title: INNER, visibility: "password", password: "open sesame" },
  });
  await using beside = await binary.attach();
  const token = await subscribe(beside.store, "shop", "ada@example.com", Date.now());
  const path = (form: string) => `/status/shop/subscriptions/${form}?token=${token}`;
  links = { confirm: path("confirm"), unsubscribe: path("unsubscribe") };
  await holds(async () => {
    const text = await (await fetch(`${server.url}/status/shop`)).text();
    expect(text).toContain(`<bdi>${DOWN}</bdi> is down`);
    expect(text).toContain("Maintenance in progress");
  });
}, PATIENCE);

afterAll(() => binary[Symbol.asyncDispose]());

/** The documents with the names of their parts in a language, by role. */
function documentsIn(language: string): Record<string, Record<string, string[]>> {
  const local = localizationOf(readerOf("auto", language), "UTC");
  const { texts } = local;
  const region = [
    texts.currentIncidents,
    texts.maintenanceInProgress,
    texts.components,
    texts.scheduledMaintenance,
    texts.past,
    texts.subscribe.heading,
  ];
  const outage = fill(texts.outage.title.down, { name: DOWN });
  return {
    "/status/shop": {
      region,
      heading: [SHOP, texts.summary.critical, ...region, outage],
      group: [local.plural(texts.history, 90, { problems: texts.noDaysWithProblems })],
      list: [texts.colorsOfDays],
      link: [texts.subscribe.button, outage, texts.atomFeed],
      textbox: [texts.subscribe.address],
      button: [texts.subscribe.button],
      DisclosureTriangle: [local.plural(texts.earlierUpdates, 2)],
    },
    "/status/inner": {
      heading: [INNER],
      textbox: [texts.unlock.label],
      button: [texts.unlock.button],
    },
    [links.confirm]: { heading: [texts.confirm.heading], link: [SHOP], button: [texts.confirm.button] },
    [links.unsubscribe]: {
      heading: [texts.unsubscribe.heading],
      link: [SHOP],
      button: [texts.unsubscribe.button],
    },
    "/status/none": { heading: [texts.notFound.heading] },
  };
}

/** Roles of which a document has no other parts, such as parts in another language. */
const COMPLETE = ["region", "textbox", "button"];

describe("on a phone in dark", () => {
  const look = { colorScheme: "dark", viewport: PHONE } as const;

  describe("without a script", () => {
    let reader: Reader;
    beforeAll(async () => {
      reader = await (await sharedBrowser()).reader(server.url, { ...look, javaScriptEnabled: false });
    });
    afterAll(() => reader.leave());

    test.each(isLong ? [...LANGUAGES] : ["ar"])(
      "behavior 15.40, 15.44, 21.1, 21.7: in %s, the parts of each document have names in the language, nothing is wider than the window, and titles have room",
      async (language) => {
        const { page, context } = reader;
        await context.setExtraHTTPHeaders({ "accept-language": language });
        for (const [path, named] of Object.entries(documentsIn(language))) {
          await page.goto(path);
          const tree = await accessibilityTree(page);
          for (const [role, names] of Object.entries(named)) {
            const found = namesOf(tree, role);
            expect({ path, [role]: found }).toEqual({ path, [role]: expect.arrayContaining(names) });
            if (COMPLETE.includes(role)) expect(found).toHaveLength(names.length);
          }
          expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(PHONE.width);
          expect(Math.min(...(await page.evaluate<number[]>(TITLES)))).toBeGreaterThanOrEqual(MIN_TITLE);
        }
      },
      PATIENCE,
    );
  });

  // Axe-core takes a second for each document.
  test.each(isLong ? [...LANGUAGES] : ["ar"])(
    "behavior 15.44, 21.7: axe-core finds nothing in %s",
    async (locale) => {
      await using reader = await (await sharedBrowser()).reader(server.url, { ...look, locale });
      for (const path of Object.keys(documentsIn(locale))) {
        await reader.page.goto(path);
        await isAccessible(reader.page);
      }
    },
    PATIENCE,
  );
});
