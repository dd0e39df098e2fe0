import { expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { $ } from "bun";
import { version } from "../../package.json";
import { SERVICES } from "../../scripts/package/environment-file.ts";
import { imageNeeds } from "../../scripts/package/image.ts";
import { releaseNotes } from "../../scripts/package/release-notes.ts";
import { publicKey, Signer } from "../../scripts/package/signature.ts";
import { architectures, packageName, type Target } from "../../scripts/package/targets.ts";
import { probeSettings, serveSettings, settings } from "../../src/config.ts";
import { isLong } from "../support/long.ts";
import { archiveOf, builtTargets, createKey, releaseFolder, unpack } from "../support/release/release.ts";
import { isMissing } from "../support/requirements.ts";
import { tempDir } from "../support/temp-dir.ts";

setDefaultTimeout(300_000);

/** Files of each release, whatever its targets. Without a key, the checksums have no signature. */
const OTHERS = [
  "NOTES.md",
  "SHA256SUMS",
  "install.sh",
  "stillup-VERSION-deploy.tar.gz",
  "stillup-VERSION-guide.tar.gz",
  "stillup-VERSION.cdx.json",
];

/** The image, where it can be built. */
const image = imageNeeds() === undefined ? [`stillup-${version}.oci.tar`] : [];

test("behavior 16.197: a release has an archive for each target that is built, and SHA256SUMS for all files", async () => {
  const files = readdirSync(releaseFolder()).sort();
  const archives = builtTargets.map((target) => `stillup-${version}-${target}.tar.gz`);
  const packages = builtTargets.flatMap((target) => packagesOf(target));
  expect(files).toEqual(
    [...archives, ...packages, ...image, ...OTHERS.map((name) => name.replace("VERSION", version))].sort(),
  );
  const checked = await $`sha256sum --strict --check SHA256SUMS`.cwd(releaseFolder()).text();
  expect(checked.match(/: OK$/gm)).toHaveLength(files.length - 1);
});

test("behavior 24.121: the files for app stores in a release have the checksums of its archives", async () => {
  using dir = tempDir();
  const folder = await unpack(join(releaseFolder(), `stillup-${version}-deploy.tar.gz`), dir.path);
  const sums = await Bun.file(join(releaseFolder(), "SHA256SUMS")).text();
  const [, sum = "none"] =
    new RegExp(`^(\\w+)  stillup-${version}-linux-x64\\.tar\\.gz$`, "m").exec(sums) ?? [];
  for (const file of [
    "aur/PKGBUILD",
    "aur/.SRCINFO",
    "homebrew/stillup.rb",
    "nix/package.nix",
    "yunohost/manifest.toml",
  ])
    expect([file, (await Bun.file(join(folder, file)).text()).split(sum).length]).toEqual([file, 2]);
  expect(readdirSync(folder).sort()).toEqual(readdirSync("deploy").sort());
});

/** The names of the packages of a target. */
function packagesOf(target: Target): string[] {
  const names = architectures[target];
  if (!names) return [];
  const rpm = Bun.which("rpmbuild") ? [packageName("rpm", version, names.rpm)] : [];
  return [packageName("deb", version, names.deb), ...rpm];
}

/** A clone of a commit, with the tag of its version. */
async function clone(from: string, folder: string): Promise<void> {
  await $`git clone --quiet --no-hardlinks ${from} ${folder}`;
  await $`git -C ${folder} tag --force v${version}`.quiet();
}

// Only one target, because the others differ only in the runtime that Bun puts before the same sources.
test.skipIf(!isLong || isMissing(["minisign"]))(
  "behavior 16.197, 16.198: the same tag gives the same bytes of every file in another folder, also of the signature, and they do not contain its path",
  async () => {
    using dir = tempDir();
    const { secret } = await createKey(dir.path);
    const build = async (folder: string, from: string) => {
      await clone(from, folder);
      await $`${folder}/scripts/release --target linux-x64`
        .env({ ...process.env, RELEASE_KEY: secret })
        .quiet();
      const out = join(folder, "dist/release");
      const sums = await $`sha256sum -- *`.cwd(out).text();
      return sums.trimEnd().split("\n");
    };
    const first = join(dir.path, "first");
    const second = join(dir.path, "deeper", "second");
    const built = await build(first, ".");
    // Not from here, where somebody may commit meanwhile.
    expect(await build(second, first)).toEqual(built);
    const names = built.map((line) => line.slice(66));
    const expected = [...OTHERS, "SHA256SUMS.minisig"].map((name) => name.replace("VERSION", version));
    expect(names).toEqual(
      expect.arrayContaining([
        ...expected,
        ...packagesOf("linux-x64"),
        ...image,
        `stillup-${version}-linux-x64.tar.gz`,
      ]),
    );

    const unpacked = join(dir.path, "unpacked");
    mkdirSync(unpacked);
    const archive = join(first, "dist/release", `stillup-${version}-linux-x64.tar.gz`);
    const program = join(await unpack(archive, unpacked), "stillup");
    const named = await $`grep --count --text --fixed-strings ${dir.path} ${program}`.nothrow().text();
    expect(named.trim()).toBe("0");
  },
  900_000,
);

test("behavior 16.197: a commit without the tag of its version, with another one, or with changes is refused", async () => {
  using dir = tempDir();
  const folder = join(dir.path, "clone");
  symlinkSync(resolve("node_modules"), join(dir.path, "node_modules"));
  await $`git clone --quiet --shared . ${folder}`;
  await $`git tag --delete v${version}`.cwd(folder).quiet().nothrow();
  const refusal = async (...args: string[]) => {
    const { exitCode, stderr } = await $`bun scripts/package/release.ts --target linux-x64 ${args}`
      .cwd(folder)
      .quiet()
      .nothrow();
    expect([exitCode, existsSync(join(folder, "dist"))]).toEqual([1, false]);
    return String(stderr);
  };
  const needed = `the commit must have the tag v${version}, which is the version of package.json, or give --dirty: `;
  expect(await refusal()).toBe(`scripts/release: ${needed}it has no tag\n`);
  await $`git tag v99.0.0`.cwd(folder);
  expect(await refusal()).toBe(`scripts/release: ${needed}its tags are v99.0.0\n`);
  await $`git tag v${version}`.cwd(folder);
  await Bun.write(join(dir.path, "key"), "no key\n");
  expect(await refusal("--key", join(dir.path, "key"))).toContain(
    "the key can't be used: it must be a secret key",
  );
  await Bun.write(join(folder, "README.md"), "changed");
  expect(await refusal("--dirty", "--out", ".")).toBe(
    "scripts/release: --out must be empty or a release, because its files are deleted first, got .\n",
  );
  expect(await refusal()).toContain("commit these changes first, or give --dirty:\n M README.md");
});

test.skipIf(isMissing(["minisign"]))(
  "behavior 16.198: the line of docs/install.md verifies the signature of a release",
  async () => {
    using dir = tempDir();
    const key = await createKey(dir.path);
    const sums = join(dir.path, "SHA256SUMS");
    copyFileSync(join(releaseFolder(), "SHA256SUMS"), sums);
    await new Signer(key.secret).sign(sums, `stillup ${version}`);
    const [line = ""] = /^minisign -V .*$/m.exec(await Bun.file("docs/install.md").text()) ?? [];
    const verify = line.replace("PUBLIC_KEY", (await publicKey()) ?? key.public);
    const { stdout } = await $`sh -c ${verify}`.cwd(dir.path).quiet();
    expect(String(stdout)).toContain(`Trusted comment: stillup ${version}`);
    await Bun.write(sums, `${await Bun.file(sums).text()}\n`);
    expect((await $`sh -c ${verify}`.cwd(dir.path).quiet().nothrow()).exitCode).toBe(1);
  },
);

test("behavior 16.198: docs/install.md has the public key that install.sh knows, or says that there is none", async () => {
  const known = await publicKey();
  const page = await Bun.file("docs/install.md").text();
  if (known === undefined) expect(page).toContain("There is no such key yet");
  else expect(page).toContain(known);
});

test("an archive holds the program, its installer, its units and every setting with its help", async () => {
  using dir = tempDir();
  const folder = await unpack(archiveOf(builtTargets.at(-1) ?? ""), dir.path);
  expect(readdirSync(folder).sort()).toEqual([
    "Containerfile",
    "LICENSE",
    "allow-ping",
    "install.sh",
    "stillup",
    "stillup-probe.env",
    "stillup-probe.service",
    "stillup-probe.sysusers",
    "stillup.1",
    "stillup.bash",
    "stillup.env",
    "stillup.fish",
    "stillup.service",
    "stillup.sysusers",
    "stillup.zsh",
  ]);
  for (const service of SERVICES) {
    const lines = (await Bun.file(join(folder, `${service}.env`)).text()).split("\n");
    const names = service === "stillup" ? serveSettings : probeSettings;
    for (const { variable, help } of names.map((name) => settings[name])) {
      const at = lines.findIndex((line) => line.startsWith(`#${variable}=`));
      expect(lines[at - 1]).toBe(`# ${help}`);
    }
    expect(lines.filter((line) => line !== "" && !line.startsWith("#"))).toEqual([]);
  }
});

test("the bill of materials is CycloneDX, and lists the runtime and all dependencies of the product", async () => {
  const bom = await Bun.file(join(releaseFolder(), `stillup-${version}.cdx.json`)).json();
  const { dependencies, devDependencies, packageManager } = await Bun.file("package.json").json();
  expect(bom).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6" });
  expect(bom.metadata.component).toMatchObject({ name: "stillup", version });
  const components: { purl: string; name: string; hashes?: object[]; licenses?: object[] }[] = bom.components;
  const purls = components.map(({ purl }) => purl);
  expect(new Set(purls).size).toBe(purls.length);
  expect(purls).toContain(`pkg:npm/${packageManager}`);
  for (const [name, at] of Object.entries(dependencies)) {
    expect(purls).toContain(`pkg:npm/${name.replace("@", "%40")}@${at}`);
  }
  expect(purls).not.toContain(`pkg:npm/typescript@${devDependencies.typescript}`);
  const libraries = components.filter(({ name }) => name !== "bun");
  expect(libraries.filter(({ hashes, licenses }) => !hashes || !licenses).map(({ name }) => name)).toEqual(
    [],
  );
});

test.skipIf(isMissing(["systemd-analyze"])).each(SERVICES)(
  "systemd finds nothing wrong with the unit of %s, nor much exposed",
  async (service) => {
    using dir = tempDir();
    // The program of the unit is not installed on the test machine.
    const unit = join(dir.path, `${service}.service`);
    const text = await Bun.file(`scripts/package/${service}.service`).text();
    await Bun.write(unit, text.replace("ExecStart=/usr/local/bin/stillup", "ExecStart=/bin/true"));
    const verified = await $`systemd-analyze verify ${unit}`.quiet().nothrow();
    expect(`${verified.stdout}${verified.stderr}`).toBe("");
    const judged = await $`systemd-analyze security --offline=true --threshold=20 ${unit}`.quiet().nothrow();
    expect(String(judged.stdout)).toContain("Overall exposure level");
    expect(judged.exitCode).toBe(0);
  },
);

test.skipIf(isMissing(["shellcheck"]))("shellcheck finds nothing wrong with the scripts", async () => {
  const scripts = [
    "install.sh",
    "start",
    "test",
    "test-release",
    "suites",
    "release",
    "guide",
    ...["preinst", "postinst", "prerm", "postrm"].map((one) => `package/deb/${one}`),
  ].map((one) => `scripts/${one}`);
  expect(await $`shellcheck --external-sources --source-path=SCRIPTDIR ${scripts}`.nothrow().text()).toBe("");
});

test("the notes of a version are its section of the changelog, else the unreleased one", () => {
  const changelog =
    "# Changelog\n\n## Unreleased\n\n- new\n\n## 1.2.0 (2026-11-21)\n\n- old\n\n## 1.1.0\n\n- older\n";
  expect(releaseNotes(changelog, "1.2.0")).toBe("# stillup 1.2.0\n\n- old\n");
  expect(releaseNotes(changelog, "1.1.0")).toBe("# stillup 1.1.0\n\n- older\n");
  expect(releaseNotes(changelog, "1.2")).toBe("# stillup 1.2\n\n- new\n");
  expect(() => releaseNotes("# Changelog\n", "1.2.0")).toThrow('CHANGELOG.md must have a section "## 1.2.0"');
});
