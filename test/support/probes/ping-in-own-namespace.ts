/**
 * Runs in a network namespace of its own, beside a router in another one. Prints what pings see there:
 * 10.0.0.1 is this machine, 10.0.0.2 the router, which replies to few pings in a row; behind it, 198.51.100.0/24 is unreachable,
 * and 203.0.113.0/24 is silent.
 */

import { Lifetime } from "../../../src/probes/lifetime.ts";
import { pingAddress } from "../../../src/probes/ping/dialect.ts";
import { PingSeries } from "../../../src/probes/ping/ping-series.ts";
import { type Echo, PingSocket } from "../../../src/probes/ping/ping-socket.ts";
import { startDnsServer } from "../servers/dns-server.ts";
import { observation } from "./observation.ts";

const run = (command: string) => {
  const { success, stderr } = Bun.spawnSync(["sh", "-ec", command]);
  if (!success) throw new Error(`${command}: ${stderr}`);
};
const allow = (range: string) => Bun.write("/proc/sys/net/ipv4/ping_group_range", range);
const router = Bun.spawn(["unshare", "--net", "sh", "-c", "echo ready; exec sleep 60"], { stdout: "pipe" });
await router.stdout.getReader().read();
const inRouter = (command: string) => run(`nsenter --net --target ${router.pid} sh -ec '${command}'`);

run(`ip link set lo up
  ip route add unreachable 192.0.2.0/24
  ip link add near type veth peer name far netns ${router.pid}
  ip address add 10.0.0.1/24 dev near
  ip link set near up
  ip route add 198.51.100.0/24 via 10.0.0.2
  ip route add 203.0.113.0/24 via 10.0.0.2
  ip -6 address add 2001:db8::1/64 dev near nodad
  ip -6 address add fe80::1/64 dev near nodad
  ip -6 route add 2001:db8:1::/48 via 2001:db8::2`);
inRouter(`ip address add 10.0.0.2/24 dev far
  ip -6 address add 2001:db8::2/64 dev far nodad
  ip -6 address add fe80::2/64 dev far nodad
  ip link set far up
  ip route add unreachable 198.51.100.0/24
  ip route add blackhole 203.0.113.0/24
  ip -6 route add unreachable 2001:db8:1::/48
  echo 1 > /proc/sys/net/ipv4/ip_forward
  echo 1 > /proc/sys/net/ipv6/conf/all/forwarding
  echo 0 > /proc/sys/net/ipv6/icmp/ratelimit`);

const ping = (host: string, config: object = {}, timeout = 1500) =>
  observation("TCP", { host, protocol: "icmp", ...config }, { timeout });

// The range of a new namespace is closed.
const closed = await ping("127.0.0.1");
const { mayPing } = await import("../../../src/probes/ping/ping-access.ts");
const access = { before: mayPing(), after: false };
await allow("0 0");
access.after = mayPing();

// The limit of replies in a row counts 10 s for each, and has 60 s at the start.
inRouter(`echo 10000 > /proc/sys/net/ipv4/icmp_ratelimit
  echo $((0x1819)) > /proc/sys/net/ipv4/icmp_ratemask`);
const many = await ping("10.0.0.2", { count: 5 });
const few = await ping("10.0.0.2", { count: 5 });
inRouter("echo 0 > /proc/sys/net/ipv4/icmp_ratelimit");

const single = { count: 1 };
const seen = {
  here: await ping("127.0.0.1", { count: 2 }),
  unspecified: await ping("0.0.0.0", single),
  mapped: await ping("::ffff:127.0.0.1", single),
  here6: await ping("::1", { ...single, size: 1400 }),
  zone: await ping(`fe80::2%near`, single),
  empty: await ping("127.0.0.1", { ...single, size: 0 }),
  noRoute: await ping("192.0.2.1", single),
  noRoute6: await ping("2001:db9::1", single),
};
// An error of one ping must not become the error of another ping.
const [unreachable, unreachable6, ...beside] = await Promise.all([
  ping("198.51.100.1"),
  ping("2001:db8:1::1"),
  ping("127.0.0.1"),
  ping("::1"),
]);
const a = (...all: string[]) => all.map((data) => ({ type: "A" as const, name: "two.test", data }));
const dns = await startDnsServer({ "A two.test": a("203.0.113.1", "127.0.0.1") });
const two = (config = {}) =>
  observation(
    "TCP",
    { host: "two.test", protocol: "icmp", count: 1, ...config },
    { dnsServers: [dns], timeout: 1500 },
  );
const named = { first: await two(), every: await two({ everyAddress: true }) };
const lifetime = new Lifetime();
setTimeout(() => lifetime.close(), 50);
const ended = await observation(
  "TCP",
  { host: "203.0.113.1", protocol: "icmp" },
  { lifetime, timeout: 5000 },
);
const silent = await ping("203.0.113.1", { count: 2 }, 500);

// A socket that only the kernel knows would be collected meanwhile.
const rubbish: unknown[] = [];
const pressure = setInterval(() => {
  rubbish.push(
    new Uint8Array(1 << 20),
    Array.from({ length: 1000 }, () => ({ at: performance.now() })),
  );
  if (rubbish.length > 20) rubbish.length = 0;
  Bun.gc(true);
}, 20);
const underPressure = await Promise.all(
  Array.from({ length: 100 }, () => ping("127.0.0.1", { count: 5 }, 5000)),
);
clearInterval(pressure);

// More replies at once than the buffer of the socket holds.
const flood = await Promise.all(
  Array.from({ length: 4000 }, () => ping("127.0.0.1", { ...single, size: 1400 }, 1000)),
);
const outcomes = Map.groupBy(flood, (one) => ("isShortage" in one ? "shortage" : one.outcome));
const flooded = Object.fromEntries([...outcomes].map(([outcome, all]) => [outcome, all.length]));

// After a series, nothing of it runs on.
const cancelled = new PingSeries("203.0.113.1", { count: 5, size: 32 }, 1000);
cancelled.close();

router.kill();

/** Whether a socket that is closed at its first reply leaves alone what is opened with its number then. */
function leavesNextAlone(): boolean {
  const address = pingAddress("127.0.0.1");
  const echo: Echo = { address, sequence: 1, nonce: [1, 2], size: 8 };
  const ignored = { find: () => echo, onUnreachable() {} };
  const replies: string[] = [];
  let next: PingSocket | undefined;
  const first = new PingSocket(address.family, {
    ...ignored,
    onReply() {
      replies.push("first");
      if (next) return;
      first.close();
      next = new PingSocket(address.family, { ...ignored, onReply: () => replies.push("next") });
      next.send(echo);
    },
  });
  first.send(echo);
  first.receive();
  first.receive();
  next?.receive();
  next?.close();
  return replies.join() === "first,next";
}

const result = {
  closed,
  access,
  seen,
  unreachable,
  unreachable6,
  beside,
  silent,
  many,
  few,
  underPressure,
  flooded,
  named,
  ended,
  leavesNextAlone: leavesNextAlone(),
};
await Bun.write(Bun.stdout, JSON.stringify({ ...result, cancelled: cancelled.facts() }));
process.exit();
