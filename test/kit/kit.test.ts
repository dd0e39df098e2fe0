import { expect, test } from "bun:test";
import { cpSync, existsSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { $ } from "bun";
import { version } from "../../package.json";
import { FILES, fillIn, IMAGE, listKit, NOT_BUILT, REPOSITORY, writeKit } from "../../scripts/package/kit.ts";
import { architectures } from "../../scripts/package/targets.ts";
import { tempDir } from "../support/temp-dir.ts";

const read = (path: string) => Bun.file(path).text();
const next = {
  version: "12.34.56-rc.7",
  checksums: { "linux-x64": "a".repeat(64), "linux-arm64": "b".repeat(64) },
};

test("behavior 24.120: each file of the kit has the version of package.json, and the check names a file that does not", async () => {
  const check = (cwd: string) => $`bun scripts/package/kit.ts --check`.cwd(cwd).quiet().nothrow();
  const { exitCode, stdout } = await check(".");
  expect([exitCode, String(stdout)]).toEqual([0, ""]);

  using dir = tempDir();
  for (const path of [...listKit(), "scripts/package/kit.ts", "package.json"])
    cpSync(path, join(dir.path, path), { recursive: true });
  const drifted = join(dir.path, "deploy/umbrel/docker-compose.yml");
  const text = await Bun.file(drifted).text();
  await Bun.write(drifted, text.replace(`${IMAGE}:${version}`, `${IMAGE}:0.0.9`));
  const found = await check(dir.path);
  expect([found.exitCode, String(found.stdout)]).toEqual([
    1,
    "deploy/umbrel/docker-compose.yml differs: run bun scripts/package/kit.ts\n",
  ]);
  await $`bun scripts/package/kit.ts`.cwd(dir.path).quiet();
  expect(await Bun.file(drifted).text()).toBe(text);
});

test("behavior 24.120: another version reaches every place, so that no file names two", async () => {
  const left: string[] = [];
  for (const path of listKit().filter((each) => !/\.(?:png|md)$/.test(each))) {
    const filled = fillIn(path, await read(path), next);
    if (filled.includes(version)) left.push(path);
  }
  expect(left).toEqual([]);
});

test("behavior 24.121: before a release, no file has a checksum; the files of a release have those of its archives", async () => {
  using dir = tempDir();
  await writeKit(dir.path, next);
  const zeros: string[] = [];
  for (const path of listKit().filter((each) => !each.endsWith(".png"))) {
    if (!path.startsWith("deploy/")) continue;
    const copy = join(dir.path, relative("deploy", path));
    const [here, released] = [await read(path), await read(copy)];
    expect([path, released.includes(NOT_BUILT)]).toEqual([path, false]);
    expect(statSync(copy).mode).toBe(statSync(path).mode);
    if (!here.includes(NOT_BUILT)) continue;
    zeros.push(path);
    expect(released.match(/a{64}|b{64}/g)).toEqual(["a".repeat(64), "b".repeat(64)]);
  }
  expect(zeros).toEqual([
    "deploy/aur/.SRCINFO",
    "deploy/aur/PKGBUILD",
    "deploy/homebrew/stillup.rb",
    "deploy/nix/package.nix",
    "deploy/yunohost/manifest.toml",
  ]);
});

test("a place that is gone is an error, and not a version that stays", async () => {
  const text = (await read("deploy/proxmox/stillup-lxc")).replace("\nVERSION=", "\nRELEASE=");
  expect(() => fillIn("deploy/proxmox/stillup-lxc", text, next)).toThrow("must match");
});

test("every archive that is named is one of a release, and every file of the repository exists", async () => {
  for (const path of listKit().filter((each) => !each.endsWith(".png"))) {
    const text = await read(path);
    for (const [, target = ""] of text.matchAll(/\bstillup-\d[\w.]*-(linux-[a-z0-9-]+)/g))
      expect([path, Object.keys(architectures)]).toEqual([path, expect.arrayContaining([target])]);
    const files = text.matchAll(new RegExp(`${RegExp.escape(FILES)}/v[^/]+/([^\\s<"']+)`, "g"));
    for (const [, file = ""] of files) expect([path, file, existsSync(file)]).toEqual([path, file, true]);
  }
  const all = await Promise.all(listKit().map(read));
  // One repository, and one name for the image.
  expect(new Set(all.join("\n").match(/https:\/\/github\.com\/[\w.-]*stillup[\w.-]*\/[\w-]+/g))).toEqual(
    new Set([REPOSITORY]),
  );
});
