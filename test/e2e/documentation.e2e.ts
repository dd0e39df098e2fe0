import { expect, test } from "bun:test";
import { TestBrowser } from "../support/browser/browser.ts";
import { Binary } from "../support/product/binary.ts";

test("behavior 7.70: a browser shows the API documentation under its content security policy, loaded from this server alone", async () => {
  await using binary = new Binary();
  const server = await binary.serve();
  await using browser = await TestBrowser.start();
  const reader = await browser.reader(server.url);
  await reader.page.goto("/docs");
  await reader.page.getByRole("heading", { name: "Create a monitor" }).first().waitFor();
  // Browsers request /favicon.ico, which is a 404.
  expect(reader.errors.filter((error) => !error.includes("404"))).toEqual([]);
  expect(reader.foreignRequests).toEqual([]);
}, 60_000);
