import { expect, setDefaultTimeout, test } from "bun:test";
import { isAccessible } from "../support/browser/accessibility.ts";
import { becomes } from "../support/browser/becomes.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { longTest } from "../support/long.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());

test("a long list shows the monitors with problems first, then all of them, in the same order", async () => {
  const { api } = served;
  for (let at = 1; at <= 30; at++) {
    const values = { name: `job ${at}`, type: "SCHEDULED", config: { period: 60 } };
    const { id } = (await api.post("/api/v1/monitors", values)).body.data;
    await api.get(`/api/v1/monitors/${id}/checkin?status=${at === 20 ? "fail" : "ok"}`);
  }
  await using reader = await served.signedIn();
  const { page } = reader;
  const rows = page.getByRole("list", { name: "Monitors" }).getByRole("listitem");
  const names = () => rows.getByRole("link").allTextContents();

  /** The requests since the page was opened. */
  let requests: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) requests = [];
    else requests.push(request.url().replace(/.*\/overview/, ""));
  });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Also that for the statuses alone, which a change of the new monitors causes.
  const isWhole = ({ pathname, searchParams }: URL) =>
    pathname === "/api/v1/overview" && !searchParams.has("first");
  await page.route(isWhole, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto("/");
  await becomes(() => rows.count(), 12);
  const first = await names();
  expect(first.slice(0, 3)).toEqual(["job 20", "job 1", "job 2"]);
  await page.getByRole("button", { name: "29 Healthy" }).waitFor();
  release();
  await rows.nth(29).waitFor();
  await becomes(async () => (await names()).slice(0, 12), first);
  // A change of the new monitors can cause more requests later.
  const ranges = requests.filter((path) => path.startsWith("?"));
  expect(ranges.slice(0, 2)).toEqual(["?range=90d&first=12", "?range=90d"]);
  await page.getByRole("searchbox").fill("job 29");
  await page.getByText("1 monitor shown").waitFor({ state: "attached" });
  await page.waitForURL(({ searchParams }) => searchParams.get("search") === "job 29");

  await page.reload();
  await becomes(names, ["job 29"]);
  expect(requests).toContain("?range=90d&upTo=1000");
});

test("behavior 16.367, 16.368: a phone shows first what is broken, since when and who knows, and a tap anywhere in a row opens it", async () => {
  const { api } = served;
  const tags = Array.from({ length: 12 }, (_, at) => `team:${at}`);
  const { id } = await served.monitor("SCHEDULED", {}, { name: "payment", tags });
  for (const job of [id, (await served.monitor("SCHEDULED", {}, { name: "ledger" })).id])
    await api.get(`/api/v1/monitors/${job}/checkin?status=fail`);
  const [outage] = (await api.get(`/api/v1/outages?monitorId=${id}`)).body.data;
  await api.post(`/api/v1/outages/${outage.id}/acknowledge`, { note: "disk full" });
  await using reader = await served.opened("/", { viewport: { width: 390, height: 844 } });
  const { page } = reader;
  const headline = page.getByRole("heading", { level: 1 });
  await becomes(async () => (await headline.textContent())?.endsWith("are down · 1 acknowledged"), true);
  const rows = page.getByRole("list", { name: "Monitors" }).getByRole("listitem");
  const first = await rows.first().boundingBox();
  expect(first?.y).toBeLessThan(220);
  const row = rows.filter({ hasText: "payment" });
  await row.getByText(/^Acknowledged by .+: disk full$/).waitFor();
  await isAccessible(page);

  const filter = page.getByRole("button", { name: "Filter" });
  const search = page.getByRole("searchbox");
  expect(await search.isVisible()).toBe(false);
  await filter.click();
  await search.fill("pay");
  await page.getByRole("button", { name: "team:3" }).click();
  await becomes(() => filter.getAttribute("data-active"), "2");
  const low = "[...document.querySelectorAll('main button, main input, main select, main .segments span')]";
  const isLow =
    ".filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44 && one.type !== 'radio')";
  expect(await page.evaluate(`${low}${isLow}.map((one) => one.outerHTML)`)).toEqual([]);
  await page.getByRole("button", { name: "Show 1 monitor" }).click();
  await becomes(() => search.isVisible(), false);
  const { width = 0, height = 0 } = (await row.boundingBox()) ?? {};
  await row.click({ position: { x: width - 20, y: height / 2 } });
  await page.getByRole("heading", { name: "payment", level: 1 }).waitFor();
  for (const one of [id, (await api.get("/api/v1/overview?first=1&search=ledger")).body.data.monitors[0].id])
    await api.delete(`/api/v1/monitors/${one}`);
});

longTest(
  "Back restores the scroll position, and a link leads to the top of a view, without a search",
  async () => {
    await using reader = await served.opened("/");
    const { page } = reader;
    const scrolled = () => page.evaluate<number>("scrollY");
    const search = page.getByRole("searchbox");
    await page.getByRole("list", { name: "Monitors" }).getByRole("listitem").nth(29).waitFor();
    await page.getByRole("link", { name: "job 15", exact: true }).hover();
    const before = await scrolled();
    expect(before).toBeGreaterThan(0);
    await page.getByRole("link", { name: "job 15", exact: true }).click();
    await page.getByRole("heading", { name: "job 15" }).waitFor();
    await becomes(scrolled, 0);
    await page.goBack();
    await page.getByRole("list", { name: "Monitors" }).getByRole("listitem").nth(29).waitFor();
    await becomes(scrolled, before);

    await search.fill("job 29");
    await page.getByText("1 monitor shown").waitFor({ state: "attached" });
    await page.getByRole("link", { name: "Overview" }).click();
    await page.getByText("30 monitors shown").waitFor({ state: "attached" });
    await becomes(() => search.inputValue(), "");
  },
);
