import { expect, test } from "bun:test";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import type { Observation } from "../../src/domain/checks/observation.ts";
import type { MonitorConfig } from "../../src/domain/monitors/monitor.ts";
import { CountingNetwork, createNetwork } from "../../src/probes/connections/network.ts";
import { Lifetime } from "../../src/probes/lifetime.ts";
import { freePort } from "../support/free-port.ts";
import { observation } from "../support/probes/observation.ts";
import { isMissing } from "../support/requirements.ts";
import { createAuthority } from "../support/servers/certificates.ts";
import { startDnsServer, type TestDnsServer } from "../support/servers/dns-server.ts";
import { answer, startHttpServer } from "../support/servers/http-answers.ts";
import { silent, startServer } from "../support/servers/tcp-server.ts";

const NAME = "several.test";
const [FIRST, SECOND, THIRD] = ["127.0.0.2", "127.0.0.3", "127.0.0.4"];
const OK = answer("200 OK", ["Content-Length: 2"], "ok");

const records = (...addresses: string[]) =>
  addresses.map((data) => ({
    type: data.includes(":") ? ("AAAA" as const) : ("A" as const),
    name: NAME,
    data,
  }));

/** A DNS server that knows the addresses of the name. */
function named(...addresses: string[]): Promise<TestDnsServer> {
  return startDnsServer({
    [`A ${NAME}`]: records(...addresses.filter((one) => !one.includes(":"))),
    [`AAAA ${NAME}`]: records(...addresses.filter((one) => one.includes(":"))),
  });
}

interface Seen {
  address: string;
  evidence: { outcome: string; reason?: string; latencyMs?: number; detail: Record<string, unknown> };
}

function seenBy(observed: Observation): Seen[] {
  expect(observed).toMatchObject({ outcome: "by_address" });
  return (observed as unknown as { addresses: Seen[] }).addresses;
}

/** The address and the outcome, or the reason, of each check. */
function gistOf(observed: Observation): string[] {
  return seenBy(observed).map(({ address, evidence }) => `${address} ${evidence.reason ?? evidence.outcome}`);
}

async function observe<T extends "HTTP" | "TCP" | "TLS">(
  type: T,
  config: Omit<MonitorConfig<T>, "interval">,
  { dns, ...options }: { dns: TestDnsServer } & Parameters<typeof observation>[2],
) {
  return await observation(type, { ...config, everyAddress: true }, { dnsServers: [dns], ...options });
}

test("behavior 10.100: each address is checked, in the order of the addresses", async () => {
  using dns = await named(THIRD, "127.0.0.10", FIRST, THIRD);
  const port = await freePort();
  using first = await startHttpServer(() => OK, { host: FIRST, port });
  using tenth = await startHttpServer(() => OK, { host: "127.0.0.10", port });
  const seen = await observe("HTTP", { url: `http://${NAME}:${port}/` }, { dns });
  expect(gistOf(seen)).toEqual([`${FIRST} reached`, `${THIRD} refused`, "127.0.0.10 reached"]);
  for (const { received } of [first, tenth]) expect(received()).toContain(`Host: ${NAME}:${port}`);
  const [reached, refused] = seenBy(seen).map(({ evidence }) => evidence);
  expect(reached).toMatchObject({ detail: { statusCode: 200, address: FIRST } });
  expect(refused).toMatchObject({ detail: { address: THIRD } });
});

test("behavior 10.100: at most 6 addresses are checked, the first ones", async () => {
  const addresses = Array.from({ length: 8 }, (_, at) => `127.0.0.${18 - at}`);
  using dns = await named(...addresses);
  const port = await freePort();
  const seen = await observe("TCP", { host: NAME, port }, { dns });
  expect(gistOf(seen)).toEqual(Array.from({ length: 6 }, (_, at) => `127.0.0.${11 + at} refused`));
  expect(seen).toMatchObject({ omitted: 2 });
});

test("behavior 10.100: the name is resolved once, and each latency includes that", async () => {
  const delay = 60;
  using dns = await startDnsServer({
    [`A ${NAME}`]: records(FIRST, SECOND),
    // The check waits for the slow one.
    [`AAAA ${NAME}`]: () => {
      Bun.sleepSync(delay);
      return [];
    },
  });
  const port = await freePort();
  using server = await startServer(silent, { host: FIRST, port });
  using other = await startServer(silent, { host: SECOND, port });
  const seen = seenBy(await observe("TCP", { host: NAME, port }, { dns }));
  expect(dns.queries.toSorted()).toEqual([`A ${NAME}`, `AAAA ${NAME}`]);
  for (const { evidence } of seen) {
    expect(evidence.latencyMs).toBeGreaterThanOrEqual(delay);
    expect((evidence.detail.phases as { resolve: number }).resolve).toBeGreaterThanOrEqual(delay);
  }
  void [server, other];
});

