import { setDefaultTimeout, test } from "bun:test";
import { leave, PATIENCE, sharedBrowser } from "../support/browser/served-page.ts";
import { Binary } from "../support/product/binary.ts";

setDefaultTimeout(PATIENCE);

test("behavior 7.70: a browser shows the API documentation under its content security policy, loaded from this server alone", async () => {
  await using binary = new Binary();
  const server = await binary.serve();
  const browser = await sharedBrowser();
  const reader = await browser.reader(server.url);
  await reader.page.goto("/docs");
  await reader.page.getByRole("heading", { name: "Create a monitor" }).first().waitFor();
  // Browsers request /favicon.ico, which is a 404.
  await leave(reader, /404/);
});
