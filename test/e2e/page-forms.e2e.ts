import { expect, setDefaultTimeout, test } from "bun:test";
import { becomes } from "../support/browser/becomes.ts";
import { enterInterval, openSection, toggleSection } from "../support/browser/monitor-form.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { longTest } from "../support/long.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());

longTest("a new key is copied without the clipboard API, as over plain HTTP", async () => {
  await using reader = await served.signedIn();
  const { page } = reader;
  await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await page.goto("/keys");
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name", { exact: true }).fill("copied");
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  const key = (await dialog.locator("code").textContent()) ?? "";
  await dialog.getByRole("button", { name: "Copy the key" }).click();
  await dialog.getByText("Copied", { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "New key" }).click();
  const field = page.getByLabel("Name", { exact: true });
  // The dialog moves the focus when it opens, and the browser reads the clipboard asynchronously.
  await becomes(async () => {
    await field.fill("");
    await page.keyboard.press("Control+V");
    return field.inputValue();
  }, key);
});

longTest("a click hits its target although the field before it shows an error", async () => {
  const { id } = (
    await served.api.post("/api/v1/alerts", {
      name: "on call",
      type: "WEBHOOK",
      config: { url: "https://example.com/" },
    })
  ).body.data;
  await using reader = await served.opened("/monitors/new?type=HTTP");
  const { page } = reader;
  await page.getByLabel("URL", { exact: true }).fill("http://");
  // Also waits until the list of channels does not move any more.
  await page.getByText("on call", { exact: true }).hover();
  await page.mouse.down();
  // As long as a person takes.
  await page.waitForTimeout(100);
  await page.mouse.up();
  await page.getByText("Must be a full URL").waitFor();
  await becomes(() => page.locator(`input[value="${id}"]`).isChecked(), true);
});

longTest("the expiry of a key is in the future, and complete or empty", async () => {
  await using reader = await served.opened("/keys");
  const { page } = reader;
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name", { exact: true }).fill("short-lived");
  const expires = page.getByLabel("Expires");
  await expires.fill("2020-01-01T00:00");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByText("Must be in the future.").waitFor();
  await expires.fill("12026-01-01T00:00");
  await page.getByText("Must have a year of four digits.").waitFor();
  await expires.fill("");
  await expires.click({ position: { x: 12, y: 12 } });
  await page.keyboard.type("1");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByText("Must be complete or empty.").waitFor();
  await expires.fill("9998-12-31T00:00");
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByText("Copy it now.").waitFor();
});

longTest("Back skips a form that was saved, and another type keeps the interval", async () => {
  await using reader = await served.opened("/channels");
  const { page } = reader;
  const path = () => new URL(page.url()).pathname;
  await page.getByRole("link", { name: "New channel" }).click();
  await page.getByRole("radio", { name: "Webhook" }).check({ force: true });
  await page.getByLabel("Name", { exact: true }).fill("a way back");
  await page.getByLabel("URL", { exact: true }).fill("https://example.com/");
  await page.getByRole("button", { name: "Create channel" }).click();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "a way back", exact: true }).waitFor();
  await page.goBack();
  await becomes(path, "/channels");

  await page.getByRole("link", { name: "Overview" }).click();
  await page
    .getByRole("link", { name: /^Port|New monitor/ })
    .first()
    .click();
  await enterInterval(page, "1", "h");
  await page.getByRole("radio", { name: /^Certificate/ }).check({ force: true });
  await page.getByLabel("Name", { exact: true }).fill("a way back too");
  await page.getByLabel("Host", { exact: true }).fill("127.0.0.1");
  await becomes(() => page.getByLabel("Time between two checks").inputValue(), "1");
  await page.getByRole("button", { name: "Create monitor" }).click();
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "a way back too", exact: true }).waitFor();
  await page.goBack();
  await becomes(path, "/");
});

