import { expect, test } from "bun:test";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { $ } from "bun";
import { isLong } from "../support/long.ts";
import { tempDir } from "../support/temp-dir.ts";

const SOURCES = ["scripts", "src", "drizzle", "package.json", "bun.lock", "bunfig.toml", "tsconfig.json"];
/** The guide in the binary is made of these. */
const PAGES = ["docs", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"];

test("scripts/start builds again only if an input of the build has changed", async () => {
  using copy = tempDir();
  await $`cp --archive ${[...SOURCES, ...PAGES]} ${copy.path}`;
  // Prints the help instead of starting a server.
  const builds = async () => (await $`${copy.path}/scripts/start --help`.text()).includes("Building");
  expect(await builds()).toBe(true);
  expect(await builds()).toBe(false);

  const ignored: string[] = [];
  const read = [
    "src/main.ts",
    "drizzle/sqlite/0000_initial.sql",
    "scripts/build.ts",
    "scripts/package/compile.ts",
    "package.json",
    "bunfig.toml",
    "tsconfig.json",
    "docs/start.md",
    "CHANGELOG.md",
  ];
  for (const file of isLong ? read : read.slice(0, 1)) {
    const now = new Date();
    utimesSync(join(copy.path, file), now, now);
    if (!(await builds())) ignored.push(file);
  }
  expect(ignored).toEqual([]);
}, 300_000);
