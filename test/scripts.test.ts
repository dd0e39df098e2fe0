import { expect, test } from "bun:test";

test("every file that scripts/test runs on PostgreSQL by its name exists", async () => {
  const script = (await Bun.file("scripts/test").text()).replaceAll("\\\n", "");
  const [, lists = ""] = /^nodes="(test\/api\/.*)"$/m.exec(script) ?? [];
  const files = lists.split(" ").flatMap((list) => {
    const [, folder, names] = /^(.*)\/@\((.*)\)\.test\.ts$/.exec(list) ?? [];
    return names === undefined ? [list] : names.split("|").map((name) => `${folder}/${name}.test.ts`);
  });
  const missing = files.filter((file) => [...new Bun.Glob(file).scanSync(".")].length === 0);
  expect(missing).toEqual([]);
  expect(files.length).toBeGreaterThan(5);
});
