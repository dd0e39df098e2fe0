import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { isMissing } from "../../support/requirements.ts";
import { tempDir } from "../../support/temp-dir.ts";

setDefaultTimeout(300_000);

const PROGRAM = join(import.meta.dir, "../../support/probes/search-domain.ts");

/** Runs the program in a network of its own, with a resolv.conf that names 127.0.0.1 and the search domain `corp.test`. */
async function observeHosts(...hosts: string[]): Promise<Record<string, [string, string]>> {
  using dir = tempDir();
  const file = join(dir.path, "resolv.conf");
  await Bun.write(file, "nameserver 127.0.0.1\nsearch corp.test\n");
  const isolated = `ip link set lo up && mount --bind "$0" /etc/resolv.conf && exec "$@"`;
  const command = ["unshare", "--net", "--mount", "sh", "-c", isolated, file];
  const child = Bun.spawn([...command, process.execPath, PROGRAM, ...hosts], { stderr: "inherit" });
  return (await new Response(child.stdout).json()) as Record<string, [string, string]>;
}

test.skipIf(isMissing(["unshare", "ip"], { root: true }))(
  "behavior 1.19: search domains complete unknown names and those with one label, only without --dns-servers",
  async () => {
    const seen = await observeHosts("intranet", "wiki.intra", "wiki.intra.", "broken.intra", "unknown");
    expect(seen).toEqual({
      intranet: ["reached", "dns_not_found"],
      "wiki.intra": ["reached", "dns_not_found"],
      "wiki.intra.": ["dns_not_found", "dns_not_found"],
      "broken.intra": ["dns_failed", "dns_failed"],
      unknown: ["dns_not_found", "dns_not_found"],
    });
  },
);
