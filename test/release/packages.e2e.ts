import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { $ } from "bun";
import { version } from "../../package.json";
import { architectures, packageName } from "../../scripts/package/targets.ts";
import { eventually } from "../support/eventually.ts";
import { isLong } from "../support/long.ts";
import { Debian } from "../support/release/debian.ts";
import { builtTargets, releaseFolder } from "../support/release/release.ts";
import { isMissing } from "../support/requirements.ts";
import { tempDir } from "../support/temp-dir.ts";

setDefaultTimeout(300_000);

const DEB = packageName("deb", version, "amd64");
const DATA = "/var/lib/stillup";
const COMPLETIONS = [
  "/usr/share/bash-completion/completions/stillup",
  "/usr/share/fish/vendor_completions.d/stillup.fish",
];

describe.skipIf(!isLong || isMissing(["debootstrap", "systemd-nspawn", "curl"], { root: true }))(
  "on a Debian with systemd, the .deb",
  () => {
    let debian: Debian;

    beforeAll(async () => {
      debian = await Debian.create();
      copyFileSync(join(releaseFolder(), DEB), join(debian.root, "root", DEB));
      await debian.boot();
    }, 300_000);

    afterAll(async () => debian[Symbol.asyncDispose]());

    const succeed = async (script: string) => {
      const { code, printed } = await debian.run(script);
      if (code !== 0) throw new Error(`${script}\n${printed}`);
      return printed;
    };
    const isActive = async () => (await debian.run("systemctl is-active stillup")).printed;
    const mainPid = () => succeed("systemctl show --property=MainPID --value stillup");

    test("behavior 16.196: refuses to be installed beside what install.sh has installed", async () => {
      await succeed("touch /usr/local/bin/stillup");
      const { code, printed } = await debian.run(`dpkg --install ${DEB}`);
      expect([code, printed]).toEqual([1, expect.stringContaining("install.sh --uninstall")]);
      await succeed("rm /usr/local/bin/stillup");
    }, 300_000);

    test("behavior 16.193: installs, enables and starts the server only", async () => {
      await succeed(`dpkg --install ${DEB}`);
      expect(await succeed("stillup version")).toBe(version);
      expect(await succeed("systemctl is-enabled stillup")).toBe("enabled");
      expect((await debian.run("systemctl is-enabled stillup-probe")).printed).toBe("disabled");
      expect(await isActive()).toBe("active");
      expect(await debian.fetch("http://127.0.0.1:7070/healthz")).toContain('"status":"ok"');
      expect(await succeed(`stat -c '%U %a' ${DATA} ${DATA}/initial-owner-key`)).toBe(
        "stillup 700\nstillup 600",
      );
      expect(await succeed("stat -c '%U %a' /etc/stillup/stillup.env")).toBe("root 600");
      await succeed(`ls ${COMPLETIONS.join(" ")} /usr/share/zsh/vendor-completions/_stillup`);
      expect(await succeed("cat /usr/share/man/man1/stillup.1")).toContain(`"stillup ${version}"`);
    }, 300_000);

    test("behavior 20.39: lets the restricted service ping", async () => {
      const group = await succeed("id -g stillup");
      const range = await succeed("cat /proc/sys/net/ipv4/ping_group_range");
      const [first, last] = range.split(/\s+/).map(Number);
      expect(Number(group)).toBeWithin(first ?? 0, (last ?? 0) + 1);
      expect(await succeed("cat /etc/sysctl.d/10-stillup.conf")).toContain(
        `net.ipv4.ping_group_range = ${first} ${last}`,
      );
      const key = await succeed(`cat ${DATA}/initial-owner-key`);
      const target = { type: "TCP", config: { host: "127.0.0.1", protocol: "icmp", interval: 60 } };
      const headers = ["Content-Type: application/json", `Authorization: Bearer ${key}`];
      const options = [...headers.flatMap((one) => ["--header", one]), "--data", JSON.stringify(target)];
      expect(await debian.fetch("http://127.0.0.1:7070/api/v1/probe", options)).toContain('"status":"up"');
    }, 300_000);

    test("behavior 16.194: upgrades what runs, and keeps settings and data", async () => {
      const later =
        "mkdir t && dpkg-deb --raw-extract *.deb t && sed -i 's/^Version:.*/Version: 99/' t/DEBIAN/control";
      await succeed(`${later} && dpkg-deb --build -Znone t /later.deb && rm -r t`);
      await succeed("echo STILLUP_LOG_LEVEL=warn >>/etc/stillup/stillup.env");
      const [pid, key] = [await mainPid(), await succeed(`cat ${DATA}/initial-owner-key`)];
      await succeed("dpkg --install /later.deb");
      expect(await isActive()).toBe("active");
      expect(await mainPid()).not.toBe(pid);
      expect(await succeed(`cat ${DATA}/initial-owner-key`)).toBe(key);
      expect(await succeed("tail -1 /etc/stillup/stillup.env")).toBe("STILLUP_LOG_LEVEL=warn");
      await succeed("systemctl disable --now --quiet stillup; dpkg --install /later.deb");
      expect(await isActive()).toBe("inactive");
      expect((await debian.run("systemctl is-enabled stillup")).printed).toBe("disabled");
    }, 300_000);

    test("behavior 16.195: stops when it is removed, starts when it is installed again, and deletes data and settings when it is purged", async () => {
      await succeed("systemctl start stillup; dpkg --remove stillup");
      await eventually(async () => (await isActive()) !== "active");
      expect((await debian.run("command -v stillup")).code).not.toBe(0);
      await succeed(`ls ${DATA}/stillup.db /etc/stillup/stillup.env`);
      await succeed("dpkg --install /later.deb");
      expect(await isActive()).toBe("active");
      expect(await succeed("systemctl is-enabled stillup")).toBe("enabled");
      await succeed("dpkg --purge stillup");
      expect((await debian.run("id stillup")).code).not.toBe(0);
      for (const path of [DATA, "/etc/stillup", "/etc/sysctl.d/10-stillup.conf"])
        expect(existsSync(debian.root + path)).toBe(false);
      expect((await debian.run("find / -xdev -name '*stillup*' -not -path '/proc/*'")).printed).not.toContain(
        "/usr/",
      );
    }, 300_000);

    test.skipIf(isMissing(["rpm"]))(
      "behavior 16.193, 16.195: and the .rpm installs the same, and removes it",
      async () => {
        const file = join(releaseFolder(), packageName("rpm", version, "x86_64"));
        const rpm = ["--root", debian.root, "--nodeps"];
        await succeed("touch /usr/local/bin/stillup");
        const refused = await $`rpm ${rpm} --install ${file}`.quiet().nothrow();
        expect(String(refused.stderr)).toContain("install.sh --uninstall");
        await succeed("rm /usr/local/bin/stillup");
        await $`rpm ${rpm} --install ${file}`.quiet();
        expect(await succeed("stillup version")).toBe(version);
        expect(await succeed("systemctl is-enabled stillup")).toBe("enabled");
        await succeed("systemctl daemon-reload; systemctl start stillup");
        expect(await succeed("stat -c '%U %a' /etc/stillup/stillup.env")).toBe("root 600");
        await succeed("systemctl stop stillup; echo STILLUP_LOG_LEVEL=warn >>/etc/stillup/stillup.env");
        await $`rpm ${rpm} --erase stillup`.quiet();
        expect((await debian.run("command -v stillup")).code).not.toBe(0);
        expect(await succeed("tail -1 /etc/stillup/stillup.env.rpmsave")).toBe("STILLUP_LOG_LEVEL=warn");
        await succeed(`ls ${DATA}/stillup.db`);
      },
      300_000,
    );
  },
);

test.skipIf(isMissing(["rpm", "dpkg-deb"]))(
  "behavior 16.192: the packages of a release have its program, for each architecture",
  async () => {
    using dir = tempDir();
    for (const { deb, rpm } of builtTargets.flatMap((target) => architectures[target] ?? [])) {
      const file = join(releaseFolder(), packageName("rpm", version, rpm));
      expect(await $`rpm --query --package --queryformat "%{NAME} %{ARCH}" ${file}`.text()).toBe(
        `stillup ${rpm}`,
      );
      const digests =
        await $`rpm --query --package --queryformat "[%{FILENAMES} %{FILEDIGESTS}\n]" ${file}`.text();
      const into = join(dir.path, deb);
      await $`dpkg-deb --extract ${join(releaseFolder(), packageName("deb", version, deb))} ${into}`;
      const bytes = await Bun.file(join(into, "usr/bin/stillup")).bytes();
      const digest = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
      expect(digests).toContain(`/usr/bin/stillup ${digest}`);
    }
  },
);
