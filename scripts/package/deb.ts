import { chmodSync, copyFileSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { $ } from "bun";
import { type PackageContent, writePackageFiles } from "./package-files.ts";

const SCRIPTS = ["preinst", "postinst", "prerm", "postrm"];
const CONFIGURATION = ["/etc/stillup/stillup.env", "/etc/stillup/stillup-probe.env"];

/**
 * Builds a package of Debian; the same content gives the same bytes.
 *
 * @param work an empty folder @param time seconds since 1970 @param file the package
 */
export async function buildDeb(
  content: PackageContent,
  options: { architecture: string; version: string; time: number; work: string; file: string },
): Promise<void> {
  const { work, time, file } = options;
  const [data, control] = [join(work, "data"), join(work, "control")];
  await writePackageFiles(data, { kind: "deb", content, time });
  mkdirSync(control);
  await Bun.write(join(control, "control"), controlFile(options, sizeOf(data)));
  await Bun.write(join(control, "conffiles"), CONFIGURATION.map((path) => `${path}\n`).join(""));
  for (const script of SCRIPTS) {
    copyFileSync(`scripts/package/deb/${script}`, join(control, script));
    chmodSync(join(control, script), 0o755);
  }
  await Bun.write(join(work, "debian-binary"), "2.0\n");
  await pack(control, time);
  await pack(data, time);
  // The order of the members is part of the format; D writes no times and no owners.
  await $`ar rcD ${file} debian-binary control.tar.gz data.tar.gz`.cwd(work).quiet();
}

async function pack(folder: string, time: number): Promise<void> {
  const owner = [
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    "--sort=name",
    "--format=ustar",
    `--mtime=@${time}`,
  ];
  const tar = await $`tar --create ${owner} --directory ${folder} .`.quiet().arrayBuffer();
  await Bun.write(`${folder}.tar.gz`, Bun.gzipSync(new Uint8Array(tar), { level: 6, library: "libdeflate" }));
}

function controlFile(
  { version, architecture }: { version: string; architecture: string },
  size: number,
): string {
  return `Package: stillup
Version: ${version.replace("-", "~")}
Architecture: ${architecture}
Maintainer: The stillup authors
Installed-Size: ${size}
Depends: libc6, systemd, init-system-helpers
Section: net
Priority: optional
Description: uptime monitoring in one binary
 Monitors websites, ports, certificates, DNS records and jobs, and notifies
 chat services, e-mail and webhooks. The server and the probe of another
 location are one program.
`;
}

/** Kibibytes. */
function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const bytes = entries
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).size);
  return Math.ceil(bytes.reduce((sum, size) => sum + size, 0) / 1024);
}
