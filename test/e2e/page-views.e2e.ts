import { afterAll, beforeAll, expect, test } from "bun:test";
import { becomes } from "../support/browser/becomes.ts";
import { leave, PATIENCE, ServedPage } from "../support/browser/served-page.ts";

let served: ServedPage;
beforeAll(async () => {
  served = await ServedPage.start();
}, PATIENCE);
afterAll(() => served[Symbol.asyncDispose]());

test(
  "behavior 14.93: the overview is filtered by tags, and this browser keeps filters as views",
  async () => {
    const tags = { shop: ["web", "eu"], blog: ["web"], database: ["eu"], other: [] };
    for (const [name, own] of Object.entries(tags))
      await served.monitor("SCHEDULED", {}, { name, tags: own });
    const reader = await served.signedIn();
    const { page } = reader;
    const list = page.getByRole("list", { name: "Monitors" });
    const shown = (expected: string[]) => becomes(() => list.getByRole("link").allTextContents(), expected);
    const tag = (name: string) => page.getByRole("group", { name: "Tags" }).getByRole("button", { name });
    await shown(["blog", "database", "other", "shop"]);
    await tag("web 2").click();
    await shown(["blog", "shop"]);
    await becomes(() => tag("web 2").getAttribute("aria-pressed"), "true");
    await tag("eu 2").click();
    await shown(["shop"]);
    await becomes(() => new URL(page.url()).searchParams.get("tag"), "web,eu");
    await page.reload();
    await shown(["shop"]);
    await tag("eu 2").click();
    await shown(["blog", "shop"]);

    const views = page.getByRole("navigation", { name: "Saved views" });
    await views.getByRole("button", { name: "Save view" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Save view" }).click();
    expect(
      await dialog
        .getByLabel("Name")
        .evaluate((field) => (field as unknown as { validity: { valid: boolean } }).validity.valid),
    ).toBe(false);
    await dialog.getByLabel("Name").fill("The <b>web</b>");
    await page.keyboard.press("Enter");
    const view = views.getByRole("link", { name: "The <b>web</b>" });
    await view.waitFor();
    await becomes(() => view.getAttribute("aria-current"), "true");
    await view.click();
    await shown(["blog", "database", "other", "shop"]);
    await becomes(() => view.getAttribute("aria-current"), null);

    const second = await reader.context.newPage();
    await second.goto("/");
    const elsewhere = second.getByRole("navigation", { name: "Saved views" });
    await elsewhere.getByRole("link", { name: "The <b>web</b>" }).click();
    await second.getByText("2 monitors shown").waitFor({ state: "attached" });
    await elsewhere.getByRole("button", { name: "Delete view" }).click();
    await elsewhere.getByRole("button", { name: "Save view" }).waitFor();
    await views.waitFor({ state: "detached" });
    await leave(reader);
  },
  PATIENCE,
);
