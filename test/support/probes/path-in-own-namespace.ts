/**
 * Runs in a network namespace of its own, before two routers in others. Prints the paths to targets behind them:
 * 10.0.1.1 is this machine, 10.0.1.2 the first router, 10.0.2.2 the second one. That one drops what it gets for 198.51.100.0/24, loses
 * behind itself what it passes on to 198.18.0.0/15, reports that 203.0.113.0/24 is unreachable, and has the address 192.0.2.1.
 */
import { tracePath } from "../../../src/probes/ping/path.ts";
import { startProbeThread } from "../../../src/probes/probe-thread.ts";
import { observation } from "./observation.ts";

const run = (command: string) => {
  const { success, stderr } = Bun.spawnSync(["sh", "-ec", command]);
  if (!success) throw new Error(`${command}: ${stderr}`);
};

async function startRouter() {
  const router = Bun.spawn(["unshare", "--net", "sh", "-c", "echo ready; exec sleep 60"], { stdout: "pipe" });
  await router.stdout.getReader().read();
  return router;
}

const [first, second] = [await startRouter(), await startRouter()];
const within = (router: { pid: number }, command: string) =>
  run(`nsenter --net --target ${router.pid} sh -ec '${command}'`);

run(`ip link set lo up
  ip link add near type veth peer name far netns ${first.pid}
  ip address add 10.0.1.1/24 dev near
  ip -6 address add 2001:db8:1::1/64 dev near nodad
  ip -6 address add fe80::1/64 dev near nodad
  ip link set near up
  ip route add default via 10.0.1.2
  ip route add unreachable 192.168.0.0/16
  ip -6 route add default via 2001:db8:1::2
  echo "0 0" > /proc/sys/net/ipv4/ping_group_range`);
within(
  first,
  `ip address add 10.0.1.2/24 dev far
  ip -6 address add 2001:db8:1::2/64 dev far nodad
  ip link set far up
  ip link add near type veth peer name far netns ${second.pid}
  ip address add 10.0.2.1/24 dev near
  ip -6 address add 2001:db8:2::1/64 dev near nodad
  ip link set near up
  ip route add default via 10.0.2.2
  ip -6 route add default via 2001:db8:2::2
  echo 1 > /proc/sys/net/ipv4/ip_forward
  echo 1 > /proc/sys/net/ipv6/conf/all/forwarding
  echo 0 > /proc/sys/net/ipv4/icmp_ratelimit
  echo 0 > /proc/sys/net/ipv6/icmp/ratelimit`,
);
within(
  second,
  `ip address add 10.0.2.2/24 dev far
  ip -6 address add 2001:db8:2::2/64 dev far nodad
  ip link set far up
  ip link set lo up
  ip address add 192.0.2.1/32 dev lo
  ip route add default via 10.0.2.1
  ip -6 route add default via 2001:db8:2::1
  ip route add blackhole 198.51.100.0/24
  ip link add out type veth peer name lost
  ip address add 10.0.3.1/24 dev out
  ip link set out up
  ip link set lost up
  ip neigh add 10.0.3.2 lladdr 02:00:00:00:00:01 dev out
  ip route add 198.18.0.0/15 via 10.0.3.2
  ip route add unreachable 203.0.113.0/24
  ip -6 route add blackhole 2001:db8:dead::/48
  echo 1 > /proc/sys/net/ipv4/ip_forward
  echo 1 > /proc/sys/net/ipv6/conf/all/forwarding
  echo 0 > /proc/sys/net/ipv4/icmp_ratelimit
  echo 0 > /proc/sys/net/ipv6/icmp/ratelimit`,
);

const paths = {
  silent: await tracePath("198.51.100.7"),
  behind: await tracePath("198.18.0.7"),
  silent6: await tracePath("2001:db8:dead::7"),
  unreachable: await tracePath("203.0.113.7"),
  reached: await tracePath("192.0.2.1"),
  noRoute: await tracePath("192.168.1.1"),
};

const entry = new URL("../../../src/probes/probe-worker.ts", import.meta.url);
const thread = startProbeThread(entry, { privateTargets: "allow" }, () => {});
const looked = {
  closed: await thread.look({ addresses: ["192.0.2.1"], port: 80 }),
  some: await thread.look({ addresses: ["192.0.2.1", "198.51.100.7", "203.0.113.7"], port: 80 }),
  pinged: await thread.look({ addresses: ["198.51.100.7"], port: null }),
};

const seen = async (type: "HTTP" | "TCP" | "TLS", config: object) => {
  const one = await observation(type, config as never, { timeout: 5000 });
  if (one.outcome !== "failed") return one;
  const { step, mayBeUnreachable } = one.facts ?? {};
  return { reason: one.reason, step, mayBeUnreachable };
};
const unreachable = {
  tcp: await seen("TCP", { host: "203.0.113.7", port: 80 }),
  http: await seen("HTTP", { url: "http://203.0.113.7/" }),
  https: await seen("HTTP", { url: "https://203.0.113.7/" }),
  tls: await seen("TLS", { host: "203.0.113.7", port: 443 }),
  noRoute: await seen("TCP", { host: "192.168.1.1", port: 80 }),
  closed: await seen("TCP", { host: "192.0.2.1", port: 80 }),
  zone: await seen("TCP", { host: "fe80::1%near", port: 80 }),
};

await Bun.write("/proc/sys/net/ipv4/ping_group_range", "1 0");
const forbidden = await tracePath("198.51.100.7");

first.kill();
second.kill();
await Bun.write(Bun.stdout, JSON.stringify({ paths, looked, unreachable, forbidden }));
process.exit();
