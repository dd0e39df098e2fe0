import { readFile } from "node:fs/promises";
import { isIP } from "node:net";

/** The addresses of a host in `/etc/hosts`; most hosts have none there. */
export async function addressesInHostsFile(host: string): Promise<string[]> {
  return addressesIn(await readFile("/etc/hosts", "utf8").catch(() => ""), host);
}

/** @param text lines that start with an address, followed by its names; `#` starts a comment (hosts(5)) */
export function addressesIn(text: string, host: string): string[] {
  const wanted = host.toLowerCase();
  const lines = text.split("\n").map((line) => line.replace(/#.*/, "").trim().split(/\s+/));
  const matching = lines.filter(([, ...names]) => names.some((name) => name.toLowerCase() === wanted));
  return matching.map(([address = ""]) => address).filter((address) => isIP(address));
}
