import { setDefaultTimeout } from "bun:test";
import { PATIENCE, sharedBrowser } from "../support/browser/served-page.ts";
import { longTest as test } from "../support/long.ts";
import { Binary } from "../support/product/binary.ts";

setDefaultTimeout(PATIENCE);

test("behavior 7.70: a browser shows the API documentation under its content security policy, loaded from this server alone", async () => {
  await using binary = new Binary();
  const server = await binary.serve();
  const browser = await sharedBrowser();
  await using reader = await browser.reader(server.url);
  await reader.page.goto("/docs");
  await reader.page.getByRole("heading", { name: "Create a monitor" }).first().waitFor();
  // Browsers request /favicon.ico, which is a 404.
  await reader.leave(/404/);
});
