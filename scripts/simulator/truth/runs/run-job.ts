import type { RhythmConfig } from "../../../../src/domain/heartbeats/heartbeat.ts";

/** The hidden truth of one job that reports its runs. All times are true milliseconds since 1970, by time. */
export interface RunJob {
  name: string;
  from: number;
  to: number;
  config: RhythmConfig & { maxRunTime?: number; overlap?: "allow" | "fail" };
  runs: TrueRun[];
  /** The reports that reach the server, in the order in which it does. */
  messages: Message[];
  /** When no server runs. Nothing arrives. */
  absences: Span[];
  /** When the server stalls, as with its machine. What arrives waits for it. */
  stalls: Span[];
  pauses: Span[];
  /** The windows of a maintenance. */
  windows: Span[];
  /** Steps of the clock of the server. @property byMs forward if positive */
  steps: { at: number; byMs: number }[];
  /** How long a job with a learned rhythm teaches it; 0 with a configured one. */
  learnedAfter: number;
  /** How long after a passed deadline the server looks, at most. */
  noticedWithin: number;
}

export interface Span {
  from: number;
  to: number;
}

/**
 * A run that the schedule demands, or a retry.
 *
 * @property end when it ended; null if it never did, as one that hangs or whose process died
 * @property trouble what is not as it should be; null for a run that started in time, took its usual time and was reported
 */
export interface TrueRun {
  due: number;
  start: number;
  end: number | null;
  trouble: Trouble | null;
  /** The end of the absence of the server in which its end was lost: that is no trouble of the job. */
  lostWithServer?: number;
}

/**
 * - `hung`: it never ends. `long`: it takes longer than its limit. `crashed`: its process died.
 * - `retried`: it failed, and was made again a little later.
 * - `dead`: it was not made, also because another one hung in its place.
 * - `lost start`, `lost end`: this report was lost. `swapped`: its end arrived before its start.
 */
export type Trouble =
  | "hung"
  | "long"
  | "crashed"
  | "retried"
  | "dead"
  | "lost start"
  | "lost end"
  | "swapped";

/** @property run the place of the run that it is about */
export type Message = { at: number; run: number; rid?: string } & (
  | { kind: "start" }
  | { kind: "log" }
  | { kind: "checkin"; isOk: boolean }
);
