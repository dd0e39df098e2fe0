import { expect, setDefaultTimeout, test } from "bun:test";
import type { Locator } from "playwright-core";
import { isAccessible } from "../support/browser/accessibility.ts";
import { becomes } from "../support/browser/becomes.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { eventually } from "../support/eventually.ts";
import { longTest } from "../support/long.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());

const stored = async (id: string) => (await served.api.get(`/api/v1/monitors/${id}`)).status;

test("behavior 16.390, 16.391: a deletion is undone, or sent when the page is left", async () => {
  const { id } = await served.monitor("SCHEDULED", {}, { name: "kept" });
  await served.monitor("SCHEDULED", {}, { name: "other" });
  await using reader = await served.opened(`/monitors/${id}`);
  const { page } = reader;
  const toast = page.getByRole("region", { name: "Last change" });
  const remove = async () => {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await toast.getByRole("status").getByText("The monitor “kept” will be deleted.").waitFor();
    await becomes(() => page.getByRole("link", { name: "kept" }).count(), 0);
  };
  await remove();
  expect(await stored(id)).toBe(200);
  await isAccessible(page);
  await page.keyboard.press("Control+z");
  await toast.getByText("Undone.").waitFor();
  await page.getByRole("link", { name: "kept" }).click();
  expect(await stored(id)).toBe(200);
  await remove();
  await page.goto("about:blank");
  await eventually(async () => (await stored(id)) === 404);
});