test("behavior 10.100: the wait for a DNS server that is silent about IPv6 is neither latency nor part of the timeout", async () => {
  using dns = await startDnsServer({ [`A ${NAME}`]: records(FIRST, SECOND), [`AAAA ${NAME}`]: "silence" });
  const port = await freePort();
  const timeout = 1000;
  // With half of the timeout, which the DNS takes, it would be too late.
  const slow = () => async (socket: Socket) => {
    await Bun.sleep(timeout * 0.6);
    socket.end(OK);
  };
  using first = await startHttpServer(slow, { host: FIRST, port });
  using second = await startHttpServer(slow, { host: SECOND, port });
  const start = performance.now();
  const seen = await observe("HTTP", { url: `http://${NAME}:${port}/` }, { dns, timeout });
  const whole = performance.now() - start;
  expect(gistOf(seen)).toEqual([`${FIRST} reached`, `${SECOND} reached`]);
  expect(whole).toBeGreaterThanOrEqual(timeout * 1.1);
  for (const { evidence } of seenBy(seen)) expect(evidence.latencyMs).toBeLessThan(whole - timeout * 0.4);
  void [first, second];
});

test("behavior 10.100: an IPv6 address is checked too, unless the config excludes its version", async () => {
  using dns = await named("::1", FIRST);
  const port = await freePort();
  using server = await startHttpServer(() => OK, { host: "::1", port });
  const url = `http://${NAME}:${port}/`;
  expect(gistOf(await observe("HTTP", { url }, { dns }))).toEqual(["::1 reached", `${FIRST} refused`]);
  expect(gistOf(await observe("HTTP", { url, ipFamily: 6 }, { dns }))).toEqual(["::1 reached"]);
  expect(gistOf(await observe("HTTP", { url, ipFamily: 4 }, { dns }))).toEqual([`${FIRST} refused`]);
  void server;
});

test("behavior 10.100: an IP address is a host with one address", async () => {
  using dns = await named();
  using server = await startHttpServer(() => OK);
  const seen = await observe("HTTP", { url: `http://127.0.0.1:${server.port}/` }, { dns });
  expect(gistOf(seen)).toEqual(["127.0.0.1 reached"]);
  expect(dns.queries).toEqual([]);
});

test("behavior 10.100: a name without an address fails as always", async () => {
  using dns = await named();
  const seen = await observe("TCP", { host: NAME, port: 1 }, { dns });
  expect(seen).toMatchObject({ outcome: "failed", reason: "dns_not_found" });
});

test("behavior 10.100: all are checked at once, and each has the timeout of the check", async () => {
  using dns = await named(FIRST, SECOND, THIRD);
  const port = await freePort();
  // Each of two servers answers when both were asked.
  const asked = Promise.withResolvers<void>();
  let count = 0;
  const answers = () => async (socket: Socket) => {
    if (++count === 2) asked.resolve();
    await asked.promise;
    socket.end(OK);
  };
  using first = await startHttpServer(answers, { host: FIRST, port });
  using second = await startHttpServer(answers, { host: SECOND, port });
  using quiet = await startServer(silent, { host: THIRD, port });
  const seen = await observe("HTTP", { url: `http://${NAME}:${port}/` }, { dns, timeout: 500 });
  expect(gistOf(seen)).toEqual([`${FIRST} reached`, `${SECOND} reached`, `${THIRD} timeout`]);
  expect(seenBy(seen)[2]?.evidence.detail.message).toBe("no answer within 0.5 s");
  void [first, second, quiet];
});

test.skipIf(isMissing(["ip", "unshare"], { root: true }))(
  "behavior 10.100: an address that this machine has no route to is not checked, if it has one to others",
  async () => {
    const program = fileURLToPath(
      new URL("../support/probes/every-address-in-own-namespace.ts", import.meta.url),
    );
    const inside = ["sh", "-c", 'ip link set lo up && exec "$0" "$@"', process.execPath, program];
    const child = Bun.spawn(["unshare", "--net", ...inside], { stderr: "inherit" });
    expect(await new Response(child.stdout).json()).toMatchObject({
      some: { addresses: ["::1", "127.0.0.1"], omitted: 2 },
      none: { addresses: ["192.0.2.1", "2001:db8::1"], omitted: 0 },
    });
  },
);

