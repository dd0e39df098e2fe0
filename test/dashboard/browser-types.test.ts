import { expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { $ } from "bun";
import { tempDir } from "../support/temp-dir.ts";

test("page code that uses a server API does not compile", async () => {
  using dir = tempDir();
  const lines = [
    'import { isIP } from "node:net";',
    "export const ip = isIP;",
    "export const equal = Bun.deepEquals(1, 1);",
    "export const text = Buffer.from(String(process.pid));",
    "export const id = crypto.randomUUIDv7();",
    "export const inBoth = new URL(document.baseURI).host + crypto.randomUUID();",
  ];
  await Bun.write(join(dir.path, "page.ts"), lines.join("\n"));
  const config = {
    extends: resolve("src/dashboard/web/tsconfig.json"),
    compilerOptions: { rootDir: "." },
    include: ["page.ts"],
  };
  await Bun.write(join(dir.path, "tsconfig.json"), JSON.stringify(config));
  const printed = await $`${resolve("node_modules/.bin/tsc")} -p ${dir.path}`.nothrow().text();
  expect(
    [...printed.matchAll(/page\.ts\((\d+),.*?'(\S+)'/g)].map(([, line, name]) => `${line} ${name}`),
  ).toEqual(["1 node:net", "3 Bun", "4 Buffer", "4 process", "5 randomUUIDv7"]);
}, 300_000);
