import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, chownSync, copyFileSync, cpSync, mkdirSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { $ } from "bun";
import { version } from "../../package.json";
import { isLong } from "../support/long.ts";
import { Debian } from "../support/release/debian.ts";
import { archiveOf, releaseFolder, unpack } from "../support/release/release.ts";
import { isMissing } from "../support/requirements.ts";
import { tempDir } from "../support/temp-dir.ts";

setDefaultTimeout(300_000);

/** The files for stores as the release contains them, with checksums. */
async function kit(into: string): Promise<string> {
  return unpack(join(releaseFolder(), `stillup-${version}-deploy.tar.gz`), into);
}

test.skipIf(isMissing(["makepkg", "bsdtar", "fakeroot", "setpriv", "prlimit"], { root: true }))(
  "behavior 24.121: makepkg builds a package from the archive of the release, whose program runs",
  async () => {
    using dir = tempDir();
    const work = join(dir.path, "work");
    const archive = archiveOf("linux-x64");
    mkdirSync(join(dir.path, "kit"));
    cpSync(join(await kit(join(dir.path, "kit")), "aur"), work, { recursive: true });
    copyFileSync(archive, join(work, basename(archive)));
    for (const path of [dir.path, work, ...readdirSync(work).map((name) => join(work, name))])
      chownSync(path, 65534, 65534);
    const places = { HOME: work, PKGDEST: work, SRCDEST: work, BUILDDIR: work };
    // makepkg refuses root, and fakeroot tries to close each descriptor that the limit allows.
    await $`prlimit --nofile=1024:1024 setpriv --reuid=65534 --regid=65534 --clear-groups makepkg --nodeps`
      .cwd(work)
      .env({ ...Bun.env, ...places })
      .quiet();
    const [built = ""] = readdirSync(work).filter((name) => name.includes(".pkg.tar"));
    expect(built).toStartWith(`stillup-bin-${version}-1-x86_64.pkg.tar`);
    const listed = (await $`bsdtar -tf ${join(work, built)}`.text()).split("\n");
    expect(listed.filter((name) => /^[^.].*[^/]$/.test(name)).sort()).toEqual([
      "etc/stillup/stillup-probe.env",
      "etc/stillup/stillup.env",
      "usr/bin/stillup",
      "usr/lib/systemd/system/stillup-probe.service",
      "usr/lib/systemd/system/stillup.service",
      "usr/lib/sysusers.d/stillup-probe.conf",
      "usr/lib/sysusers.d/stillup.conf",
      "usr/share/bash-completion/completions/stillup",
      "usr/share/fish/vendor_completions.d/stillup.fish",
      "usr/share/licenses/stillup-bin/LICENSE",
      "usr/share/man/man1/stillup.1.gz",
      "usr/share/zsh/site-functions/_stillup",
    ]);
    const installed = join(dir.path, "installed");
    mkdirSync(installed);
    await $`bsdtar -xf ${join(work, built)} -C ${installed}`.quiet();
    expect(await $`${join(installed, "usr/bin/stillup")} version`.text()).toBe(`${version}\n`);
    expect(await $`zcat ${join(installed, "usr/share/man/man1/stillup.1.gz")}`.text()).toContain("stillup");
    const unit = await Bun.file(join(installed, "usr/lib/systemd/system/stillup.service")).text();
    expect(unit).toContain("\nExecStart=/usr/bin/stillup serve\n");
    expect(await $`bsdtar -xOf ${join(work, built)} .PKGINFO`.text()).toContain(
      "backup = etc/stillup/stillup.env\n",
    );
  },
);

test.skipIf(isMissing(["ruby"]))(
  "behavior 24.121: the formula installs the archive of the release, and its own test passes",
  async () => {
    using dir = tempDir();
    for (const name of ["kit", "archive"]) mkdirSync(join(dir.path, name));
    const formula = join(await kit(join(dir.path, "kit")), "homebrew/stillup.rb");
    const folder = await unpack(archiveOf("linux-x64"), join(dir.path, "archive"));
    const harness = "test/support/kit/formula.rb";
    const facts = await $`ruby ${harness} ${formula} ${folder} ${join(dir.path, "prefix")}`.json();
    const sum = (await $`sha256sum ${archiveOf("linux-x64")}`.text()).split(" ")[0];
    expect(facts.architectures.intel.sha256).toBe(sum);
  },
);

const leftOut = !isLong || isMissing(["debootstrap", "systemd-nspawn", "curl"], { root: true });

