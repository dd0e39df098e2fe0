import type { Clock } from "../clock.ts";
import { lacksDescriptorsForThread } from "../descriptors.ts";
import type { Observation } from "../domain/checks/observation.ts";
import type { MonitorConfig, ProbedType } from "../domain/monitors/monitor.ts";
import type { NetworkCheck } from "../domain/network/database-url.ts";
import type { DnsServer } from "../domain/network/dns-server.ts";
import type { AskedLook, Looked } from "./look.ts";
import type { NetworkState } from "./network-state.ts";
import type { ClockReading } from "./probe-clock.ts";

/** Runs checks in a thread of their own. */
export interface ProbeThread {
  /**
   * @throws if the thread dies before the check has ended, which says nothing about the target
   */
  run(check: Check, listeners?: CheckListeners): Promise<Observation>;
  /** Cancels a check that runs or waits for its start. Its observation is then inconclusive. */
  cancel(check: Check): void;
  /** Resolves when the thread has replied. @throws if the thread dies before */
  ping(): Promise<void>;
  /** Looks once more at the target of a failed check, beside all checks. @throws if the thread dies before */
  look(asked: AskedLook): Promise<Looked>;
  /** How many sockets the checks hold, including those that the system has not released yet. */
  sockets(): number;
  /** Missing without the setting `networkCheck`. */
  network?: NetworkView | undefined;
  stop(): void;
}

/** The history of the DNS servers of the operator. */
export interface DnsHistory {
  /** A DNS server has answered. */
  answered(): void;
  /** Whether a DNS server has ever answered this installation: their silence is then a fault of this machine (behavior 4.18). */
  hasAnswered(): Promise<boolean>;
}

/** The state of the network of this machine: see `network-state.ts`. */
export interface NetworkView {
  /** As it was last seen; `online` before the first look. */
  state(): NetworkState;
  /** @throws if the thread dies before */
  look(): Promise<NetworkState>;
  /** Something that is no check has answered: the network works. */
  answered(): void;
  /** @param listener called after each change */
  onChange(listener: (state: NetworkState) => void): void;
}

/**
 * @property onSockets called if the check takes long, with the maximum number of sockets that it may hold from then on
 * @property onEnd called before the observation is returned, with the time at which the check ended, in milliseconds
 *   since 1970. This thread may learn it much later, for example if the process was suspended. And with the maximum number of
 *   sockets that the check held, if it is known
 */
export interface CheckListeners {
  onSockets?: (sockets: number) => void;
  onEnd?: (endedAt: number, sockets?: number) => void;
}

interface Pending {
  listeners: CheckListeners;
  resolve(observation: Observation | Promise<Observation>): void;
  reject(error: Error): void;
}

/** Delay before a dead thread is replaced, in milliseconds. */
const REPLACEMENT_DELAY = 1000;

const SILENT_DNS: Observation = {
  outcome: "inconclusive",
  message: "none of the DNS servers can be reached",
};

const CANCELLED: Observation = { outcome: "inconclusive", message: "the check was cancelled" };

/**
 * @param entry the file of the thread, `probe-worker.ts`
 * @param onDeath called when the thread has died unexpectedly and will be replaced
 * @param clock the clock that the thread follows. Default: the clock of the machine
 * @param dns without it, silent DNS servers are always judged as if none had ever answered
 */
