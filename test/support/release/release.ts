import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { $ } from "bun";
import { type Target, targets } from "../../../scripts/package/targets.ts";
import { isLong } from "../long.ts";

const RELEASE = resolve("dist/release");

/** The targets that `scripts/test-release` builds: without the long tests, only the target of this machine. */
export const builtTargets: readonly Target[] = isLong ? (Object.keys(targets) as Target[]) : ["linux-x64"];

/** The output folder of `scripts/release`. */
export function releaseFolder(): string {
  if (!existsSync(join(RELEASE, "SHA256SUMS")))
    throw new Error("dist/release is missing: run `scripts/test-release`");
  return RELEASE;
}

/** The archive of a target. */
export function archiveOf(target: string): string {
  const name = readdirSync(releaseFolder()).find((file) => file.endsWith(`-${target}.tar.gz`));
  if (!name) throw new Error(`dist/release has no archive for ${target}`);
  return join(RELEASE, name);
}

/** Unpacks an archive. @returns its folder */
export async function unpack(archive: string, into: string): Promise<string> {
  await $`tar --extract --gzip --file ${archive} --directory ${into}`;
  const [name = ""] = readdirSync(into);
  return join(into, name);
}

/** Creates a key of minisign in a folder. */
export async function createKey(folder: string): Promise<{ public: string; secret: string }> {
  const [shown, secret] = [join(folder, "minisign.pub"), join(folder, "minisign.key")];
  await $`minisign -G -f -W -p ${shown} -s ${secret}`.quiet();
  const [, key = ""] = (await Bun.file(shown).text()).split("\n");
  return { public: key, secret: await Bun.file(secret).text() };
}
