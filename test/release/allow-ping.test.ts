import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { $ } from "bun";
import { isMissing } from "../support/requirements.ts";
import { tempDir } from "../support/temp-dir.ts";

const GROUPS = "root:x:0:\nstillup:x:998:\nother:x:997:\nstillup-probe:x:995:\n";

/** Runs the script in a namespace of its own for the network, with another /etc. @returns the range after it, and its files */
async function allowed(range: string, groups = GROUPS) {
  using etc = tempDir();
  writeFileSync(join(etc.path, "group"), groups);
  const script = `mount --bind ${etc.path} /etc
    range=/proc/sys/net/ipv4/ping_group_range
    echo ${range} >$range
    scripts/package/allow-ping >&2
    cat $range; cat /etc/sysctl.d/* 2>/dev/null | grep -v '^#' || true; ls /etc/sysctl.d 2>/dev/null || true`;
  const lines = (await $`unshare --net --mount sh -ec ${script}`.quiet().text()).trim().split("\n");
  return lines.map((line) => line.replace("\t", " "));
}

const setting = (range: string) => `net.ipv4.ping_group_range = ${range}`;

describe.skipIf(isMissing(["unshare"], { root: true }))(
  "behavior 20.39: a package lets its services ping",
  () => {
    test("where the range is closed", async () => {
      expect(await allowed("1 0")).toEqual(["995 998", setting("995 998"), "10-stillup.conf"]);
      const one = "stillup:x:998:\n";
      expect(await allowed("1 0", one)).toEqual(["998 998", setting("998 998"), "10-stillup.conf"]);
    });

    test.each(["0 2147483647", "995 998"])(
      "and leaves a range as it is that has its groups: %s",
      async (range) => {
        expect(await allowed(range)).toEqual([range]);
      },
    );

    test.each([
      ["100 200", "100 998"],
      ["997 1000", "995 1000"],
    ])("and takes the right from no other group of %s", async (range, widened) => {
      expect(await allowed(range)).toEqual([widened, setting(widened), "90-stillup.conf"]);
    });

    test("and nothing before the services have their users", async () => {
      expect(await allowed("1 0", "root:x:0:\n")).toEqual(["1 0"]);
    });

    test("of an image, where nothing changes now", async () => {
      using root = tempDir();
      mkdirSync(join(root.path, "etc"));
      writeFileSync(join(root.path, "etc/group"), GROUPS);
      const said = await $`scripts/package/allow-ping ${root.path}`.text();
      expect(said).toContain("Setting net.ipv4.ping_group_range to 995 998 in ");
      const written = await Bun.file(join(root.path, "etc/sysctl.d/10-stillup.conf")).text();
      expect(written).toEndWith(`${setting("995 998")}\n`);
    });
  },
);
