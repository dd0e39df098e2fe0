/**
 * Prints the observations of hosts, by host: with the DNS servers of the system, and with the same server as a setting.
 * It needs a network of its own, in which port 53 is free and /etc/resolv.conf names 127.0.0.1.
 */
import { startDnsServer } from "../servers/dns-server.ts";
import { silent, startServer } from "../servers/tcp-server.ts";
import { observation } from "./observation.ts";

const hosts = process.argv.slice(2);
const address = (name: string) => ({ type: "A" as const, name, data: "127.0.0.1" });
using dns = await startDnsServer(
  {
    "A intranet.corp.test": [address("intranet.corp.test")],
    "A wiki.intra.corp.test": [address("wiki.intra.corp.test")],
    "A broken.intra.corp.test": [address("broken.intra.corp.test")],
    "broken.intra": { code: "SERVFAIL" },
  },
  { port: 53 },
);
using server = await startServer(silent);

const observe = async (host: string, dnsServers?: (typeof dns)[]) => {
  const seen = await observation("TCP", { host, port: server.port }, dnsServers ? { dnsServers } : {});
  return seen.outcome === "failed" ? seen.reason : seen.outcome;
};
const found: Record<string, [string, string]> = {};
for (const host of hosts) found[host] = [await observe(host), await observe(host, [dns])];
await Bun.write(Bun.stdout, JSON.stringify(found));
