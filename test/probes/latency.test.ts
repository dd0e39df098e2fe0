import { expect, test } from "bun:test";
import type { MonitorConfig, ProbedType } from "../../src/domain/monitors/monitor.ts";
import { observation } from "../support/probes/observation.ts";
import { createAuthority } from "../support/servers/certificates.ts";
import { startDnsServer } from "../support/servers/dns-server.ts";
import { silent, startServer } from "../support/servers/tcp-server.ts";

const HOST = "late.test";
const STATUS_LINE = "HTTP/1.1 200 OK\r\n";

/** A DNS server that loses the first query. */
async function startLateDns() {
  const askedAt: number[] = [];
  const server = await startDnsServer({
    [`A ${HOST}`]: (times) => {
      askedAt.push(performance.now());
      return times === 1 ? "silence" : [{ type: "A", name: HOST, data: "127.0.0.1" }];
    },
  });
  return { server, askedAt };
}

async function startTarget(type: ProbedType) {
  if (type === "TCP") return startServer(silent);
  // After the status line there are neither headers nor a body.
  if (type === "HTTP") return startServer((socket) => socket.once("data", () => socket.write(STATUS_LINE)));
  const authority = await createAuthority();
  return startServer(silent, { tls: await authority.issue([{ type: "dns", value: HOST }]) });
}

test.each<[string, ProbedType, string[]]>([
  ["behavior 1.29: the latency of HTTP is to the status line", "HTTP", ["resolve", "connect", "firstByte"]],
  ["behavior 1.32: the latency of TCP is to the open connection", "TCP", ["resolve", "connect"]],
  ["behavior 1.39: the latency of TLS is to the end of the handshake", "TLS", ["resolve", "connect", "tls"]],
])("%s, name resolution included", async (_, type, steps) => {
  const { server: dns, askedAt } = await startLateDns();
  using _dns = dns;
  using target = await startTarget(type);
  const seen = await observation(type, configFor(type, target.port), { dnsServers: [dns], timeout: 3000 });
  if (seen.outcome !== "reached" && seen.outcome !== "certified") throw new Error(JSON.stringify(seen));
  const { latencyMs, detail } = seen;
  const [first = 0, second = 0] = askedAt;
  expect(latencyMs).toBeGreaterThanOrEqual(second - first);
  const phases = detail.phases as Record<string, number>;
  expect(Object.keys(phases)).toEqual(steps);
  expect(latencyMs).toBeGreaterThan(Object.values(phases).reduce((sum, phase) => sum + phase, -0.01));
});

function configFor(type: ProbedType, port: number) {
  return (
    type === "HTTP" ? { url: `http://${HOST}:${port}/` } : { host: HOST, port }
  ) as MonitorConfig<ProbedType>;
}
