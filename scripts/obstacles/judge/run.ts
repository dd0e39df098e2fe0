import type { Monitor, Truth } from "../scenario.ts";

/** Something that was said of a monitor. Times are milliseconds since 1970. */
export interface Said {
  status: string;
  reason?: string | undefined;
  /** When it arrived. */
  at: number;
  /** When the check ended. */
  checkedAt: number;
  /** The same if it is repeated. */
  id: string;
}

/** A result in the history. @property seen what the check saw, if the status waits for confirmation */
export interface Recorded {
  status: string;
  reason?: string | undefined;
  seen?: { status: string; reason?: string } | undefined;
  createdAt: number;
}

/** Evidence of a failure. @property at when its check ended, in milliseconds since 1970 @property bytes as it is stored; null if only its layer is */
export interface Explained {
  layer: string;
  summary: string;
  status: string;
  reason?: string | undefined;
  at: number;
  bytes: number | null;
}

/** The change of the world happens between `begin` and `settled`. */
export interface Span {
  begin: number;
  settled: number;
  end: number;
}

/** One monitor of a run. */
export interface Watched {
  label: string;
  monitor: Monitor;
  /** One for each stage. */
  truths: Truth[];
  /** In the order of arrival. */
  said: Said[];
  /** Undefined if whoever is judged keeps no history. */
  results: Recorded[] | undefined;
  /** Undefined if whoever is judged keeps none. */
  evidence?: Explained[] | undefined;
  /** Its status after the last stage. */
  final: string;
  advice: string[];
}

export interface Run {
  scenario: string;
  spans: Span[];
  watched: Watched[];
  /** When the stand-ins were slow, which explains that a target was degraded. */
  stalls?: { from: number; to: number }[];
}