test("behavior 10.100: a cancelled check closes the connections to all addresses", async () => {
  using dns = await named(FIRST, SECOND);
  const port = await freePort();
  const open = new Set<object>();
  const arrived = Promise.withResolvers<void>();
  const onConnection = (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    if (open.size === 2) arrived.resolve();
  };
  using server = await startServer(onConnection, { host: FIRST, port });
  using other = await startServer(onConnection, { host: SECOND, port });
  const lifetime = new Lifetime();
  const seen = observe("HTTP", { url: `http://${NAME}:${port}/` }, { dns, lifetime });
  await arrived.promise;
  lifetime.close();
  expect(await seen).toEqual({ outcome: "inconclusive", message: "the check was cancelled" });
  while (open.size > 0) await Bun.sleep(1);
  void [server, other];
});

test("behavior 10.105: only the first of several hops is multiplied", async () => {
  const target = "target.test";
  using dns = await startDnsServer({
    [NAME]: records(FIRST, SECOND),
    [`AAAA ${NAME}`]: [],
    // The first address refuses the connection.
    [`A ${target}`]: [THIRD, FIRST].map((data) => ({ type: "A" as const, name: target, data })),
    [`AAAA ${target}`]: [],
  });
  const port = await freePort();
  const redirect = answer("302 Found", [`Location: http://${target}:${port}/to`]);
  const paths: string[] = [];
  const serve = (host: string) =>
    startHttpServer(
      (path) => {
        paths.push(`${host} ${path}`);
        return path === "/" ? redirect : OK;
      },
      { host, port },
    );
  using first = await serve(FIRST);
  using second = await serve(SECOND);
  const config = { url: `http://${NAME}:${port}/`, redirects: 1, expect: { contains: "ok" } };
  expect(gistOf(await observe("HTTP", config, { dns }))).toEqual([`${FIRST} reached`, `${SECOND} reached`]);
  expect(paths.toSorted()).toEqual([`${FIRST} /`, `${FIRST} /to`, `${FIRST} /to`, `${SECOND} /`]);
  void [first, second];
});

test("behavior 10.106: a private address is refused where the others are checked", async () => {
  using dns = await named("127.0.0.2");
  const seen = await observe("TCP", { host: NAME, port: 1 }, { dns, privateTargets: "deny" });
  expect(gistOf(seen)).toEqual(["127.0.0.2 private_target"]);
  expect(seenBy(seen)[0]?.evidence.detail.message).toContain("127.0.0.2 is at a private address");
});

test("behavior 10.100: TLS monitors, expectations and samples of each address", async () => {
  using dns = await named(FIRST, SECOND, THIRD);
  const authority = await createAuthority();
  const port = await freePort();
  const names = [{ type: "dns" as const, value: NAME }];
  using first = await startHttpServer(() => OK, { host: FIRST, port, tls: await authority.issue(names) });
  using second = await startHttpServer(() => answer("503 Service Unavailable"), {
    host: SECOND,
    port,
    tls: await authority.issue(names, { left: 3 }),
  });
  expect(gistOf(await observe("TLS", { host: NAME, port }, { dns }))).toEqual([
    `${FIRST} certified`,
    `${SECOND} certified`,
    `${THIRD} refused`,
  ]);
  const config = { url: `https://${NAME}:${port}/`, verifyTls: false, expect: {} };
  const seen = await observe("HTTP", config, { dns, isSampled: true });
  expect(gistOf(seen)).toEqual([`${FIRST} reached`, `${SECOND} unexpected`, `${THIRD} refused`]);
  expect(seenBy(seen)).toMatchObject([
    { evidence: { tls: {}, sample: { statusCode: 200 } } },
    { evidence: { tls: {}, sample: { statusCode: 503 } } },
    {},
  ]);
  void [first, second];
});

test("behavior 1.13, 10.100: a check counts a socket for each of its addresses", async () => {
  using dns = await named(FIRST, SECOND, THIRD);
  const network = new CountingNetwork(createNetwork({ privateTargets: "allow", dnsServers: [dns] }));
  await observe("TCP", { host: NAME, port: await freePort() }, { dns, network });
  expect(network).toMatchObject({ sockets: 3, held: 3 });
});
