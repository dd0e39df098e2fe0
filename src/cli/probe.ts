import { Command } from "commander";
import { version } from "../../package.json";
import { createSystemClock } from "../clock.ts";
import {
  type Flags,
  type ProbeConfig,
  probeSettings,
  processSurroundings,
  readProbeConfig,
  readServiceManager,
} from "../config.ts";
import { type Logger, visibleLine, writeToOutput } from "../log.ts";
import { createDnsHistory } from "../probes/dns/dns-history.ts";
import { mayPing } from "../probes/ping/ping-access.ts";
import { startProbeThread } from "../probes/probe-thread.ts";
import { createServerTime } from "../remote-probe/checking.ts";
import { createHttpLink } from "../remote-probe/http-link.ts";
import { createRemoteProbe } from "../remote-probe/remote-probe.ts";
import { openProbeStore } from "../store/buffer/probe-store.ts";
import { workerUrl } from "../worker-url.ts";
import { exposureOf, isPlain, readKeyFile } from "./configuration-client.ts";
import { withSettings } from "./options.ts";
import { chosenLogger, notifyServiceManager, stopped } from "./service-manager.ts";

/**
 * Otherwise the runtime lets the garbage of this thread grow by some tens of megabytes. A collection takes about 10 ms, and
 * checks run on another thread.
 */
const COLLECT_EVERY = 10_000;

const PROBE_WORKER = workerUrl("probes/probe-worker.ts");

export function probeCommand(): Command {
  const command = new Command("probe").description("check from this machine for a server elsewhere");
  return withSettings(command, probeSettings, {
    dataDir:
      "directory of the observations that the server has not received yet; it is created if it is missing",
    server: "URL of the server",
    keyFile: "file with the key of the location",
  }).action(probe);
}

/** Runs until SIGTERM or SIGINT (behavior 13.48). */
async function probe(flags: Flags): Promise<void> {
  const surroundings = processSurroundings();
  const config = readProbeConfig(flags, surroundings);
  const key = readKeyFile(config.keyFile, "probe");
  const stopSignal = stopped();
  const log = await chosenLogger(config);
  const { remote, stop } = createParts({ ...config, key }, log);
  const exposure = exposureOf(config.keyFile);
  if (exposure !== undefined) log.warn(exposure);
  if (isPlain(config.server)) log.warn("the key is sent in plain text: use https");
  remote.start();
  const manager = readServiceManager(surroundings.env, process.pid);
  const status = `Checking for ${config.server}`;
  const stopNotifying = manager && notifyServiceManager(manager, { status, isAlive: remote.isAlive, log });
  await stopSignal;
  log.info("stopping");
  stopNotifying?.();
  await stop();
}

/** @throws AppError `refused`: see `openProbeStore` */
function createParts({ server, key, dataDir, probes: settings }: ProbeConfig & { key: string }, log: Logger) {
  const store = openProbeStore(dataDir);
  const system = createSystemClock(log);
  const time = createServerTime({ system, wall: Date.now, log });
  const logDeath = (cause: string) => log.error({ cause }, "the probe thread died");
  const dns = createDnsHistory(
    { hasAnswer: async () => store.hasDnsAnswer(), storeAnswer: async () => store.noteDnsAnswer() },
    (err) => log.warn({ err }, "the first answer of a DNS server could not be stored"),
  );
  const probes = startProbeThread(PROBE_WORKER, settings, logDeath, time.clock, dns);
  const link = createHttpLink({ server, key, version });
  const onConnected = (location: string) =>
    writeToOutput(`probe of location ${visibleLine(location)} is connected to ${server}`);
  const random = Math.random;
  const stopCollecting = system.every(COLLECT_EVERY, () => Bun.gc(true));
  const remote = createRemoteProbe({ link, store, time, probes, system, log, random, onConnected, mayPing });
  return {
    remote,
    async stop() {
      stopCollecting();
      await remote.stop();
      probes.stop();
      store.close();
    },
  };
}