describe.skipIf(leftOut)("on a Debian with systemd", () => {
  let debian: Debian;
  const dir = tempDir();

  beforeAll(async () => {
    debian = await Debian.create();
    await debian.boot();
  }, 300_000);

  afterAll(async () => {
    await debian[Symbol.asyncDispose]();
    dir[Symbol.dispose]();
  });

  const succeed = async (script: string) => {
    const { code, printed } = await debian.run(script);
    if (code !== 0) throw new Error(`${script}\n${printed}`);
    return printed;
  };

  /** Programs of a host of Proxmox that the script calls. The Debian is the container. */
  async function proxmoxHost(): Promise<string> {
    const folder = join(dir.path, "host");
    const programs = {
      pvesh: "echo 105",
      pveam: `case $1 in
        available) printf 'system  debian-12-standard_12.7-1_amd64.tar.zst\\nsystem  debian-13-standard_13.1-2_amd64.tar.zst\\n' ;;
        *) echo "pveam $*" >>${folder}/calls ;;
      esac`,
      pct: `case $1 in
        exec) shift 3
          case "$*" in "hostname -I") echo 192.0.2.5; exit ;; esac
          exec ${debian.entry().join(" ")} "$@" ;;
        push) cp "$3" "${debian.root}$4" ;;
        *) echo "pct $*" >>${folder}/calls ;;
      esac`,
      wget: `shift; to=\${1#*=}; shift
        for url; do
          case $url in https://github.com/stillup/stillup/releases/download/v${version}/*) ;; *) exit 8 ;; esac
          cp "${releaseFolder()}/\${url##*/}" "$to"
        done`,
    };
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(programs)) {
      await Bun.write(join(folder, name), `#!/bin/sh\n${text}\n`);
      chmodSync(join(folder, name), 0o755);
    }
    return folder;
  }

  test("behavior 24.123: the script for Proxmox installs the package of the release, and ends with a link that invites", async () => {
    const host = await proxmoxHost();
    const script = resolve("deploy/proxmox/stillup-lxc");
    const run = (...options: string[]) =>
      $`${script} ${options}`.env({ ...Bun.env, PATH: `${host}:${Bun.env.PATH}` }).text();
    const printed = await run("--owner-email", "ana@example.com");
    const [, link = ""] = /(http:\/\/192\.0\.2\.5:7070\/invite\/\S+)$/m.exec(printed) ?? [];
    const path = link.replace("http://192.0.2.5:7070", "");
    expect(path).toStartWith("/invite/");
    const calls = await Bun.file(join(host, "calls")).text();
    expect(calls).toContain(
      "pct create 105 local:vztmpl/debian-13-standard_13.1-2_amd64.tar.zst --hostname stillup --unprivileged 1",
    );
    expect(await debian.fetch("http://127.0.0.1:7070/healthz")).toContain('"status":"ok"');
    // Not only on the loopback address.
    expect(await succeed("cat /proc/net/tcp")).toMatch(/ 00000000:1B9E 00000000:0000 0A /);
    expect(await succeed("stillup version")).toBe(version);

    await run("--upgrade", "105");
    expect(await debian.fetch("http://127.0.0.1:7070/healthz")).toContain('"status":"ok"');
    await succeed("dpkg --purge stillup; rm -r /etc/systemd/system/stillup.service.d");
  });

  test("behavior 24.124: an installation of YunoHost is invited, backed up while it runs, removed and restored with its data", async () => {
    const archive = archiveOf("linux-x64");
    copyFileSync(archive, join(debian.root, "root/archive.tar.gz"));
    cpSync("deploy/yunohost", join(debian.root, "root/app"), { recursive: true });
    mkdirSync(join(debian.root, "usr/share/yunohost"), { recursive: true });
    copyFileSync("test/support/kit/yunohost-helpers.sh", join(debian.root, "usr/share/yunohost/helpers"));
    const [install, data] = ["/var/www/stillup_2", "/home/yunohost.app/stillup_2"];
    const values = {
      app: "stillup_2",
      install_dir: install,
      data_dir: data,
      domain: "up.example.com",
      path: "",
      port: "7171",
      mail_pwd: "secret",
      owner_email: "ana@example.com",
      new_domain: "new.example.com",
      YNH_APP_BASEDIR: "/root/app",
    };
    const environment = Object.entries(values)
      .map(([name, value]) => `${name}='${value}'`)
      .join(" ");
    const run = (script: string, folder = "/root/app/scripts") =>
      succeed(`cd ${folder} && env ${environment} bash -e /root/app/scripts/${script}`);
    const create = `mkdir -p ${install} ${data}`;

    await succeed(`useradd --system stillup_2; ${create}`);
    await run("install");
    const health = () => debian.fetch("http://127.0.0.1:7171/healthz");
    expect(await health()).toContain('"status":"ok"');
    expect(await succeed("journalctl --unit=stillup_2 --output=cat")).toContain(
      "https://up.example.com/invite/",
    );
    expect(await succeed(`stat --format '%U %a' ${data} ${install}/stillup.env`)).toBe(
      "stillup_2 700\nroot 400",
    );
    const key = await succeed(`cat ${data}/initial-owner-key`);
    const monitors = (...options: string[]) =>
      debian.fetch("http://127.0.0.1:7171/api/v1/monitors", [
        "-H",
        `Authorization: Bearer ${key}`,
        ...options,
      ]);
    const job = { name: "kept", type: "SCHEDULED", config: {} };
    expect(await monitors("--json", JSON.stringify(job))).toContain("https://up.example.com/");

    await run("upgrade");
    expect(await monitors()).toContain('"kept"');
    await succeed("mkdir -p /root/saved/backup && cp -r /root/app /root/saved/settings");
    await run("backup", "/root/saved/backup");
    expect(await health()).toContain('"status":"ok"');

    await run("remove");
    await succeed(`rm -r ${install} ${data}; ${create}`);
    await run("restore", "/root/saved/backup");
    expect(await monitors()).toContain('"kept"');

    await run("change_url");
    const moved = { ...job, name: "moved" };
    expect(await monitors("--json", JSON.stringify(moved))).toContain("https://new.example.com/");
  });
});