test("behavior 16.391: what is deleted in a list is hidden, and comes back by Undo or with the reason of a failure", async () => {
  const { api } = served;
  const made = async (path: string, body: object) => (await api.post(`/api/v1/${path}`, body)).body.data.id;
  const exists = async (path: string) => (await api.get(`/api/v1/${path}`)).status === 200;
  const config = { url: "http://127.0.0.1:1/" };
  const channel = await made("alerts", { name: "night watch", type: "WEBHOOK", config });
  const window = { startsAt: "2998-01-01T00:00:00.000Z", endsAt: "2999-01-01T00:00:00.000Z" };
  const maintenance = await made("maintenances", { title: "upgrade", selector: { all: true }, ...window });
  const shown = await made("pages", { slug: "undo-late", title: "shop" });
  const updates = [
    { status: "investigating", body: "We look." },
    { status: "identified", body: "We know." },
  ];
  const incident = await made(`pages/${shown}/incidents`, { title: "slow", impact: "minor", updates });
  await using reader = await served.opened("/channels");
  const { page } = reader;
  const toast = page.getByRole("region", { name: "Last change" });
  const incidents = `/pages/${shown}/incidents`;
  const remove = async (path: string, button: string) => {
    await page.goto(path);
    await page.getByRole("button", { name: button, exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await toast.getByText("will be deleted.").waitFor();
  };
  for (const [view, button, name, resource] of [
    [`/channels/${channel}`, "Delete", "night watch", `alerts/${channel}`],
    ["/maintenances", "Delete upgrade", "upgrade", `maintenances/${maintenance}`],
    ["/pages", "Delete shop", "shop", `pages/${shown}`],
    [`${incidents}/${incident}`, "Delete", "slow", `pages/${shown}/incidents/${incident}`],
    [
      `${incidents}/${incident}`,
      "Delete the update: Identified",
      "We know.",
      `pages/${shown}/incidents/${incident}`,
    ],
  ] as const) {
    const item = page.getByRole("listitem").filter({ hasText: name });
    await remove(view, button);
    await becomes(() => item.count(), 0);
    expect(await exists(resource)).toBe(true);
    await toast.getByRole("button", { name: "Undo" }).click();
    await item.first().waitFor();
  }
  expect((await api.get(`/api/v1/pages/${shown}/incidents/${incident}`)).body.data.updates).toHaveLength(2);

  // The failure of an earlier deletion leaves the offer to undo a later one.
  await remove("/maintenances", "Delete upgrade");
  await api.delete(`/api/v1/maintenances/${maintenance}`);
  await page.getByRole("link", { name: "Pages", exact: true }).click();
  await page.getByRole("button", { name: "Delete shop" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await toast.getByText("The maintenance “upgrade” could not be deleted: Not found").waitFor();
  await toast.getByText("The page “shop” will be deleted.").waitFor();
  await isAccessible(page);
  await toast.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("link", { name: "shop", exact: true }).waitFor();

  // Signing out sends it before the session ends.
  await remove("/pages", "Delete shop");
  await page.getByRole("button", { name: "Sign out" }).first().click();
  await page.getByLabel("API key").waitFor();
  expect(await exists(`pages/${shown}`)).toBe(false);
  await reader.leave(/status of 40[14]/);
});

longTest("behavior 16.390: what many monitors had is given back, and a pause", async () => {
  const monitors = [
    await served.monitor("TCP", { host: "127.0.0.1", port: 1, interval: 3600 }, { name: "slow" }),
    await served.monitor("TCP", { host: "127.0.0.1", port: 1, interval: 7200 }, { name: "slower" }),
  ];
  await using reader = await served.opened("/?search=slow");
  const { page } = reader;
  const toast = page.getByRole("region", { name: "Last change" });
  const bar = page.getByRole("region", { name: "Selected monitors" });
  await page.getByRole("button", { name: "Select", exact: true }).click();
  await bar.getByRole("button", { name: "Select all 2" }).click();
  await bar.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Pause", exact: true }).click();
  await toast.getByText("2 monitors changed.").waitFor();
  await toast.getByRole("button", { name: "Undo" }).click();
  await toast.getByText("Undone.").waitFor();
  for (const { id } of monitors)
    expect((await served.api.get(`/api/v1/monitors/${id}`)).body.data.enabled).toBe(true);

  await page.goto(`${served.api.url}/monitors/${monitors[0]?.id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Pause" }).click();
  await toast.getByText("Checks have stopped.").waitFor();
  await toast.getByRole("button", { name: "Undo" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Check now" }).waitFor();
});

longTest(
  "behavior 16.391: a deletion is sent after ten seconds, but not while the reader holds the offer",
  async () => {
    const { id } = await served.monitor("SCHEDULED", {}, { name: "late" });
    await using reader = await served.opened(`/monitors/${id}`);
    const { page } = reader;
    await page.clock.install();
    const toast = page.getByRole("region", { name: "Last change" });
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await toast.getByRole("button", { name: "Undo" }).focus();
    await page.clock.runFor(60_000);
    expect(await stored(id)).toBe(200);
    await page.getByRole("link", { name: "Overview" }).first().focus();
    await page.clock.runFor(10_000);
    await eventually(async () => (await stored(id)) === 404);
  },
);

longTest("behavior 16.392: monitors that a change takes out of the list are no longer selected", async () => {
  await served.monitor("SCHEDULED", {}, { name: "tagged", tags: ["old"] });
  await using reader = await served.opened("/?tag=old");
  const { page } = reader;
  const bar = page.getByRole("region", { name: "Selected monitors" });
  await page.getByRole("button", { name: "Select", exact: true }).click();
  await page.getByRole("checkbox", { name: "Select tagged" }).check();
  await bar.getByRole("button", { name: "Tags" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "Remove" }).check();
  await dialog.getByLabel("Tags", { exact: true }).fill("old");
  await dialog.getByRole("button", { name: "Change", exact: true }).click();
  await bar.getByText("0 monitors selected").waitFor();
});

test("behavior 16.393: on a phone, the menu, the bar of selected monitors, the buttons of a form and the offer to undo do not cover each other", async () => {
  const owner = await ServedPage.start();
  for (const name of ["one", "two"])
    await owner.monitor("SCHEDULED", {}, { name, tags: [name], alertChannelIds: [] });
  const config = { url: "http://127.0.0.1:1/" };
  await owner.api.post("/api/v1/alerts", { name: "night watch", type: "WEBHOOK", config });
  await using reader = await owner.opened("/", { viewport: { width: 390, height: 844 } });
  const { page } = reader;
  const menu = page.getByRole("navigation", { name: "Main" });
  const toast = page.getByRole("region", { name: "Last change" });
  const bar = page.getByRole("region", { name: "Selected monitors" });
  /** Their lines may overlap. @param parts from the lowest one */
  const areApart = async (...parts: Locator[]) => {
    let top = 844;
    for (const part of parts) {
      const box = await part.boundingBox();
      if (!box) throw new Error(`${part} is not shown`);
      expect(box.y + box.height).toBeLessThanOrEqual(top + 1);
      top = box.y;
    }
  };
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByRole("button", { name: "Select", exact: true }).click();
  await bar.getByRole("button", { name: "Select all 2" }).click();
  await bar.getByRole("button", { name: "Tags" }).click();
  await page.getByRole("dialog").getByLabel("Tags", { exact: true }).fill("both");
  await page.getByRole("dialog").getByRole("button", { name: "Change", exact: true }).click();
  await toast.getByText("2 monitors changed.").waitFor();
  await areApart(menu, bar, toast);

  await page.goto("/channels/choose");
  await page.getByRole("checkbox", { name: /^two.*of 1$/ }).uncheck();
  await page.getByRole("button", { name: "Notify these channels" }).click();
  await toast.getByText("1 monitor changed.").waitFor();
  await areApart(menu, page.locator(".form-side > .actions"), toast);
});
