/**
 * Processor time of one check in the thread that probes, by type, saturated and at a rate. The runner of the probe
 * thread runs in a process of its own, without scheduler, messages and recording. For comparison, in the same run, a
 * bare connection of Bun that sends a request and reads the first data.
 *
 * probes.ts [--rate PER_SECOND] [--seconds N] [--rounds N]
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
  },
});
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
using dns = await startDnsServer({ "A here.test": [{ type: "A", name: "here.test", data: "127.0.0.1" }] });
const [port, tlsPort] = [Number(plain.said), Number(secure.said)];

const kinds: (Pick<ProbeOrder, "kind" | "port" | "verify"> & { name: string; bare?: string })[] = [
  { name: "bare connection", kind: "bare", port },
  { name: "HTTP", kind: "HTTP", port, bare: "bare connection" },
  { name: "TCP", kind: "TCP", port, bare: "bare connection" },
  { name: "bare TLS connection", kind: "bareTls", port: tlsPort },
  { name: "HTTPS, verified", kind: "HTTPS", port: tlsPort, bare: "bare TLS connection" },
  { name: "HTTPS, not verified", kind: "HTTPS", port: tlsPort, verify: false, bare: "bare TLS connection" },
  { name: "TLS", kind: "TLS", port: tlsPort, bare: "bare TLS connection" },
  { name: "DNS", kind: "DNS", port: dns.port, bare: "bare connection" },
];

console.log(`Checks of local targets in separate processes by the runner of the probe thread alone, ${rounds} runs of ${seconds} s for each type, in turns;
medians (least to most). Microseconds of processor time of one check: of its thread, and of the whole process (compilation and garbage collection included).
`);
for (const at of [undefined, rate]) {
  const costs = new Map<string, ProbeCost[]>(kinds.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const { name, kind, port: of, verify } of kinds) {
      const one: ProbeOrder = { kind, port: of, seconds };
      if (verify !== undefined) one.verify = verify;
      if (at !== undefined) one.rate = at;
      costs.get(name)?.push(await measure(one));
    }
  }
  console.log(at === undefined ? "Saturated" : `\nAt ${at} checks/s`);
  for (const { name, bare } of kinds) {
    const [own = [], ofBare = []] = [costs.get(name), costs.get(bare ?? "")];
    const ratio = median(own.map(({ thread }) => thread)) / median(ofBare.map(({ thread }) => thread));
    const figures = `thread ${spread(own.map(({ thread }) => thread))}, process ${spread(own.map(({ all }) => all))}`;
    console.log(`${name.padEnd(20)} ${figures}${bare ? `; ${ratio.toFixed(2)} times the ${bare}` : ""}`);
  }
}
await plain.stop();
await secure.stop();

async function measure(order: ProbeOrder): Promise<ProbeCost> {
  const script = join(import.meta.dir, "support", "probe-load.ts");
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: ca };
  const child = Bun.spawn([process.execPath, script, JSON.stringify(order)], { env, stderr: "inherit" });
  const cost = (await new Response(child.stdout).json()) as ProbeCost;
  const failed = Object.keys(cost.outcomes).filter((outcome) => ["failed", "inconclusive"].includes(outcome));
  if (failed.length > 0) console.log(`${order.kind}: ${JSON.stringify(cost.outcomes)}`);
  return cost;
}