export function startProbeThread(
  entry: URL,
  settings: ProbeSettings,
  onDeath: (cause: string) => void,
  clock?: Pick<Clock, "now" | "monotonic">,
  dns?: DnsHistory,
): ProbeThread {
  const pending = new Map<number, Pending>();
  const pings = new Map<number, PromiseWithResolvers<void>>();
  const looks = new Map<number, PromiseWithResolvers<Looked>>();
  /** The commands of this turn of the event loop. Sending one message costs more than its content. */
  let commands: Command[] = [];
  let lastId = 0;
  let stopped = false;
  let network: NetworkState = "online";
  const onNetwork: ((state: NetworkState) => void)[] = [];
  let sockets = sharedCounter();
  let worker: Worker | undefined = spawn();

  function spawn(): Worker {
    const spawned = new Worker(entry);
    // The sockets of a dead thread are closed.
    sockets = sharedCounter();
    spawned.postMessage({ settings, sockets } satisfies Setup);
    spawned.onmessage = ({ data }: MessageEvent<string>) => {
      const reports: CheckReport[] = JSON.parse(data);
      for (const report of reports) receive(report);
    };
    spawned.onerror = ({ message }) => replace(spawned, message);
    spawned.addEventListener("close", () => replace(spawned, "it ended"));
    return spawned;
  }

  function receive(report: CheckReport): void {
    if ("network" in report) setNetwork(report.network);
    else if ("dns" in report) dns?.answered();
    else if ("observation" in report) end(report);
    else if ("looked" in report) resolveLook(report.id, report.looked);
    else if ("sockets" in report) pending.get(report.id)?.listeners.onSockets?.(report.sockets);
    else resolvePing(report.id);
  }

  /** A thread that replaced another one reports the state too, which may be the same. */
  function setNetwork(state: NetworkState): void {
    if (state === network) return;
    network = state;
    for (const listener of onNetwork) listener(state);
  }

  function end({ id, observation, endedAt, held }: Extract<CheckReport, { endedAt: number }>): void {
    const ended = removePending(id);
    ended?.listeners.onEnd?.(endedAt, held);
    ended?.resolve(isSilentDns(observation) ? judgeSilence(observation) : observation);
  }

  async function judgeSilence(observation: Observation): Promise<Observation> {
    return (await dns?.hasAnswered()) ? SILENT_DNS : observation;
  }

  function replace(dead: Worker, cause: string): void {
    if (stopped || dead !== worker) return;
    dead.terminate();
    worker = undefined;
    onDeath(cause);
    const error = new Error(`the probe thread died: ${cause}`);
    for (const id of [...pending.keys()]) removePending(id)?.reject(error);
    for (const { reject } of [...pings.values(), ...looks.values()]) reject(error);
    pings.clear();
    looks.clear();
    commands = [];
    spawnLater();
  }

  function spawnLater(): void {
    setTimeout(() => {
      if (stopped) return;
      if (lacksDescriptorsForThread()) spawnLater();
      else worker = spawn();
    }, REPLACEMENT_DELAY);
  }

  function resolvePing(id: number): void {
    pings.get(id)?.resolve();
    pings.delete(id);
  }

  function resolveLook(id: number, looked: Looked): void {
    looks.get(id)?.resolve(looked);
    looks.delete(id);
  }

  /** @param command the thread replies to it with its ID */
  function ask(command: { ping: true } | { look: true }): Promise<void> {
    if (!worker) throw new Error("the probe thread is being replaced");
    const id = ++lastId;
    const replied = Promise.withResolvers<void>();
    pings.set(id, replied);
    send({ id, ...command });
    return replied.promise;
  }

  function removePending(id: number): Pending | undefined {
    const removed = pending.get(id);
    pending.delete(id);
    return removed;
  }

  function send(command: Command): void {
    if (commands.push(command) === 1) queueMicrotask(flush);
  }

  function flush(): void {
    if (commands.length > 0)
      worker?.postMessage(JSON.stringify({ commands, ...readClock() } satisfies Commands));
    commands = [];
  }

  function readClock(): Pick<Commands, "time"> {
    return clock ? { time: { now: clock.now(), monotonic: clock.monotonic() } } : {};
  }

  return {
    run(check, listeners = {}) {
      if (!worker) return Promise.reject(new Error("the probe thread is being replaced"));
      const { promise, resolve, reject } = Promise.withResolvers<Observation>();
      const id = ++lastId;
      check.id = id;
      pending.set(id, { listeners, resolve, reject });
      send({ id, check });
      return promise;
    },
    cancel({ id }) {
      const cancelled = id !== undefined && removePending(id);
      if (!cancelled) return;
      cancelled.resolve(CANCELLED);
      send({ id, cancel: true });
    },
    ping: async () => ask({ ping: true }),
    async look(asked) {
      if (!worker) throw new Error("the probe thread is being replaced");
      const id = ++lastId;
      const looked = Promise.withResolvers<Looked>();
      looks.set(id, looked);
      send({ id, asked });
      return looked.promise;
    },
    sockets: () => Atomics.load(sockets, 0),
    network: settings.networkCheck && {
      state: () => network,
      async look() {
        await ask({ look: true });
        return network;
      },
      answered() {
        send({ id: ++lastId, answered: true });
        setNetwork("online");
      },
      onChange: (listener) => void onNetwork.push(listener),
    },
    stop() {
      stopped = true;
      worker?.terminate();
    },
  };
}

