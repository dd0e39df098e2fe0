import { expect, setDefaultTimeout, test } from "bun:test";
import { isAccessibleInBothSchemes } from "../support/browser/accessibility.ts";
import { becomes } from "../support/browser/becomes.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { smallTargets } from "../support/browser/targets.ts";
import { joinedPerson, PASSWORD } from "../support/people/person.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

// A server of its own: where people have passwords, the sign-in of other files would ask for one.
const served = await untilEndOfFile(ServedPage.start(["--log-level", "info"]));
const { api } = served;
const OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

test("behavior 23.41 to 23.43: a schedule is created, and taken over in three taps, by keyboard alone", async () => {
  const ana = await joinedPerson(api, { email: `${crypto.randomUUID()}@example.com`, role: "viewer" });
  await using reader = await served.opened("/on-call/new", { viewport: { width: 320, height: 700 } });
  const { page } = reader;
  await page.getByRole("button", { name: "Create schedule" }).click();
  await page.getByText("Enter a name of 1 to 200 characters.").waitFor();
  await page.getByText("Each layer needs a person.").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Operations");
  await page.getByRole("button", { name: "Add the person to layer 1" }).click();
  // Its first turn is to come, so that nobody is on call before.
  await page.getByLabel(/^First turn begins/).fill("2099-01-05T09:00");
  await isAccessibleInBothSchemes(page);
  expect(await page.evaluate<number>(OVERFLOW)).toBe(0);
  expect(await smallTargets(page)).toEqual([]);
  await page.getByRole("button", { name: "Create schedule" }).click();
  await page.getByText("Nobody is on call.").waitFor();
  await isAccessibleInBothSchemes(page);
  expect(await page.evaluate<number>(OVERFLOW)).toBe(0);
  expect(await smallTargets(page)).toEqual([]);
  const [schedule] = (await api.get("/api/v1/schedules")).body.data;
  expect(schedule.layers).toMatchObject([{ personIds: [ana.id], every: "week" }]);

  // One tap opens the form, one saves: the times are those that most readers want.
  await page.getByRole("button", { name: "Take over Operations" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByLabel("Who").waitFor();
  await isAccessibleInBothSchemes(page);
  await page.getByRole("button", { name: "Save" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText(/^Ana is on call until /).waitFor();
  await page.getByText("Ana has no channel that is enabled.").waitFor();

  const bound = { alertBindings: [{ scheduleId: schedule.id }] };
  const monitor = await served.monitor("TCP", { host: "127.0.0.1", port: 1, interval: 3600 }, bound);
  await page.goto(`/monitors/${monitor.id}`);
  await page.getByText(/^\s?now Ana until /).waitFor();
  await page.goto("/on-call");

  await page.getByRole("button", { name: /^Delete the override of Ana/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("Nobody is on call.").waitFor();
  await becomes(async () => (await api.get("/api/v1/schedules")).body.data[0].overrides, []);

  await page.getByRole("button", { name: "Calendar of Operations" }).click();
  await page.getByRole("button", { name: "Create a link" }).click();
  const link = (await page.getByText(/\.ics$/).textContent()) ?? "";
  expect((await fetch(new URL(new URL(link).pathname, served.server.url))).status).toBe(200);
});

test("behavior 23.41: turns of an hour are one line each, and on a phone beside each other", async () => {
  const people = [];
  for (const name of ["Eva", "Tom"]) {
    const email = `${crypto.randomUUID()}@example.com`;
    people.push(await joinedPerson(api, { name, email, role: "viewer" }));
  }
  const personIds = people.map(({ id }) => id);
  const layers = [{ personIds, every: 3600, startsAt: "2026-01-05T00:00:00Z" }];
  await api.post("/api/v1/schedules", { name: "Each hour", layers });
  await using reader = await served.opened("/on-call", { viewport: { width: 1440, height: 900 } });
  const { page } = reader;
  await page.getByRole("button", { name: "Next week" }).click();
  const turns = page.getByRole("table", { name: "Who is on call in Each hour" }).locator(".on-call-turn");
  await turns.nth(167).waitFor();
  const top = async (of: ReturnType<typeof turns.nth>) => (await of.boundingBox())?.y ?? 0;
  const [name, span] = [turns.nth(30).locator("bdi"), turns.nth(30).locator(".on-call-span")];
  expect(Math.abs((await top(name)) - (await top(span)))).toBeLessThan(6);
  await isAccessibleInBothSchemes(page);
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await top(turns.nth(30))).toBe(await top(turns.nth(31)));
  expect(await page.evaluate<number>(OVERFLOW)).toBe(0);
  expect(await smallTargets(page)).toEqual([]);
  await isAccessibleInBothSchemes(page);
});

test("behavior 23.40, 23.44: a person chooses their own channels, and an owner those of others", async () => {
  const { body } = await api.post("/api/v1/alerts", {
    ...{ name: "a phone", type: "WEBHOOK", config: { url: "http://127.0.0.1:1/" }, notifyOn: ["down"] },
  });
  const email = `${crypto.randomUUID()}@example.com`;
  const ben = await joinedPerson(api, { email, role: "viewer", name: "Ben" });
  const chosen = async () => (await api.get(`/api/v1/people`)).body.data.find(isBen).alertChannelIds;
  const isBen = ({ id }: { id: string }) => id === ben.id;
  await using owner = await served.opened("/settings/people");
  await owner.page.getByRole("button", { name: "Change Ben" }).click();
  const dialog = owner.page.getByRole("dialog");
  await dialog.getByLabel("a phone").check();
  await isAccessibleInBothSchemes(owner.page);
  await dialog.getByRole("button", { name: "Save" }).click();
  await becomes(chosen, [body.data.id]);

  await using reader = await served.browser.reader(served.server.url, {
    viewport: { width: 320, height: 700 },
  });
  await reader.page.goto("/profile");
  await reader.page.getByLabel("E-mail").fill(email);
  await reader.page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await reader.page.getByRole("button", { name: "Sign in", exact: true }).click();
  const card = reader.page.getByRole("region", { name: "While you are on call" });
  await card.getByLabel("a phone").uncheck();
  await card.getByRole("button", { name: "Save" }).click();
  await card.getByText("Saved.").waitFor();
  expect(await chosen()).toEqual([]);
  await isAccessibleInBothSchemes(reader.page);
  expect(await reader.page.evaluate<number>(OVERFLOW)).toBe(0);
  expect(await smallTargets(reader.page)).toEqual([]);
});
