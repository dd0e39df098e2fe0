import { expect, test } from "bun:test";

test("every file of the API that scripts/test runs on PostgreSQL exists", async () => {
  const script = (await Bun.file("scripts/test").text()).replaceAll("\\\n", "");
  const [, names = ""] = /engine_routes="test\/api\/@\((.*)\)\.test\.ts"/.exec(script) ?? [];
  const missing = names
    .split("|")
    .filter((name) => [...new Bun.Glob(`${name}.test.ts`).scanSync("test/api")].length === 0);
  expect(missing).toEqual([]);
  expect(names.split("|").length).toBeGreaterThan(10);
});
