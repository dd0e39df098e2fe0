/** Builds the files of a release; the same tag gives the same bytes. `scripts/release` runs it. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { $ } from "bun";
import { version } from "../../package.json";
import { createProgram } from "../../src/cli/program.ts";
import { commandTree, completions, manualPage } from "../../src/cli/shell/completions.ts";
import { pack } from "./archive.ts";
import { billOfMaterials } from "./bill-of-materials.ts";
import { compile } from "./compile.ts";
import { buildDeb } from "./deb.ts";
import { environmentFile, SERVICES } from "./environment-file.ts";
import { writeGuide } from "./guide.ts";
import { Image, imageNeeds } from "./image.ts";
import { writeKit } from "./kit.ts";
import { releaseNotes } from "./release-notes.ts";
import { buildRpm } from "./rpm.ts";
import { Signer } from "./signature.ts";
import { architectures, isTarget, packageName, type Target, targets } from "./targets.ts";

const USAGE = `usage: scripts/release [--out DIR] [--target TARGET]... [--key FILE] [--dirty]
  --out DIR        where the files go, which is emptied first; default dist/release
  --target TARGET  ${Object.keys(targets).join(", ")}; default all
  --key FILE       secret key of minisign without a password, which signs SHA256SUMS; default: the text in RELEASE_KEY
  --dirty          build also what is not committed or has no tag`;

/** Files of each archive besides the executable and the environment files. */
const ACCOMPANYING = [
  "scripts/install.sh",
  "scripts/package/stillup.service",
  "scripts/package/stillup.sysusers",
  "scripts/package/stillup-probe.service",
  "scripts/package/stillup-probe.sysusers",
  "scripts/package/allow-ping",
  "scripts/package/Containerfile",
  "LICENSE",
];

const { out, target, key, dirty } = readArguments();
assertNothingElse(out);
if (!dirty) await assertTagged();
const signer = readSigner(key);
const time = Number(await $`git log -1 --format=%ct`.text());
const revision = (await $`git rev-parse HEAD`.text()).trim();

const tree = commandTree(await createProgram([]));
const texts = {
  manualPage: manualPage(tree, { version, date: new Date(time * 1000) }),
  completions: { bash: completions.bash(tree), zsh: completions.zsh(tree), fish: completions.fish(tree) },
};
const hasRpmbuild = Bun.which("rpmbuild") !== null;
if (!hasRpmbuild)
  console.error("scripts/release: rpmbuild is missing, so that there are no .rpm files (Debian: rpm)");

// The folders of packages have the permissions that this leaves.
process.umask(0o022);
const imageFolder = mkdtempSync(join(tmpdir(), "stillup-image-"));
const image = createImage();
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const name of target) await buildArchive(name);
await image?.write(join(out, `stillup-${version}.oci.tar`));
rmSync(imageFolder, { recursive: true });
await packKit();
copyFileSync("scripts/install.sh", join(out, "install.sh"));
await Bun.write(join(out, `stillup-${version}.cdx.json`), await billOfMaterials(new Date(time * 1000)));
await Bun.write(join(out, "NOTES.md"), releaseNotes(await Bun.file("CHANGELOG.md").text(), version));
await packGuide();
await Bun.write(join(out, "SHA256SUMS"), await checksums());
if (signer)
  await signer.sign(join(out, "SHA256SUMS"), `stillup ${version}`).catch((error) => fail(error.message));
else console.error("scripts/release: SHA256SUMS is not signed: give --key FILE, or RELEASE_KEY");
console.log(`${out}/SHA256SUMS\n${await Bun.file(join(out, "SHA256SUMS")).text()}`);

