import { createSystemClock } from "../../../src/clock.ts";
import type { Observation } from "../../../src/domain/checks/observation.ts";
import type { WorkItem } from "../../../src/domain/locations/protocol.ts";
import { createLogger } from "../../../src/log.ts";
import type { Check } from "../../../src/probes/probe-thread.ts";
import { createServerTime } from "../../../src/remote-probe/checking.ts";
import { createHttpLink, type ServerLink } from "../../../src/remote-probe/http-link.ts";
import { createRemoteProbe } from "../../../src/remote-probe/remote-probe.ts";
import { openProbeStore } from "../../../src/store/buffer/probe-store.ts";
import type { LocationServer } from "../servers/location-server.ts";

export const HEALTHY: Observation = { outcome: "reached", latencyMs: 5, detail: { statusCode: 200 } };
const NOTHING_SEEN = {
  ...{ connections: null, path: null },
  self: { loopDelayMs: 0, load: 0, freeDescriptors: null, online: true },
};

export const REFUSED: Observation = { outcome: "failed", reason: "refused", detail: {} };

/** A monitor with a slot each second, if nothing else is given. */
export function monitor(monitorId: string, { interval = 1, revision = 1, offset = 0 } = {}): WorkItem {
  const config = { url: `http://127.0.0.1/${monitorId}`, interval };
  return { monitorId, revision, type: "HTTP", config, offset };
}

/** The parts of a remote probe in this process, whose checks see what the test says. */
export class TestProbe implements AsyncDisposable {
  /** The checks that ran, by URL. */
  readonly checked: string[] = [];
  readonly logged: string[] = [];
  readonly connected: string[] = [];
  readonly stop: () => Promise<void>;
  readonly time: ReturnType<typeof createServerTime>;
  #isStopped = false;

  constructor(
    dataDir: string,
    {
      server,
      link = createHttpLink({ server: server.url, key: server.key, version: "1.2.3" }),
      see = () => HEALTHY,
      wall = Date.now,
    }: {
      server: LocationServer;
      link?: ServerLink;
      see?: (url: string) => Observation | Promise<Observation>;
      wall?: () => number;
    },
  ) {
    const log = createLogger({ level: "silent" });
    const note = (...given: unknown[]) => void this.logged.push(given.map(textOf).join(" "));
    Object.assign(log, { info: note, warn: note, error: note });
    const store = openProbeStore(dataDir);
    const system = createSystemClock(log);
    this.time = createServerTime({ system, wall, log });
    const { clock } = this.time;
    const run = async (
      { config, startAt }: Check,
      { onEnd }: { onEnd?: (at: number) => void } = {},
    ): Promise<Observation> => {
      await Bun.sleep(Math.max(0, startAt - clock.now()));
      const { url } = config as { url: string };
      this.checked.push(url);
      const observation = await see(url);
      onEnd?.(clock.now());
      return observation;
    };
    const remote = createRemoteProbe({
      link,
      store,
      time: this.time,
      probes: { run, cancel() {}, ping: async () => {}, look: async () => NOTHING_SEEN },
      system,
      log,
      random: Math.random,
      onConnected: (location) => this.connected.push(location),
      mayPing: () => true,
    });
    remote.start();
    this.stop = async () => {
      if (this.#isStopped) return;
      this.#isStopped = true;
      await remote.stop();
      store.close();
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

function textOf(given: unknown): string {
  return typeof given === "string" ? given : JSON.stringify(given);
}
