import { type DisplayState, displayStateOf } from "../monitors/display-state.ts";
import { type Attended, type Standing, standingOf } from "../monitors/standing.ts";
import type { Status } from "../monitors/status.ts";

/** The part of a monitor that the wall shows, which is all that its link gives access to (behavior 16.362). */
export interface WallTile {
  name: string;
  tags: readonly string[];
  state: DisplayState;
  standing: Standing;
  status: Status;
  /** Since when it has this status, in milliseconds since 1970; null if that is unknown. */
  since: number | null;
}

interface Shown extends Attended {
  name: string;
  tags: readonly string[];
  since: number | null;
}

export function wallTile(monitor: Shown): WallTile {
  const { name, tags, status, since } = monitor;
  return { name, tags, state: displayStateOf(monitor), standing: standingOf(monitor), status, since };
}

/** A link that opens the wall without a key. */
export interface WallLink {
  id: string;
  name: string;
  /** Only monitors with this tag; null for all. */
  tag: string | null;
  /** Milliseconds since 1970. */
  createdAt: number;
}