async function buildArchive(target: Target): Promise<void> {
  const name = `stillup-${version}-${target}`;
  const parent = mkdtempSync(join(tmpdir(), "stillup-release-"));
  try {
    const folder = join(parent, name);
    mkdirSync(folder);
    const built = join(parent, "built", "stillup");
    await compile(built, targets[target]);
    copyFileSync(built, join(folder, "stillup"));
    for (const file of ACCOMPANYING) copyFileSync(file, join(folder, file.replace(/^.*\//, "")));
    for (const service of SERVICES) {
      await Bun.write(join(folder, `${service}.env`), environmentFile(service));
    }
    await Bun.write(join(folder, "stillup.1"), texts.manualPage);
    for (const [shell, text] of Object.entries(texts.completions))
      await Bun.write(join(folder, `stillup.${shell}`), text);
    await pack(name, { parent, time, file: join(out, `${name}.tar.gz`) });
    await buildPackages(target, { parent, program: built });
    const architecture = architectures[target]?.deb;
    if (architecture) await image?.add(architecture, built);
  } finally {
    rmSync(parent, { recursive: true });
  }
}

/** The folder is emptied first. */
function assertNothingElse(folder: string): void {
  const own = /^(stillup[-_].*|NOTES\.md|SHA256SUMS.*|install\.sh)$/;
  const others = existsSync(folder) ? readdirSync(folder).filter((name) => !own.test(name)) : [];
  if (others.length > 0)
    fail(`--out must be empty or a release, because its files are deleted first, got ${folder}`);
}

/** A release is the tag of its version, and nothing else. */
async function assertTagged(): Promise<void> {
  const changes = await $`git status --porcelain`.text();
  if (changes !== "") fail(`commit these changes first, or give --dirty:\n${changes.trimEnd()}`);
  const tags = (await $`git tag --points-at HEAD`.text()).split("\n").filter((tag) => tag !== "");
  if (tags.includes(`v${version}`)) return;
  const found = tags.length === 0 ? "it has no tag" : `its tags are ${tags.join(", ")}`;
  fail(
    `the commit must have the tag v${version}, which is the version of package.json, or give --dirty: ${found}`,
  );
}

/** The documentation as files for any host. */
async function packGuide(): Promise<void> {
  const name = `stillup-${version}-guide`;
  const parent = mkdtempSync(join(tmpdir(), "stillup-guide-"));
  try {
    await writeGuide(join(parent, name));
    await pack(name, { parent, time, file: join(out, `${name}.tar.gz`) });
  } finally {
    rmSync(parent, { recursive: true });
  }
}

/** The packages of a target that has some. @param program its executable @param parent a folder for what is built */
async function buildPackages(
  target: Target,
  { parent, program }: { parent: string; program: string },
): Promise<void> {
  const names = architectures[target];
  if (!names) return;
  const content = { program, ...texts };
  for (const [kind, build] of Object.entries({ deb: buildDeb, rpm: buildRpm })) {
    if (kind === "rpm" && !hasRpmbuild) continue;
    const architecture = names[kind as keyof typeof names];
    const work = join(parent, kind);
    mkdirSync(work);
    const file = join(out, packageName(kind as "deb" | "rpm", version, architecture));
    await build(content, { architecture, version, time, work, file: resolve(file) });
  }
}

/** For the targets that packages have. */
function createImage(): Image | undefined {
  const needs = imageNeeds();
  if (needs === undefined) return new Image(imageFolder, { version, time, revision });
  console.error(`scripts/release: there is no image: ${needs}`);
  return undefined;
}

/** `deploy/` for app stores and package managers, with the checksums of the archives, which only a release has. */
async function packKit(): Promise<void> {
  const sums = target.map(async (name) => [name, await sha256(`stillup-${version}-${name}.tar.gz`)]);
  const parent = mkdtempSync(join(tmpdir(), "stillup-kit-"));
  try {
    const name = `stillup-${version}-deploy`;
    await writeKit(join(parent, name), { version, checksums: Object.fromEntries(await Promise.all(sums)) });
    await pack(name, { parent, time, file: join(out, `${name}.tar.gz`) });
  } finally {
    rmSync(parent, { recursive: true });
  }
}

/** Checksums in the form of `sha256sum --check`. */
async function checksums(): Promise<string> {
  const lines = readdirSync(out)
    .sort()
    .map(async (file) => `${await sha256(file)}  ${file}\n`);
  return (await Promise.all(lines)).join("");
}

/** @param file in the output folder */
async function sha256(file: string): Promise<string> {
  return new Bun.CryptoHasher("sha256").update(await Bun.file(join(out, file)).bytes()).digest("hex");
}

function readArguments(): { out: string; target: Target[]; key: string | undefined; dirty: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        out: { type: "string", default: "dist/release" },
        target: { type: "string", multiple: true, default: Object.keys(targets) },
        key: { type: "string" },
        dirty: { type: "boolean", default: false },
      },
    });
    const unknown = values.target.find((name) => !isTarget(name));
    if (unknown !== undefined) throw new Error(`there is no target ${unknown}`);
    return { ...values, key: values.key, target: values.target.filter(isTarget) };
  } catch (error) {
    return fail(`${(error as Error).message}\n${USAGE}`);
  }
}

/** @returns undefined without a key */
function readSigner(file: string | undefined): Signer | undefined {
  try {
    const text = file === undefined ? process.env.RELEASE_KEY : readFileSync(file, "utf8");
    return text ? new Signer(text) : undefined;
  } catch (error) {
    return fail(`the key can't be used: ${(error as Error).message}`);
  }
}

function fail(message: string): never {
  console.error(`scripts/release: ${message}`);
  process.exit(1);
}
