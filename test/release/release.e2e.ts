import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { $ } from "bun";
import { version } from "../../package.json";
import { SERVICES } from "../../scripts/package/environment-file.ts";
import { releaseNotes } from "../../scripts/package/release-notes.ts";
import { architectures, packageName, type Target } from "../../scripts/package/targets.ts";
import { probeSettings, serveSettings, settings } from "../../src/config.ts";
import { isLong } from "../support/long.ts";
import { archiveOf, builtTargets, releaseFolder, unpack } from "../support/release/release.ts";
import { isMissing } from "../support/requirements.ts";
import { tempDir } from "../support/temp-dir.ts";

setDefaultTimeout(300_000);

test("a release has an archive for each target that is built, and SHA256SUMS for all files", async () => {
  const files = readdirSync(releaseFolder()).sort();
  const archives = builtTargets.map((target) => `stillup-${version}-${target}.tar.gz`);
  const packages = builtTargets.flatMap((target) => packagesOf(target));
  expect(files).toEqual(
    [...archives, ...packages, `stillup-${version}.cdx.json`, "NOTES.md", "SHA256SUMS", "install.sh"].sort(),
  );
  const checked = await $`sha256sum --strict --check SHA256SUMS`.cwd(releaseFolder()).text();
  expect(checked.match(/: OK$/gm)).toHaveLength(files.length - 1);
});

/** The names of the packages of a target. */
function packagesOf(target: Target): string[] {
  const names = architectures[target];
  if (!names) return [];
  const rpm = Bun.which("rpmbuild") ? [packageName("rpm", version, names.rpm)] : [];
  return [packageName("deb", version, names.deb), ...rpm];
}

// Only one target, because the others differ only in the runtime that Bun puts before the same sources.
test.skipIf(!isLong)(
  "the same commit gives the same bytes in another folder, and they do not contain its path",
  async () => {
    using dir = tempDir();
    const build = async (folder: string) => {
      await $`git clone --quiet --no-hardlinks . ${folder}`;
      await $`${folder}/scripts/release --target linux-x64`.quiet();
      return Bun.file(join(folder, "dist/release/SHA256SUMS")).text();
    };
    const first = join(dir.path, "first");
    const second = join(dir.path, "deeper", "second");
    expect(await build(first)).toBe(await build(second));

    const [archive = ""] = readdirSync(join(first, "dist/release")).filter((name) =>
      name.endsWith(".tar.gz"),
    );
    const unpacked = join(dir.path, "unpacked");
    mkdirSync(unpacked);
    const built = await unpack(join(first, "dist/release", archive), unpacked);
    const named = await $`grep --count --text --fixed-strings ${dir.path} ${join(built, "stillup")}`
      .nothrow()
      .text();
    expect(named.trim()).toBe("0");

    await Bun.write(join(first, "README.md"), "changed");
    const refused = await $`${first}/scripts/release --target linux-x64`.quiet().nothrow();
    expect(refused.exitCode).toBe(1);
    expect(String(refused.stderr)).toContain("commit these changes first, or give --dirty:\n M README.md");
  },
);

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
