import type { Attempt, SentCheckin, Span } from "../log.ts";

/** To the process of the targets. */
export type Order =
  | { listen: { address: string; seed: number; seconds: number; nodes: number } }
  | { begin: Begin }
  | { finish: true };

/**
 * @property at begin of the scenario, in milliseconds since 1970
 * @property nodes the addresses of the nodes
 * @property checkins paths, by name of the job
 */
export interface Begin {
  at: number;
  nodes: string[];
  checkins: Record<string, string>;
}

export type Answer = { listening: Listening } | { begun: true } | { report: Report };

export interface Listening {
  dnsPort: number;
  /** By name of the target. */
  ports: Record<string, number>;
  /** By name of the channel. */
  receivers: Record<string, string>;
}

/** Their part of the `Log`. */
export interface Report {
  arrivals: Record<string, number[]>;
  outages: Record<string, Span[]>;
  checkins: Record<string, SentCheckin[]>;
  attempts: Attempt[];
  stalls: Span[];
}
