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

test("scripts/check runs every test file once", async () => {
  const [check, types] = await Promise.all(
    ["scripts/check", "scripts/types"].map((file) => Bun.file(file).text()),
  );
  const lists = `${check}${types}`.match(/(?<=\$tests |--timeout 300000 )[^\s"]*test\/[^\s"]+/g) ?? [];
  const find = Bun.spawn(
    ["bash", "-O", "extglob", "-c", `for list in "$@"; do find $list -name "*.test.ts"; done`, "-", ...lists],
    { stdout: "pipe" },
  );
  const found = (await new Response(find.stdout).text()).trim().split("\n").toSorted();
  const all = [...new Bun.Glob("./test/**/*.test.ts").scanSync(".")].map(
    (file) => `./${file.replace(/^\.\//, "")}`,
  );
  expect(lists.filter((list) => !list.startsWith("./"))).toEqual([]);
  expect(found).toEqual(all.filter((file) => !file.startsWith("./test/support/")).toSorted());
});
