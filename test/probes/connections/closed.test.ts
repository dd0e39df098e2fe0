import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import type { Socket } from "node:net";
import type { Observation } from "../../../src/domain/checks/observation.ts";
import { createNetwork, OpenSockets } from "../../../src/probes/connections/network.ts";
import { Lifetime } from "../../../src/probes/lifetime.ts";
import { eventually } from "../../support/eventually.ts";
import { observation } from "../../support/probes/observation.ts";
import { createAuthority } from "../../support/servers/certificates.ts";
import { startDnsServer } from "../../support/servers/dns-server.ts";
import { silent, startServer } from "../../support/servers/tcp-server.ts";

const ROUNDS = 5;
/** Milliseconds. A TLS connection that is only ended stays open for ten seconds. */
const SOON = 6000;
const NAME = "here.test";

const openDescriptors = () => readdirSync("/proc/self/fd").length;

/** The number of client sockets that are connected to local ports and have a descriptor (proc_net_tcp(5)). */
function connectedTo(ports: number[]): number {
  const [REMOTE, INODE] = [2, 9];
  const sockets = readFileSync("/proc/net/tcp", "utf8").trim().split("\n").slice(1);
  return sockets.filter((line) => {
    const fields = line.trim().split(/\s+/);
    return ports.includes(Number.parseInt(fields[REMOTE]?.split(":")[1] ?? "", 16)) && fields[INODE] !== "0";
  }).length;
}

/** Answers and keeps the connection. */
const keeping = (answer: string) => (socket: Socket) => void socket.once("data", () => socket.write(answer));

test("after checks of every outcome, no socket is left open or counted, even if the servers close none", async () => {
  const before = openDescriptors();
  const tls = {
    ...(await (await createAuthority()).issue([{ type: "dns", value: NAME }])),
    allowHalfOpen: true,
  };
  const web = await startServer(keeping("HTTP/1.1 200 OK\r\n\r\n"));
  const secure = await startServer(keeping("HTTP/1.1 200 OK\r\n\r\n"), { tls });
  const redirecting = await startServer(keeping("HTTP/1.1 302 Found\r\nLocation: /next\r\n\r\n"));
  const garbage = await startServer(keeping("nonsense\r\n"));
  const mute = await startServer(silent);
  const resetting = await startServer((socket) => void socket.once("data", () => socket.resetAndDestroy()));
  const dns = await startDnsServer({ [`A ${NAME}`]: [{ type: "A", name: NAME, data: "127.0.0.1" }] });
  const servers = [web, secure, redirecting, garbage, mute, resetting];
  const count = new Int32Array(1);
  const network = createNetwork({ privateTargets: "allow", dnsServers: [dns] }, new OpenSockets(count));
  const short = { network, timeout: 100 };
  const http = (url: string, more = {}) => observation("HTTP", { url, ...more }, { network });
  const host = "127.0.0.1";

  const checks: (() => Promise<Observation>)[] = [
    () => http(`http://${NAME}:${web.port}/`),
    () => http(`https://${NAME}:${secure.port}/`, { verifyTls: false }),
    () => http(`https://${NAME}:${secure.port}/`),
    () => http(`https://${host}:${garbage.port}/`),
    () => http(`http://${host}:${redirecting.port}/`, { redirects: 2 }),
    () => http(`http://${host}:${garbage.port}/`),
    () => http(`http://${host}:${resetting.port}/`),
    () => http(`https://${host}:${resetting.port}/`),
    () => http("http://unknown.test/"),
    () => observation("HTTP", { url: `http://${host}:${mute.port}/` }, short),
    () => observation("HTTP", { url: `https://${host}:${mute.port}/` }, short),
    () => observation("TCP", { host, port: web.port }, { network }),
    () => observation("TCP", { host, port: mute.port, contains: "x" }, short),
    () => observation("TLS", { host, port: secure.port }, { network }),
    () => observation("TLS", { host, port: mute.port }, short),
    () => observation("DNS", { hostname: NAME, recordType: "A" }, { network }),
    () => cancelled(`http://${host}:${mute.port}/`),
    () => cancelled(`https://${host}:${mute.port}/`),
  ];
  async function cancelled(url: string): Promise<Observation> {
    const lifetime = new Lifetime();
    const seen = observation("HTTP", { url }, { network, lifetime });
    await Promise.resolve();
    lifetime.close();
    return seen;
  }

  const outcomes = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const seen of await Promise.all(checks.map((check) => check()))) outcomes.add(seen.outcome);
  }
  expect([...outcomes].sort()).toEqual(["certified", "failed", "inconclusive", "looked_up", "reached"]);
  await eventually(() => connectedTo(servers.map(({ port }) => port)) === 0, SOON);
  await eventually(() => count[0] === 0);
  for (const server of [...servers, dns]) server[Symbol.dispose]();
  await eventually(() => openDescriptors() <= before);
});
