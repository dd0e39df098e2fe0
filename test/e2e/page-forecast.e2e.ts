import { expect, setDefaultTimeout, test } from "bun:test";
import { isAccessibleInBothSchemes } from "../support/browser/accessibility.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { smallTargets } from "../support/browser/targets.ts";
import { joinedPerson } from "../support/people/person.ts";
import { createChannel } from "../support/requests/monitors.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

// A server of its own: where people have passwords, the sign-in of other files would ask for one.
const served = await untilEndOfFile(ServedPage.start(["--log-level", "info"]));
const { api } = served;
const OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

const ana = await joinedPerson(api, { email: "ana@example.com", role: "viewer" });
const layers = [{ personIds: [ana.id], every: "week", startsAt: "2026-03-02T08:00:00.000Z" }];
const schedule = (await api.post("/api/v1/schedules", { name: "Operations", layers })).body.data;
const named = (name: string, values: object = {}) => createChannel(api, { name, ...values });

test("behavior 23.46: the page of a monitor says who is notified if it fails now, in 15 minutes, later and never", async () => {
  const [team, lead, boss, old] = [
    await named("Team"),
    await named("Lead"),
    await named("Boss"),
    await named("Old", { enabled: false }),
  ];
  await api.patch(`/api/v1/people/${ana.id}`, { alertChannelIds: [(await named("Phone of Ana")).id] });
  const alertBindings = [
    { alertChannelId: team.id },
    { alertChannelId: lead.id, after: 600 },
    { alertChannelId: boss.id, after: 3600 },
    { alertChannelId: old.id },
    { scheduleId: schedule.id, after: 300 },
  ];
  const monitor = await served.monitor("SCHEDULED", { interval: 3600 }, { alertBindings });
  await using reader = await served.opened(`/monitors/${monitor.id}`, {
    viewport: { width: 390, height: 800 },
  });
  const { page } = reader;
  const card = page.getByRole("region", { name: "Who is notified if it fails now" });
  const part = (name: string) =>
    card.locator("dl > div").filter({ has: page.locator("dt", { hasText: name }) });
  await part("Now").getByText("Team").waitFor();
  expect(await part("Now").getByRole("listitem").count()).toBe(1);
  const soon = (await part("Within 15 minutes").getByRole("listitem").allTextContents()).join("\n");
  expect(soon).toMatch(/^Operations: Ana \(Phone of Ana\) at .*\nLead at /);
  expect(await part("Later").textContent()).toMatch(/Boss at /);
  expect(await part("Not").textContent()).toContain("Old – disabled");
  await isAccessibleInBothSchemes(page);
  expect(await page.evaluate<number>(OVERFLOW)).toBe(0);
  expect(await smallTargets(page)).toEqual([]);
});

test("behavior 23.47: a monitor whose schedules reach nobody says so, and so does the overview", async () => {
  await api.patch(`/api/v1/people/${ana.id}`, { alertChannelIds: [] });
  const alertBindings = [{ scheduleId: schedule.id }];
  const monitor = await served.monitor("SCHEDULED", { interval: 3600 }, { alertBindings });
  await using reader = await served.opened(`/monitors/${monitor.id}`, {
    viewport: { width: 390, height: 800 },
  });
  const { page } = reader;
  await page.getByText("Its schedules reach nobody, and no default channel is enabled.").waitFor();
  await isAccessibleInBothSchemes(page);
  await page.goto("/");
  await page.getByRole("button", { name: "Filter" }).click();
  const link = page.getByRole("link", { name: "Operations reaches nobody on call" });
  await link.waitFor();
  await isAccessibleInBothSchemes(page);
  expect(await page.evaluate<number>(OVERFLOW)).toBe(0);
  expect(await smallTargets(page)).toEqual([]);
  await link.click();
  await page.getByText("Ana has no channel that is enabled.").waitFor();
});

test("behavior 16.267: a monitor that notifies a schedule is not one that notifies nobody", async () => {
  await served.monitor("SCHEDULED", { interval: 3600 }, { alertBindings: [{ scheduleId: schedule.id }] });
  await served.monitor("SCHEDULED", { interval: 3600 }, { name: "a silent monitor" });
  await using reader = await served.opened("/channels/choose");
  const silent = reader.page.getByRole("group", { name: "Monitors that notify nobody" });
  await silent.getByText("a silent monitor").waitFor();
  expect(await silent.getByText("a SCHEDULED monitor").count()).toBe(0);
});