test("behavior 16.264, 16.265: what is entered into a form outlives leaving it, a reload and the session, but no secret does", async () => {
  await using reader = await served.opened("/monitors/new");
  const { page, context } = reader;
  await page.getByRole("radio", { name: "Website" }).waitFor({ state: "attached" });
  await page.getByRole("radio", { name: "Port" }).check({ force: true });
  await page.getByLabel("Name", { exact: true }).fill("lost");
  await page.getByLabel("Host", { exact: true }).fill("db.example.com");
  await page.getByRole("radio", { name: "Website" }).check({ force: true });
  await page.getByLabel("URL", { exact: true }).fill("https://shop.example.com/");
  await toggleSection(page, "Request");
  await page.getByRole("button", { name: "Add a header" }).click();
  await page.getByLabel("Header 1").fill("X-Key");
  await page.getByLabel("Value 1").fill("hunter2");
  await toggleSection(page, "Tags and dependencies");
  await page.getByLabel("Tags").fill("shop");
  const isRestored = async () => {
    await page.getByText(/Restored what you typed at .* Enter the secrets again/).waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("lost");
    expect(await page.getByLabel("URL", { exact: true }).inputValue()).toBe("https://shop.example.com/");
    expect(await page.getByLabel("Header 1").inputValue()).toBe("X-Key");
    expect(await page.getByLabel("Value 1").inputValue()).toBe("");
    expect(await page.getByLabel("Tags").inputValue()).toBe("shop");
  };
  await page.getByRole("link", { name: "Events" }).click();
  await page.getByRole("heading", { name: "Events" }).waitFor();
  await page.goBack();
  await isRestored();
  await page.reload();
  await isRestored();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("hunter2");
  await context.clearCookies();
  await page.reload();
  await page.getByLabel("API key").fill(served.api.key ?? "");
  await page.getByRole("button", { name: "Sign in" }).click();
  await isRestored();
  await openSection(page, "Request");
  await page.getByLabel("Value 1").fill("hunter3");
  await page.getByRole("button", { name: "Create monitor" }).click();
  expect(await served.savedMonitor(page)).toMatchObject({ name: "lost", tags: ["shop"] });
  await page.goto("/monitors/new");
  await page.getByLabel("Name", { exact: true }).waitFor();
  expect(await page.getByText("Restored what you typed").count()).toBe(0);
  await page.getByLabel("Name", { exact: true }).fill("discarded");
  await page.reload();
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByText("Restored what you typed").waitFor({ state: "detached" });
  await becomes(() => page.getByLabel("Name", { exact: true }).inputValue(), "");
  await page.getByLabel("Name", { exact: true }).fill("signed out");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("API key").waitFor();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("signed out");
});

longTest("behavior 16.264: an edited channel and the layout of a new public page are restored", async () => {
  const { id } = (
    await served.api.post("/api/v1/alerts", {
      name: "hook",
      type: "WEBHOOK",
      config: { url: "https://example.com/" },
    })
  ).body.data;
  await served.monitor("SCHEDULED", {}, { name: "on the page" });
  await using reader = await served.opened(`/channels/${id}`);
  const { page } = reader;
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Name", { exact: true }).fill("renamed hook");
  await page.getByLabel("Is healthy again").uncheck();
  await page.reload();
  await page.getByText("Restored what you typed").waitFor();
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("renamed hook");
  expect(await page.getByLabel("Is healthy again").isChecked()).toBe(false);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.reload();
  await page.getByRole("heading", { name: "hook", exact: true }).waitFor();

  await page.goto("/pages/new");
  await page.getByLabel("Title").fill("Status of the shop");
  await page.getByLabel("Search for monitors").fill("on the");
  await page.getByRole("button", { name: /on the page/ }).click();
  await page.reload();
  await page.getByText("Restored what you typed").waitFor();
  expect(await page.getByLabel("Title").inputValue()).toBe("Status of the shop");
  await page.getByRole("list", { name: "Components" }).getByText("on the page").waitFor();
});
