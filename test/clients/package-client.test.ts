import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { $ } from "bun";
import { exampleFor } from "../support/documentation/example.ts";
import { ApiServer } from "../support/product/api-server.ts";
import { tempDir } from "../support/temp-dir.ts";

/** As `bun init` creates it. */
const COMPILER_OPTIONS = {
  lib: ["ESNext"],
  target: "ESNext",
  module: "Preserve",
  moduleResolution: "bundler",
  allowImportingTsExtensions: true,
  verbatimModuleSyntax: true,
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  noUncheckedIndexedAccess: true,
  types: ["bun-types"],
};

test("behavior 16.184: the package exports a client for programs on Bun that knows the types of all routes", async () => {
  await using server = await ApiServer.start();
  using dir = tempDir();
  await installPackage(dir.path);
  await Bun.write(join(dir.path, "program.ts"), Bun.file("test/support/clients/eden/program.ts"));
  const example = { path: "docs/api.md", language: "ts", mark: "test/clients/package-client.test.ts" };
  const { owner } = await server.organization("packaged", "enterprise");
  await Bun.write(join(dir.path, "example.ts"), await exampleFor(owner, example));
  const config = { compilerOptions: COMPILER_OPTIONS, include: ["*.ts"] };
  await Bun.write(join(dir.path, "tsconfig.json"), JSON.stringify(config));
  expect(await $`${resolve("node_modules/.bin/tsc")} -p ${dir.path}`.nothrow().text()).toBe("");
  const seen = await $`${process.execPath} program.ts ${owner.url} ${owner.key ?? ""}`.cwd(dir.path).json();
  expect(seen).toEqual({
    listed: ["Shop"],
    time: "string",
    updated: "Shop front",
    refused: [422, { error: "name must be 1 to 200 characters" }],
    unknown: 422,
    deleted: true,
  });
  const printed = await $`${process.execPath} example.ts`.cwd(dir.path).text();
  expect(printed).toMatch(/^422 .*name must be 1 to 200 characters/s);
}, 300_000);

/** Installs what `bun pm pack` packs, with the dependencies of this project. `tsc` has written the declarations in it. */
async function installPackage(dir: string): Promise<void> {
  const target = join(dir, "node_modules/stillup");
  mkdirSync(target, { recursive: true });
  const packed = join(dir, "stillup.tgz");
  await $`${process.execPath} pm pack --ignore-scripts --filename ${packed} --quiet`.quiet();
  await $`tar -xzf ${packed} -C ${target} --strip-components=1`;
  for (const name of ["@elysiajs", "@sinclair", "elysia", "bun-types"])
    symlinkSync(resolve("node_modules", name), join(dir, "node_modules", name));
}
