import { expect, setDefaultTimeout, test } from "bun:test";
import { isAccessibleInBothSchemes } from "../support/browser/accessibility.ts";
import { becomes } from "../support/browser/becomes.ts";
import type { Reader } from "../support/browser/browser.ts";
import { MAX_SHIFT, observeShifts, shiftOf } from "../support/browser/layout-shift.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { smallTargets } from "../support/browser/targets.ts";
import { eventually } from "../support/eventually.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** A secret that the server repeats. */
const CANARY = "canary-3e9a04c7d1";

/** An HTTP monitor of a server that can answer 503, with the first outage of that. */
async function failing(name: string) {
  let isGood = true;
  const body = `<b id="injected">The database does not answer</b> ${CANARY} ${btoa(CANARY)}`;
  const headers = { Via: CANARY, Location: `/next?token=${CANARY}`, [`X-${CANARY}`]: CANARY };
  const target = new HttpTarget(() => new Response(body, { status: isGood ? 200 : 503, headers }));
  const config = { url: target.url, interval: 1, headers: { "X-Key": CANARY }, expect: { status: ["2xx"] } };
  const { id } = await served.monitor("HTTP", config, { name });
  const ofMonitor = async () => (await served.api.get(`/api/v1/monitors/${id}`)).body.data;
  await eventually(async () => (await ofMonitor()).status === "up");
  isGood = false;
  const outages = async () => (await served.api.get(`/api/v1/outages?monitorId=${id}`)).body.data;
  const outage = await eventually(async () => (await outages())[0]);
  return { target, id, outage: outage.id as string };
}

/** Neither the page nor the text that it copies has the secret. @returns the text */
async function copiedText({ page, context }: Reader): Promise<string> {
  const evidence = page.getByRole("region", { name: "Why it failed" });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await evidence.getByRole("button", { name: "Copy as text" }).click();
  await evidence.getByText("Copied").waitFor();
  const copied = await page.evaluate<string>("navigator.clipboard.readText()");
  for (const text of [copied, await page.content()])
    for (const form of [CANARY, btoa(CANARY)]) expect(text.toLowerCase()).not.toContain(form.toLowerCase());
  return copied;
}

test("behavior 22.14, 22.30, 22.31, 22.32: an outage says why on its first screen, marks what differs, and is copied as text", async () => {
  const { target, id, outage } = await failing("shop");
  await using _ = target;
  await using reader = await served.signedIn(PHONE);
  const { page } = reader;
  await page.goto(`${served.server.url}/outages/${outage}`);
  const why = page.locator(".why");
  await why.getByText("503 instead of 200").waitFor();
  await why.getByText("Content").waitFor();
  const { y = 0, height = 0 } = (await why.boundingBox()) ?? {};
  expect(y + height).toBeLessThan(844);
  const evidence = page.getByRole("region", { name: "Why it failed" });
  const status = evidence.getByRole("row", { name: /^Status code/ });
  await becomes(() => status.getByRole("cell").allTextContents(), ["200", "503 ≠ changed"]);
  await evidence.getByText('<b id="injected">The database does not answer</b> ••• •••').waitFor();
  expect(await page.locator("#injected").count()).toBe(0);
  expect(await smallTargets(page)).toEqual([]);
  await isAccessibleInBothSchemes(page);
  const copied = await copiedText(reader);
  expect(copied).toContain("•••");
  expect(copied).toStartWith("shop: 503 instead of 200\nLayer: Content\n");
  expect(copied).toContain(`\n${served.server.url}/outages/${outage}\n`);
  expect(copied).toContain("\n  Status code: 200 | 503 (changed)\n");

  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
  await isAccessibleInBothSchemes(page);
  await page.goto(`${served.server.url}/outages`);
  await page.getByRole("listitem").filter({ hasText: "503 instead of 200" }).waitFor();
  await isAccessibleInBothSchemes(page);

  await page.goto(`${served.server.url}/monitors/${id}`);
  const latest = page.getByRole("region", { name: "Latest failures" });
  await latest.getByText("503 instead of 200").click();
  await latest.getByRole("link", { name: "Outage" }).click();
  await becomes(() => new URL(page.url()).pathname, `/outages/${outage}`);
});

test("behavior 22.14, 22.31, 22.32: a viewer sees that the body is for admins, and evidence of a refused connection has no answer", async () => {
  const { target, outage } = await failing("books");
  await using _ = target;
  const { key } = (await served.api.post("/api/v1/api-keys", { name: "v", role: "viewer" })).body.data;
  await using reader = await served.opened(`/outages/${outage}`, {}, key);
  const { page } = reader;
  await page.getByText("The body of the answer is shown to admins only.").waitFor();
  expect(await page.content()).not.toContain("The database does not answer");
  expect(await copiedText(reader)).not.toContain("The database does not answer");

  await target.break();
  const { id } = await served.monitor("HTTP", { url: target.url, interval: 1 }, { name: "refused books" });
  const outages = async () => (await served.api.get(`/api/v1/outages?monitorId=${id}`)).body.data;
  await eventually(async () => (await outages()).length > 0);
  const [refused] = await outages();
  await page.goto(`${served.server.url}/outages/${refused.id}`);
  await page.locator(".why").getByText("refuses connections").waitFor();
  const evidence = page.getByRole("region", { name: "Why it failed" });
  await evidence.getByText("Connections after the check").waitFor();
  await evidence.getByText(/refused after/).waitFor();
  expect(await evidence.getByRole("heading", { name: "HTTP" }).count()).toBe(0);
});

test("behavior 22.31: nothing on the screen moves by evidence that arrives late", async () => {
  const { target, outage } = await failing("slow books");
  await using _ = target;
  await using reader = await served.signedIn();
  const { page } = reader;
  await observeShifts(page);
  let isComplete = false;
  await page.route(/\/outages\/\w+\/evidence/, async (route) => {
    const answer = await route.fetch();
    const { data } = await answer.json();
    const late = isComplete
      ? {}
      : { connections: null, path: null, self: null, at: new Date().toISOString() };
    await route.fulfill({
      response: answer,
      json: { data: data.map((one: object) => ({ ...one, ...late })) },
    });
  });
  await page.goto(`${served.server.url}/outages/${outage}`);
  const evidence = page.getByRole("region", { name: "Why it failed" });
  await evidence.getByText("503 instead of 200").waitFor();
  expect(await evidence.getByText("Connections after the check").count()).toBe(0);
  isComplete = true;
  await evidence.getByText("Connections after the check").waitFor();
  expect(await shiftOf(page)).toBeLessThanOrEqual(MAX_SHIFT);
});
