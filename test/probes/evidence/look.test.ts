import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { fileURLToPath } from "node:url";
import type { Outcome } from "../../../src/domain/evidence/evidence.ts";
import { createNetwork } from "../../../src/probes/connections/network.ts";
import { createProbeRunner } from "../../../src/probes/probe-runner.ts";
import {
  type Check,
  type CheckReport,
  type PrivateTargets,
  type ProbeThread,
  startProbeThread,
} from "../../../src/probes/probe-thread.ts";
import { eventually } from "../../support/eventually.ts";
import { isMissing } from "../../support/requirements.ts";
import { startDeafServer } from "../../support/servers/deaf-server.ts";
import { startResettingServer } from "../../support/servers/resetting-server.ts";
import { closedPort, silent, startServer } from "../../support/servers/tcp-server.ts";

setDefaultTimeout(300_000);

const HERE = "127.0.0.1";
const ENTRY = new URL("../../../src/probes/probe-worker.ts", import.meta.url);

let thread: ProbeThread | undefined;
afterEach(() => thread?.stop());

function start(privateTargets: PrivateTargets = "allow"): ProbeThread {
  thread = startProbeThread(ENTRY, { privateTargets }, () => {});
  return thread;
}

test("behavior 22.17: a look tries each address once, and says how the attempt ended", async () => {
  using server = await startServer(silent);
  using deaf = await startDeafServer();
  using resetting = await startResettingServer();
  const { look } = start();
  const outcomes = async (port: number, addresses = [HERE]) => {
    const { connections } = await look({ addresses, port });
    for (const one of connections ?? []) expect(one.tookMs).toBeGreaterThanOrEqual(0);
    return connections?.map(({ tookMs: _, ...one }) => one);
  };
  const at = (port: number, outcome: Outcome, address = HERE) => ({ address, port, outcome });
  expect(await outcomes(server.port)).toEqual([at(server.port, "open")]);
  // A reset that arrives later follows an open connection.
  const reset = await eventually(async () => {
    const seen = await outcomes(resetting.port);
    return seen?.[0]?.outcome === "reset" && seen;
  });
  expect(reset).toEqual([at(resetting.port, "reset")]);
  expect(await outcomes(deaf.port)).toEqual([at(deaf.port, "timeout")]);
  const port = await closedPort();
  const both = [at(port, "refused"), at(port, "refused", "::1")];
  expect(await outcomes(port, [HERE, "::1"])).toEqual(both);
  const many = Array.from({ length: 9 }, (_, i) => `127.0.0.${i + 1}`);
  expect(await outcomes(port, many)).toHaveLength(6);
});

test("behavior 22.17: a look says how the machine is that made it", async () => {
  const { look } = start();
  const { path, self } = await look({ addresses: [HERE], port: await closedPort() });
  // A target that answers needs no path.
  expect(path).toBeNull();
  expect(self).toEqual({
    loopDelayMs: expect.any(Number),
    load: expect.any(Number),
    freeDescriptors: expect.any(Number),
    online: true,
  });
});

test("behavior 22.17: --private-targets deny applies to a look", async () => {
  using server = await startServer(silent);
  const { look } = start("deny");
  const looked = await look({ addresses: [HERE], port: server.port });
  expect(looked).toMatchObject({ connections: [], path: null });
  expect(await look({ addresses: [HERE], port: null })).toMatchObject({ connections: null, path: null });
});

test("behavior 22.8, 22.17: a name without an address has no attempts", async () => {
  const { look } = start();
  expect(await look({ addresses: [], port: 443 })).toMatchObject({ connections: null, path: null });
});

test("behavior 22.17: of many looks at once each has an end, and those too many have nothing", async () => {
  using server = await startServer(silent);
  const { look } = start();
  const asked = { addresses: [HERE], port: server.port };
  const looked = await Promise.all(Array.from({ length: 200 }, () => look(asked)));
  expect(looked.filter(({ connections }) => connections?.[0]?.outcome === "open")).toHaveLength(108);
  expect(looked.filter(({ connections }) => connections === null)).toHaveLength(92);
});

test("behavior 22.17: no look begins before a check that is due", async () => {
  using server = await startServer(silent);
  const order: string[] = [];
  const network = {
    ...createNetwork({ privateTargets: "allow" }),
    addressesOf(): string[] {
      order.push("check");
      return [HERE];
    },
    isAllowed(): boolean {
      order.push("look");
      return true;
    },
  };
  const reports: CheckReport[] = [];
  const runner = createProbeRunner(network, (more) => void reports.push(...more));
  const check: Check = {
    type: "TCP",
    config: { host: "here.test", port: server.port, interval: 60 },
    startAt: 0,
    timeout: 60_000,
  };
  runner.take({ id: 1, asked: { addresses: [HERE], port: server.port } });
  const count = 240;
  for (let id = 2; id < 2 + count; id++) runner.take({ id, check });
  await eventually(() => reports.length === count + 1);
  expect(order.indexOf("look")).toBe(count);
});

const NO_NAMESPACE = isMissing(["unshare", "nsenter", "ip"], { root: true });

test.skipIf(NO_NAMESPACE)(
  "behavior 1.68, 22.18: the path to what does not answer ends after its last router, and a missing route is no refusal",
  async () => {
    const program = fileURLToPath(new URL("../../support/probes/path-in-own-namespace.ts", import.meta.url));
    const child = Bun.spawn(["unshare", "--net", process.execPath, program], { stderr: "inherit" });
    const { paths, looked, unreachable, forbidden } = JSON.parse(await new Response(child.stdout).text());
    const hops = (...addresses: (string | null)[]) =>
      addresses.map((address, at) => ({
        hop: at + 1,
        address,
        rttMs: address === null ? null : expect.any(Number),
      }));
    expect(paths).toEqual({
      silent: hops("10.0.1.2", null),
      behind: hops("10.0.1.2", "10.0.2.2", null),
      silent6: hops("2001:db8:1::2", null),
      unreachable: hops("10.0.1.2", "10.0.2.2"),
      reached: null,
      noRoute: [],
    });
    expect(forbidden).toBeNull();
    expect(looked.closed).toMatchObject({ connections: [{ outcome: "refused" }], path: null });
    expect(looked.some).toMatchObject({
      connections: [{ outcome: "refused" }, { outcome: "timeout" }, { outcome: "unreachable" }],
      path: hops("10.0.1.2", null),
    });
    expect(looked.pinged).toMatchObject({ connections: null, path: hops("10.0.1.2", null) });
    const far = { reason: "unreachable", step: "connect" };
    expect(unreachable).toEqual({
      tcp: far,
      http: far,
      https: far,
      tls: far,
      noRoute: far,
      closed: { reason: "refused", step: "connect" },
      // The zone keeps stillup from asking the system itself.
      zone: { reason: "refused", step: "connect", mayBeUnreachable: true },
    });
  },
);
