import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { attemptConnection, isAnyAnswering } from "../../src/probes/connections/connection-attempt.ts";
import { createNetwork } from "../../src/probes/connections/network.ts";
import { type PrivateTargets, type ProbeThread, startProbeThread } from "../../src/probes/probe-thread.ts";
import { eventually } from "../support/eventually.ts";
import { isMissing } from "../support/requirements.ts";
import { startDeafServer } from "../support/servers/deaf-server.ts";
import { startDnsServer } from "../support/servers/dns-server.ts";
import { closedPort, silent, startServer } from "../support/servers/tcp-server.ts";

setDefaultTimeout(300_000);

let thread: ProbeThread | undefined;
afterEach(() => thread?.stop());

const host = "127.0.0.1";
const entry = (path: string) => new URL(path, import.meta.url);

function start(port: number, privateTargets: PrivateTargets = "allow"): ProbeThread {
  const settings = { privateTargets, networkCheck: [{ host, port }] };
  thread = startProbeThread(entry("../../src/probes/probe-worker.ts"), settings, () => {});
  return thread;
}

const check = (port: number, timeout = 300) => ({
  type: "HTTP" as const,
  config: { url: `http://${host}:${port}/`, interval: 60 },
  startAt: 0,
  timeout,
});

test("an attempt to connect is opened, refused or silent", async () => {
  using server = await startServer(silent);
  using deaf = await startDeafServer();
  const attempt = (port: number, address = host) => attemptConnection({ address, port }, 300);
  expect(await attempt(server.port)).toBe("opened");
  expect(await attempt(await closedPort())).toBe("refused");
  expect(await attempt(await closedPort(), "::1")).toBe("refused");
  expect(await attempt(deaf.port)).toBe("silent");
});

test("behavior 13.51: any server of the setting that accepts or refuses a connection is an answer, by name too", async () => {
  using deaf = await startDeafServer();
  using server = await startServer(silent);
  using dns = await startDnsServer({ "A up.test": [{ type: "A", name: "up.test", data: host }] });
  const network = createNetwork({ privateTargets: "allow", dnsServers: [dns] });
  const dead = [
    { host, port: deaf.port },
    { host: "unknown.test", port: server.port },
  ];
  const answers = (more: { host: string; port: number }[] = []) =>
    isAnyAnswering([...dead, ...more], network);
  expect(await answers()).toBe(false);
  expect(await answers([{ host, port: await closedPort() }])).toBe(true);
  expect(await answers([{ host: "up.test", port: server.port }])).toBe(true);
});

test("behavior 13.50, 13.55: while no server of the setting answers, a silent target is inconclusive, and the state follows", async () => {
  using deaf = await startDeafServer();
  using target = await startServer(silent);
  const { network, run } = start(deaf.port);
  const changes: string[] = [];
  network?.onChange((state) => void changes.push(state));
  expect(network?.state()).toBe("online");
  expect(await run(check(target.port))).toMatchObject({ outcome: "inconclusive", isOffline: true });
  expect(network?.state()).toBe("offline");
  deaf.accept();
  await eventually(() => network?.state() === "online");
  // A machine that stalls during a check makes it inconclusive, and the next one is as good.
  await eventually(async () => (await run(check(target.port))).outcome === "failed");
  expect(await network?.look()).toBe("online");
  expect(changes).toEqual(["offline", "online"]);
});

test("behavior 13.55: the network is looked at when the thread starts", async () => {
  using deaf = await startDeafServer();
  const { network } = start(deaf.port);
  await eventually(() => network?.state() === "offline");
});

test("behavior 13.51: --private-targets does not apply to the servers of the setting", async () => {
  using server = await startServer(silent);
  const { network } = start(server.port, "deny");
  expect(await network?.look()).toBe("online");
});

test("behavior 13.59: without the setting, nothing is known of the network", () => {
  thread = startProbeThread(entry("../../src/probes/probe-worker.ts"), { privateTargets: "allow" }, () => {});
  expect(thread.network).toBeUndefined();
});

test.skipIf(isMissing(["ip", "unshare"], { root: true }))(
  "behavior 13.50, 13.54: in a network without a route, far targets are inconclusive, and near ones are what they are",
  async () => {
    const program = fileURLToPath(entry("../support/probes/in-own-namespace.ts"));
    const command = [
      "unshare",
      "--net",
      "sh",
      "-c",
      'ip link set lo up && exec "$0" "$@"',
      process.execPath,
      program,
    ];
    const child = Bun.spawn(command, { stderr: "inherit" });
    expect(await new Response(child.stdout).json()).toEqual({
      attempts: {
        open: "opened",
        closed: "refused",
        closedV6: "refused",
        far: "unreachable",
        farV6: "unreachable",
      },
      offline: { open: "reached", closed: "refused", far: "offline", state: "offline" },
      online: { open: "reached", closed: "refused", far: "unreachable", state: "online" },
    });
  },
);
