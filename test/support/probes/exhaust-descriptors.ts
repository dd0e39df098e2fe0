/** Prints the outcomes of checks of healthy targets with free descriptors, without any, and with free ones again. */
import { closeSync, openSync, readdirSync } from "node:fs";
import type { Observation } from "../../../src/domain/checks/observation.ts";
import { type Check, startProbeThread } from "../../../src/probes/probe-thread.ts";
import { eventually } from "../eventually.ts";
import { createAuthority } from "../servers/certificates.ts";
import { startDnsServer } from "../servers/dns-server.ts";
import { answering, silent, startServer } from "../servers/tcp-server.ts";

const host = "here.test";
const dns = await startDnsServer({ [`A ${host}`]: [{ type: "A", name: host, data: "127.0.0.1" }] });
const authority = await createAuthority();
const web = await startServer(answering("HTTP/1.1 200 OK\r\n\r\n"));
const tls = await startServer(silent, { tls: await authority.issue([{ type: "dns", value: host }]) });

const entry = new URL("../../../src/probes/probe-worker.ts", import.meta.url);
const settings = { privateTargets: "allow" as const, dnsServers: [{ address: dns.address, port: dns.port }] };
const thread = startProbeThread(entry, settings, () => {});

const when = { startAt: 0, timeout: 1000 };
const interval = 60;
const checks: Check[] = [
  { ...when, type: "HTTP", config: { url: `http://127.0.0.1:${web.port}/`, interval } },
  { ...when, type: "TCP", config: { host, port: web.port, interval } },
  { ...when, type: "TLS", config: { host: "127.0.0.1", port: tls.port, interval } },
  { ...when, type: "DNS", config: { hostname: host, recordType: "A", interval } },
];
const outcomes = async () => {
  const seen = await Promise.all(checks.map((check): Promise<Observation> => thread.run(check)));
  return seen.map((one) => ("isShortage" in one ? "shortage" : one.outcome));
};

const inUse = () => readdirSync("/proc/self/fd").length;
await thread.ping();
const idle = inUse();
const before = await outcomes();
// All sockets of these checks are closed.
await eventually(() => inUse() <= idle);
const hoard: number[] = [];
try {
  for (;;) hoard.push(openSync("/dev/null", "r"));
} catch {}
const without = await outcomes();
for (const descriptor of hoard) closeSync(descriptor);
const after = await outcomes();
await Bun.write(Bun.stdout, JSON.stringify({ before, without, after }));
process.exit();
