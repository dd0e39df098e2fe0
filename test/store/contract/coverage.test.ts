import { expect, test } from "bun:test";
import { basename, join } from "node:path";
import { engines, methodsOf } from "../../support/store/engines.ts";
import { coveredMethods } from "./methods.ts";

const covered: string[] = Object.values(coveredMethods).flat();

test.each(engines)(
  "every method of a store on $name is covered by a suite of the contract",
  async (engine) => {
    await using opened = await engine.open();
    const methods = methodsOf(opened.store);
    expect(methods.filter((method) => !covered.includes(method))).toEqual([]);
    expect(covered.filter((method) => !methods.includes(method))).toEqual([]);
  },
);

test("every list of covered methods belongs to a suite that checks it", async () => {
  const files = [...new Bun.Glob("*.test.ts").scanSync(import.meta.dir)];
  const suites: string[] = [];
  for (const file of files.sort()) {
    const text = await Bun.file(join(import.meta.dir, file)).text();
    const name = basename(file, ".test.ts");
    if (text.includes(`contractSuite("${name}", `)) suites.push(name);
  }
  expect(suites).toEqual(Object.keys(coveredMethods).sort());
});
