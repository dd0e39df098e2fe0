import { expect, test } from "bun:test";
import { existsSync } from "node:fs";

test("behavior 19.78: each row of what strangers can begin names a test that exists", async () => {
  const text = await Bun.file("docs/security.md").text();
  const rows = text
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .slice(2);
  expect(rows.length).toBeGreaterThan(5);
  for (const row of rows) {
    const [, file] = /`(test\/[^`]+)` \|$/.exec(row) ?? [];
    expect({ row, isFound: file !== undefined && existsSync(file) }).toEqual({ row, isFound: true });
  }
});
