import { chmodSync, copyFileSync, mkdirSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { environmentFile, SERVICES } from "./environment-file.ts";

/** A file of a package. @property from its path on this machine, or `text` @property mode for example 0o644 */
interface PackageFile {
  to: string;
  from?: string;
  text?: string;
  mode: number;
}

/** The files that a package installs, in the places of a distribution (behavior 16.193). */
export interface PackageContent {
  /** The path of the executable. */
  program: string;
  manualPage: string;
  completions: Record<"bash" | "zsh" | "fish", string>;
}

const ZSH = {
  deb: "usr/share/zsh/vendor-completions/_stillup",
  rpm: "usr/share/zsh/site-functions/_stillup",
};

/** Writes the files of a package below a folder. @param time of each, in seconds since 1970 */
export async function writePackageFiles(
  folder: string,
  { kind, content, time }: { kind: "deb" | "rpm"; content: PackageContent; time: number },
): Promise<void> {
  for (const { to, from, text, mode } of await listFiles(kind, content)) {
    const path = join(folder, to);
    mkdirSync(dirname(path), { recursive: true, mode: 0o755 });
    if (from === undefined) await Bun.write(path, text ?? "");
    else copyFileSync(from, path);
    chmodSync(path, mode);
    utimesSync(path, time, time);
  }
}

async function listFiles(kind: "deb" | "rpm", content: PackageContent): Promise<PackageFile[]> {
  const { program, manualPage, completions } = content;
  const license = kind === "deb" ? "usr/share/doc/stillup/copyright" : "usr/share/licenses/stillup/LICENSE";
  const files: PackageFile[] = [
    { to: "usr/bin/stillup", from: program, mode: 0o755 },
    { to: "usr/share/man/man1/stillup.1", text: manualPage, mode: 0o644 },
    { to: "usr/share/bash-completion/completions/stillup", text: completions.bash, mode: 0o644 },
    { to: ZSH[kind], text: completions.zsh, mode: 0o644 },
    { to: "usr/share/fish/vendor_completions.d/stillup.fish", text: completions.fish, mode: 0o644 },
    { to: license, from: "LICENSE", mode: 0o644 },
    { to: "usr/lib/stillup/allow-ping", from: "scripts/package/allow-ping", mode: 0o755 },
  ];
  for (const service of SERVICES) {
    const unit = await Bun.file(`scripts/package/${service}.service`).text();
    files.push(
      { to: `etc/stillup/${service}.env`, text: environmentFile(service), mode: 0o600 },
      {
        to: `usr/lib/systemd/system/${service}.service`,
        text: unit.replace("/usr/local/bin/stillup", "/usr/bin/stillup"),
        mode: 0o644,
      },
      { to: `usr/lib/sysusers.d/${service}.conf`, from: `scripts/package/${service}.sysusers`, mode: 0o644 },
    );
  }
  return files;
}
