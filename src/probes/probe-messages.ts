import type { Observation } from "../domain/checks/observation.ts";
import type { MonitorConfig, ProbedType } from "../domain/monitors/monitor.ts";
import type { NetworkState } from "./network-state.ts";
import type { ClockReading } from "./probe-clock.ts";
import type { ProbeSettings } from "./probe-settings.ts";

/** @property isSampled asks for a sample of the answer: only for a check that is not recorded */
export type CheckConfig<T extends ProbedType = ProbedType> = MonitorConfig<T> & { isSampled?: true };

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

/** A command for the probe thread. @property id of the call, also in the replies @property look at the network of this machine @property answered something else has answered */
export type Command =
  | { id: number; check: Check }
  | { id: number; cancel: true }
  | { id: number; ping: true }
  | { id: number; look: true }
  | { id: number; answered: true };

/**
 * A message from the probe thread; several are sent as one array, as JSON. It has the observation of a check, or the maximum
 * number of sockets that a long check may hold from now on, or the state of the network of this machine, or says that a DNS server of the
 * operator has answered for the first time, or is the reply to a ping or, after the state was sent, to a look.
 *
 * @property endedAt when the check ended, in milliseconds since 1970
 * @property held the maximum number of sockets that the check held at once, if it is known
 */
export type CheckReport =
  | { id: number; observation: Observation; endedAt: number; held?: number | undefined }
  | { id: number; sockets: number }
  | { network: NetworkState }
  | { dns: "answered" }
  | { id: number };
