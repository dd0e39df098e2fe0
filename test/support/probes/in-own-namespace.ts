/**
 * Runs in a network namespace that has only a loopback interface. Prints what checks see while the server of the setting
 * can't be reached, and after its address was added.
 */
import type { Observation } from "../../../src/domain/checks/observation.ts";
import { attemptConnection } from "../../../src/probes/connections/connection-attempt.ts";
import { startProbeThread } from "../../../src/probes/probe-thread.ts";
import { eventually } from "../eventually.ts";
import { startServer } from "../servers/tcp-server.ts";

const [NEAR, FAR, CHECKED] = ["127.0.0.1", "192.0.2.1", "192.0.2.9"];

const server = await startServer(() => {});
const entry = new URL("../../../src/probes/probe-worker.ts", import.meta.url);
const settings = { privateTargets: "allow" as const, networkCheck: [{ host: CHECKED, port: 1 }] };
const thread = startProbeThread(entry, settings, () => {});

async function see(host: string, port: number): Promise<string> {
  const config = { host, port, interval: 60 };
  const seen: Observation = await thread.run({ type: "TCP", config, startAt: 0, timeout: 5000 });
  if (seen.outcome === "inconclusive") return seen.isOffline ? "offline" : seen.message;
  return seen.outcome === "failed" ? seen.reason : seen.outcome;
}

const seeAll = async () => ({
  open: await see(NEAR, server.port),
  closed: await see(NEAR, 1),
  far: await see(FAR, 80),
  state: thread.network?.state(),
});

const attempts = {
  open: await attemptConnection({ address: NEAR, port: server.port }, 5000),
  closed: await attemptConnection({ address: NEAR, port: 1 }, 5000),
  closedV6: await attemptConnection({ address: "::1", port: 1 }, 5000),
  far: await attemptConnection({ address: FAR, port: 80 }, 5000),
  farV6: await attemptConnection({ address: "2001:db8::1", port: 80 }, 5000),
};
const offline = await seeAll();
Bun.spawnSync(["ip", "address", "add", `${CHECKED}/32`, "dev", "lo"]);
await eventually(() => thread.network?.state() === "online");
const online = await seeAll();
await Bun.write(Bun.stdout, JSON.stringify({ attempts, offline, online }));
process.exit();
