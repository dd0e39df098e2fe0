import type { Observation } from "../domain/checks/observation.ts";
import type { MonitorConfig, ProbedType } from "../domain/monitors/monitor.ts";
import type { ProbeSettings } from "./probe-settings.ts";

/** One check for the probe thread to run. */
export interface Check {
  type: ProbedType;
  config: MonitorConfig<ProbedType>;
  /** Milliseconds since 1970; a moment that has passed means at once. */
  startAt: number;
  /** Milliseconds. */
  timeout: number;
}

/** The first message to the probe thread. @property sockets where it counts those that it holds */
export interface Beginning {
  settings: ProbeSettings;
  sockets: Int32Array<SharedArrayBuffer>;
}

/** What goes to the probe thread, many at once. @property ticket comes back with the observation */
export type Order =
  | { ticket: number; check: Check }
  | { ticket: number; cancel: true }
  | { ticket: number; ping: true };

/**
 * What comes back, likewise: what a check saw, how many sockets it holds at most from now on, or only a sign of life.
 */
export type CheckReport =
  | { ticket: number; observation: Observation }
  | { ticket: number; sockets: number }
  | { ticket: number };
