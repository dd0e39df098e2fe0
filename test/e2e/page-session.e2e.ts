import { expect, setDefaultTimeout, test } from "bun:test";
import { version } from "../../package.json";
import { becomes } from "../support/browser/becomes.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { longTest } from "../support/long.ts";
import { Binary } from "../support/product/binary.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());

test("signing in rejects an invalid key, accepts a valid one, stores it nowhere, and signs out", async () => {
  await using reader = await served.browser.reader(served.server.url);
  const { page } = reader;
  await page.goto("/");
  await page.getByLabel("API key").fill("stillup_wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").filter({ hasText: "Invalid key" }).waitFor();

  await page.getByLabel("API key").fill(served.api.key ?? "");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "No monitors yet" }).waitFor();
  const stored = await page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])");
  const firstSteps = new URL(served.server.url).origin;
  expect(stored).toBe(JSON.stringify([{ firstSteps }, {}, ""]));
  const [cookie] = await reader.context.cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", secure: false });
  expect(await page.content()).not.toContain(served.api.key ?? "?");

  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("API key").waitFor();
  await becomes(() => reader.context.cookies(), []);
});

longTest(
  "behavior 9.100, 9.101: signing in leads from a mistyped address to a view that says so, and logs no error before",
  async () => {
    await using reader = await served.browser.reader(served.server.url);
    const { page, errors } = reader;
    await page.goto("/");
    await page.getByLabel("API key").waitFor();
    expect(errors).toEqual([]);
    expect((await page.goto("/settings/x"))?.status()).toBe(404);
    await page.getByLabel("API key").fill(served.api.key ?? "");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    await page.getByRole("link", { name: "Back to the overview" }).click();
    await page.getByRole("heading", { name: "No monitors yet" }).waitFor();
  },
);

longTest(
  "behavior 16.174: the overview names the commands that move in while there are no monitors",
  async () => {
    await using reader = await served.opened("/");
    for (const command of ["stillup import", "stillup apply"])
      await reader.page.getByText(command, { exact: true }).waitFor();
  },
);
longTest("a new key is shown once, and ends the sessions of its viewer when it is deleted", async () => {
  await using reader = await served.opened("/keys");
  const { page } = reader;
  await page.getByRole("button", { name: "New key" }).click();
  await page.getByLabel("Name", { exact: true }).fill("for a screen");
  await page.getByRole("button", { name: "Create key" }).click();
  const key = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
  expect(key).toMatch(/^stillup_\w{43}$/);
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await page.content()).not.toContain(key);
  await using viewer = await served.opened("/", {}, key);
  await viewer.page.getByRole("navigation", { name: "Main" }).waitFor();
  await page.getByRole("button", { name: "Delete the key for a screen" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await viewer.page.getByLabel("API key").waitFor();
});

longTest(
  "behavior 16.334, 16.335, 16.336: the server shows itself, and its only owner key is not lost by accident",
  async () => {
    await using own = new Binary();
    const running = await own.serve();
    const { key = "" } = await running.client();
    await using reader = await served.browser.reader(running.url);
    const { page } = reader;
    await page.goto("/");
    await page.getByText("data/initial-owner-key").waitFor();
    await page.getByLabel("Keep me signed in").check();
    await page.getByLabel("API key").fill(key);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "No monitors yet" }).waitFor();
    const [cookie] = await reader.context.cookies();
    expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(29 * 86_400);

    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("link", { name: "Server", exact: true }).click();
    await page.getByText("This server cannot send e-mail.").waitFor();
    await page.getByRole("row").filter({ hasText: version }).waitFor();
    await page.getByRole("link", { name: "Back to the settings" }).click();
    await page.getByRole("link", { name: "Audit log" }).waitFor();
    expect(await page.getByRole("heading", { name: "Plan" }).count()).toBe(0);

    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByText("the only owner key").waitFor();
    await page.getByRole("button", { name: "Delete the key Initial owner key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("stillup keys create").waitFor();
    expect(await dialog.getByRole("button", { name: "Delete" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Type the name").fill("Initial owner key");
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("stillup keys create --name me").waitFor();
    expect(await page.getByText("initial-owner-key").count()).toBe(0);
    const { stdout } = await own.run(["keys", "create", "--name", "me"]);
    await page.getByLabel("API key").fill(stdout.trim());
    await page.keyboard.press("Enter");
    await page.getByRole("navigation", { name: "Main" }).waitFor();
  },
);

test("a lost connection is shown, and restored without a reload", async () => {
  await using own = new Binary();
  const first = await own.serve();
  const { key = "" } = await first.client();
  await using reader = await served.browser.reader(first.url);
  let isLost = true;
  await reader.page.route("**/assets/tools-*", (route) => (isLost ? route.abort() : route.continue()));
  await reader.signIn(key);
  await reader.open("/");
  const { port } = new URL(first.url);
  await first.kill();
  await reader.page.getByText("Connection lost.").waitFor();
  const search = reader.page.getByRole("button", { name: "Search" });
  expect(await search.count()).toBe(0);
  isLost = false;
  await own.serve(["--port", port]);
  await reader.page.getByText("Connection lost.").waitFor({ state: "detached" });
  // Its script could not be loaded before.
  await search.waitFor();
  await reader.leave(/ERR_|Failed to load resource/);
});
