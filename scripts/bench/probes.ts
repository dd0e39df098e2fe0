/**
 * Processor time of one check in the thread that probes, by type, saturated and at a rate. The runner of the probe
 * thread runs in a process of its own, without scheduler, messages and recording. For comparison, in the same run, a
 * bare connection of Bun that sends a request and reads the first data, and a check without the setting.
 *
 * probes.ts [--rate PER_SECOND] [--seconds N] [--rounds N] [--only PART_OF_A_NAME]
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createAuthority } from "../../test/support/servers/certificates.ts";
import { startDnsServer } from "../../test/support/servers/dns-server.ts";
import { median, spread } from "./support/figures.ts";
import type { ProbeCost, ProbeOrder } from "./support/probe-load.ts";
import { createFolder, startTarget } from "./support/processes.ts";

const { values } = parseArgs({
  options: {
    rate: { type: "string", default: "200" },
    seconds: { type: "string", default: "5" },
    rounds: { type: "string", default: "3" },
    only: { type: "string", default: "" },
  },
});
/** Bytes of the body that a check may read. */
const BODY = 100_000;
const [rate, seconds, rounds] = [Number(values.rate), Number(values.seconds), Number(values.rounds)];

using folder = createFolder();
const authority = await createAuthority();
const ca = join(folder.path, "ca.pem");
writeFileSync(ca, authority.cert);
const { cert, key } = await authority.issue([{ type: "ip", value: "127.0.0.1" }]);
const tlsFolder = join(folder.path, "tls");
mkdirSync(tlsFolder);
writeFileSync(join(tlsFolder, "cert.pem"), cert);
writeFileSync(join(tlsFolder, "key.pem"), key);
const [plain, secure] = [await startTarget(), await startTarget("--tls", tlsFolder)];
const large = await startTarget("--json", String(BODY));
const several = (name: string, count: number) => ({
  [`A ${name}`]: Array.from({ length: count }, (_, at) => ({
    type: "A" as const,
    name,
    data: `127.0.0.${at + 1}`,
  })),
});
using dns = await startDnsServer({
  "A here.test": [{ type: "A", name: "here.test", data: "127.0.0.1" }],
  ...several("two.test", 2),
  ...several("six.test", 6),
});
const [port, tlsPort, largePort] = [plain, secure, large].map(({ said }) => Number(said)) as [
  number,
  number,
  number,
];
const named = (name: string) => ({ kind: "HTTP" as const, port, host: name, dns: dns.port });

type Kind = Omit<ProbeOrder, "seconds" | "rate"> & { name: string; than?: string };
const all: Kind[] = [
  { name: "bare connection", kind: "bare", port },
  { name: "HTTP", kind: "HTTP", port, than: "bare connection" },
  { name: "TCP", kind: "TCP", port, than: "bare connection" },
  { name: "bare TLS connection", kind: "bareTls", port: tlsPort },
  { name: "HTTPS, verified", kind: "HTTPS", port: tlsPort, than: "bare TLS connection" },
  {
    name: "HTTPS, not verified",
    kind: "HTTPS",
    port: tlsPort,
    config: { verifyTls: false },
    than: "bare TLS connection",
  },
  { name: "TLS", kind: "TLS", port: tlsPort, than: "bare TLS connection" },
  { name: "DNS", kind: "DNS", port: dns.port, than: "bare connection" },
  { name: "body, status", kind: "HTTP", port: largePort, config: { expect: {} } },
  {
    name: "body, contains",
    kind: "HTTP",
    port: largePort,
    config: { expect: { contains: "{" } },
    than: "body, status",
  },
  {
    name: "body, complete",
    kind: "HTTP",
    port: largePort,
    config: { expect: { complete: true } },
    than: "body, status",
  },
  ...["two", "six"].flatMap((count) => [
    { ...named(`${count}.test`), name: `${count} addresses, any` },
    {
      ...named(`${count}.test`),
      name: `${count} addresses, each`,
      config: { everyAddress: true },
      than: `${count} addresses, any`,
    },
  ]),
];
const kinds = all.filter(({ name, than = "" }) => [name, than].some((one) => one.includes(values.only)));

console.log(`Checks of local targets in separate processes by the runner of the probe thread alone, ${rounds} runs of ${seconds} s for each type, in turns;
medians (least to most). Microseconds of processor time of one check: of its thread, and of the whole process (compilation and garbage collection included).
A body has ${BODY / 1000} kB. The addresses of a name are those of one target.
`);
for (const at of [undefined, rate]) {
  const costs = new Map<string, ProbeCost[]>(kinds.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, than: _, ...order } of kinds) {
      const timed = at === undefined ? { seconds } : { seconds, rate: at };
      costs.get(name)?.push(await measure({ ...order, ...timed }));
    }
  }
  console.log(at === undefined ? "Saturated" : `\nAt ${at} checks/s`);
  for (const { name, than } of kinds) {
    const [own = [], others = []] = [costs.get(name), costs.get(than ?? "")];
    const ratio = median(own.map(({ thread }) => thread)) / median(others.map(({ thread }) => thread));
    const figures = `thread ${spread(own.map(({ thread }) => thread))}, process ${spread(own.map(({ all }) => all))}`;
    console.log(`${name.padEnd(20)} ${figures}${than ? `; ${ratio.toFixed(2)} times ${than}` : ""}`);
  }
}
await plain.stop();
await secure.stop();
await large.stop();

async function measure(order: ProbeOrder): Promise<ProbeCost> {
  const script = join(import.meta.dir, "support", "probe-load.ts");
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: ca };
  const child = Bun.spawn([process.execPath, script, JSON.stringify(order)], { env, stderr: "inherit" });
  const cost = (await new Response(child.stdout).json()) as ProbeCost;
  const failed = Object.keys(cost.outcomes).filter((outcome) => ["failed", "inconclusive"].includes(outcome));
  if (failed.length > 0) console.log(`${order.kind}: ${JSON.stringify(cost.outcomes)}`);
  return cost;
}
