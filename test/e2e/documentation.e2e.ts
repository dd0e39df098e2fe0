import { expect, test } from "bun:test";
import { Binary } from "../support/binary.ts";
import { TestBrowser } from "../support/browser.ts";

test("the documentation shows itself in a browser, under its policy and from this server alone", async () => {
  await using binary = new Binary();
  const server = await binary.serve();
  await using browser = await TestBrowser.start();
  const reader = await browser.reader(server.url);
  await reader.page.goto("/docs");
  await reader.page.getByRole("heading", { name: "Create a monitor" }).first().waitFor();
  // Of a /favicon.ico, for which every browser asks.
  expect(reader.complaints.filter((complaint) => !complaint.includes("404"))).toEqual([]);
  expect(reader.strays).toEqual([]);
}, 60_000);