/** Also for the host of a redirect of one address. */
function isSilentDns(observation: Observation): boolean {
  if (observation.outcome === "by_address")
    return observation.addresses.some(({ evidence }) => isSilentDns(evidence));
  return observation.outcome === "failed" && observation.reason === "dns_unreachable";
}

function sharedCounter(): Int32Array<SharedArrayBuffer> {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/**
 * @property isSampled asks for a sample of the answer: only for a check that is not recorded
 * @property taken values of answers that were sent again: no text may show them
 */
export type CheckConfig<T extends ProbedType = ProbedType> = MonitorConfig<T> & {
  isSampled?: true;
  taken?: readonly string[];
};

/** One check for the probe thread to run. @property id given by `ProbeThread.run` */
export interface Check {
  id?: number;
  type: ProbedType;
  config: CheckConfig;
  /** Milliseconds since 1970; a time in the past means immediately. */
  startAt: number;
  /** Milliseconds. */
  timeout: number;
}

/** The first message to the probe thread. @property sockets shared memory with the number of its open sockets */
export interface Setup {
  settings: ProbeSettings;
  sockets: Int32Array<SharedArrayBuffer>;
}

/** A message to the probe thread, as JSON, which costs half as much as a copy. @property time the clock to follow. Default: the clock of the machine */
export interface Commands {
  commands: Command[];
  time?: ClockReading;
}

/** A command for the probe thread. @property id of the call, also in the replies @property asked what to look at once more @property look at the network of this machine @property answered something else has answered */
export type Command =
  | { id: number; check: Check }
  | { id: number; cancel: true }
  | { id: number; ping: true }
  | { id: number; asked: AskedLook }
  | { id: number; look: true }
  | { id: number; answered: true };

/**
 * A message from the probe thread; several are sent as one array, as JSON. It has the observation of a check, or the maximum
 * number of sockets that a long check may hold from now on, or what was seen at another look, or the state of the network of this machine, or says that a DNS server of the
 * operator has answered for the first time, or is the reply to a ping or, after the state was sent, to a look.
 *
 * @property endedAt when the check ended, in milliseconds since 1970
 * @property held the maximum number of sockets that the check held at once, if it is known
 */
export type CheckReport =
  | { id: number; observation: Observation; endedAt: number; held?: number | undefined }
  | { id: number; sockets: number }
  | { id: number; looked: Looked }
  | { network: NetworkState }
  | { dns: "answered" }
  | { id: number };

/** Whether connections to loopback, private, link-local and other special-purpose addresses are allowed. */
export const PRIVATE_TARGETS = ["allow", "deny"] as const;
export type PrivateTargets = (typeof PRIVATE_TARGETS)[number];

/** The network settings of the operator, for probes and deliveries. They are sent to the probe thread unchanged. */
export interface ProbeSettings {
  /** The DNS servers for all lookups; if undefined, the servers of the system. */
  dnsServers?: DnsServer[];
  privateTargets: PrivateTargets;
  /** The only address and port that is connected to, whatever a name resolves to: nothing is asked of the DNS (behavior 24.26). */
  only?: { address: string; port: number };
  /** Servers used to test this machine's network. If undefined, the network counts as online. */
  networkCheck?: NetworkCheck[];
}
