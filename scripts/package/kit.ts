/**
 * Writes the version into the files of `deploy/`, `action.yml` and the documentation: `bun scripts/package/kit.ts`. package.json has the version, and nothing else
 * is edited by hand. With `--check`, lists the places that differ and changes nothing.
 */
import { chmodSync, copyFileSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { Glob } from "bun";
import { version } from "../../package.json";

/** Where the kit says that releases, images and documentation are. */
export const IMAGE = "ghcr.io/stillup/stillup";
export const REPOSITORY = "https://github.com/stillup/stillup";
export const HOME = "https://stillup.dev";
/** Where single files of the repository are, before the tag of a release. */
export const FILES = "https://raw.githubusercontent.com/stillup/stillup";

/**
 * The checksum of an archive that is not built yet. No file has it, so that a store refuses the archive: the checksums of a
 * release are in the files that the release contains.
 */
export const NOT_BUILT = "0".repeat(64);

const FOLDER = "deploy";

/** The values in the files. @property checksums SHA-256 of archives in hexadecimal, by target */
export interface Kit {
  version: string;
  checksums: Partial<Record<string, string>>;
}

/** Matches what is written, and nothing around it. */
interface Place {
  pattern: RegExp;
  value: (kit: Kit) => string;
}

const release = ({ version }: Kit) => version;
/** For package managers that do not allow a hyphen in a version. */
const underscored = ({ version }: Kit) => version.replaceAll("-", "_");
const checksum =
  (target: string) =>
  ({ checksums }: Kit) =>
    checksums[target] ?? NOT_BUILT;

/** In each file: an image, the action, the URL of a release or of a file of its commit, the name of an archive. */
const EVERYWHERE: Place[] = [
  { pattern: new RegExp(`(?<=${RegExp.escape(IMAGE)}:)[\\w.-]+`, "g"), value: release },
  {
    pattern: new RegExp(`(?<=${RegExp.escape(REPOSITORY)}/releases/download/v)\\d[^/\\s"']*`, "g"),
    value: release,
  },
  { pattern: /(?<=uses: stillup\/stillup@v)\d[\w.-]*/g, value: release },
  { pattern: new RegExp(`(?<=${RegExp.escape(FILES)}/v)\\d[^/\\s"']*`, "g"), value: release },
  { pattern: /(?<=\bstillup-)\d[\w.-]*?(?=-(?:linux|deploy)\b|\.oci\b)/g, value: release },
];

/** Each place of a file must be there exactly once. */
const PLACES: Record<string, Place[]> = {
  "action.yml": [{ pattern: /(?<=of that release\n {4}default: ).*$/gm, value: release }],
  "scripts/package/Containerfile": [{ pattern: /(?<=image\.version=").*(?="$)/gm, value: release }],
  "deploy/aur/.SRCINFO": [
    { pattern: /(?<=^\tpkgver = ).*$/gm, value: underscored },
    { pattern: /(?<=^\tprovides = stillup=).*$/gm, value: underscored },
    { pattern: /(?<=^\tsha256sums_x86_64 = ).*$/gm, value: checksum("linux-x64") },
    { pattern: /(?<=^\tsha256sums_aarch64 = ).*$/gm, value: checksum("linux-arm64") },
  ],
  "deploy/aur/PKGBUILD": [
    { pattern: /(?<=^_version=).*$/gm, value: release },
    { pattern: /(?<=^sha256sums_x86_64=\(').*(?='\)$)/gm, value: checksum("linux-x64") },
    { pattern: /(?<=^sha256sums_aarch64=\(').*(?='\)$)/gm, value: checksum("linux-arm64") },
  ],
  "deploy/casaos/docker-compose.yml": [{ pattern: /(?<=^ {2}version: ").*(?="$)/gm, value: release }],
  "deploy/chart/Chart.yaml": [
    { pattern: /(?<=^version: ).*$/gm, value: release },
    { pattern: /(?<=^appVersion: ").*(?="$)/gm, value: release },
  ],
  "deploy/ci/gitlab.yml": [{ pattern: /(?<=^ {2}STILLUP_VERSION: ).*$/gm, value: release }],
  "deploy/homebrew/stillup.rb": [
    { pattern: /(?<=-linux-x64\.tar\.gz"\n *sha256 ").*(?="$)/gm, value: checksum("linux-x64") },
    { pattern: /(?<=-linux-arm64\.tar\.gz"\n *sha256 ").*(?="$)/gm, value: checksum("linux-arm64") },
  ],
  "deploy/kustomize/base/kustomization.yaml": [{ pattern: /(?<=^ {4}newTag: ).*$/gm, value: release }],
  "deploy/kustomize/postgres/kustomization.yaml": [{ pattern: /(?<=^ {4}newTag: ).*$/gm, value: release }],
  "deploy/nix/package.nix": [
    { pattern: /(?<=^ {2}version = ").*(?=";$)/gm, value: release },
    { pattern: /(?<=^ {4}linux-x64 = ").*(?=";$)/gm, value: checksum("linux-x64") },
    { pattern: /(?<=^ {4}linux-arm64 = ").*(?=";$)/gm, value: checksum("linux-arm64") },
  ],
  "deploy/proxmox/stillup-lxc": [{ pattern: /(?<=^VERSION=).*$/gm, value: release }],
  "deploy/truenas/app.yaml": [
    { pattern: /(?<=^app_version: ).*$/gm, value: release },
    { pattern: /(?<=^version: ).*$/gm, value: ({ version }) => version.replace(/-.*/, "") },
  ],
  "deploy/truenas/ix_values.yaml": [
    { pattern: /(?<=^ {4}repository: ghcr.*\n {4}tag: ).*$/gm, value: release },
  ],
  "deploy/umbrel/umbrel-app.yml": [{ pattern: /(?<=^version: ").*(?="$)/gm, value: release }],
  "deploy/yunohost/manifest.toml": [
    { pattern: /(?<=^version = ").*(?=~ynh\d+"$)/gm, value: release },
    { pattern: /(?<=^amd64\.sha256 = ").*(?="$)/gm, value: checksum("linux-x64") },
    { pattern: /(?<=^arm64\.sha256 = ").*(?="$)/gm, value: checksum("linux-arm64") },
  ],
};

/** The laboratory book: its figures are of the versions that it names. */
const BOOK = "docs/laboratory.md";

/** The paths of the files that have the version: `deploy/`, the documentation, and files that a service expects elsewhere. */
export function listKit(): string[] {
  const inFolder = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const documents = ["README.md", ...new Glob("docs/**/*.md").scanSync()].filter((path) => path !== BOOK);
  return [...new Set([...inFolder, ...documents, ...Object.keys(PLACES)])].sort();
}

/**
 * A file with the version and the checksums of a kit.
 *
 * @throws if a place is missing, or is there twice
 */
export function fillIn(path: string, text: string, kit: Kit): string {
  for (const { pattern } of PLACES[path] ?? []) {
    const found = text.match(pattern)?.length ?? 0;
    if (found !== 1) throw new Error(`${path} must match ${pattern} once, but does ${found} times`);
  }
  return [...(PLACES[path] ?? []), ...EVERYWHERE].reduce(
    (filled, { pattern, value }) => filled.replace(pattern, () => value(kit)),
    text,
  );
}

/** Copies `deploy/` with the version and the checksums of a release. @param folder an empty one */
export async function writeKit(folder: string, kit: Kit): Promise<void> {
  for (const path of listKit().filter((each) => each.startsWith(`${FOLDER}/`))) {
    const to = join(folder, relative(FOLDER, path));
    mkdirSync(dirname(to), { recursive: true });
    if (isPicture(path)) copyFileSync(path, to);
    else await Bun.write(to, fillIn(path, await Bun.file(path).text(), kit));
    chmodSync(to, statSync(path).mode);
  }
}

const isPicture = (path: string) => path.endsWith(".png");

/** The files that differ from what they should contain, which is the value. */
async function differences(): Promise<Map<string, string>> {
  const differing = new Map<string, string>();
  for (const path of listKit().filter((each) => !isPicture(each))) {
    const text = await Bun.file(path).text();
    const filled = fillIn(path, text, { version, checksums: {} });
    if (filled !== text) differing.set(path, filled);
  }
  return differing;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
  for (const [path, text] of await differences()) {
    console.log(`${path}${values.check ? " differs: run bun scripts/package/kit.ts" : ""}`);
    if (values.check) process.exitCode = 1;
    else await Bun.write(path, text);
  }
}
