import type { Detail } from "../checks/observation.ts";
import { briefReason, ownWords } from "../checks/reason-words.ts";
import { type DisplayState, displayStateOf } from "../monitors/display-state.ts";
import { type Attended, isTroubled, type Standing, standingOf } from "../monitors/standing.ts";
import type { Status } from "../monitors/status.ts";
import { truncate } from "../truncate.ts";

/** The part of a monitor that the wall shows, which is all that its link gives access to (behavior 16.362). */
interface WallTile {
  name: string;
  tags: readonly string[];
  state: DisplayState;
  standing: Standing;
  status: Status;
  /** Since when it has this status, in milliseconds since 1970; null if that is unknown. */
  since: number | null;
  /** Why it is in trouble; null if it is not, or if that is unknown. */
  reason: string | null;
}

interface Shown extends Attended {
  name: string;
  tags: readonly string[];
  since: number | null;
  detail: Detail | null;
}

/** @property isOpen whether readers without a key see the tile: then the reason is without the message of the check */
export function wallTile(monitor: Shown, { isOpen }: { isOpen: boolean }): WallTile {
  const { name, tags, status, since, detail } = monitor;
  const standing = standingOf(monitor);
  const reason = isTroubled(standing) && !detail?.seen ? reasonOf(detail, isOpen) : null;
  return { name, tags, state: displayStateOf(monitor), standing, status, since, reason };
}

/** The longest reason, in characters. */
const MAX_REASON = 120;

function reasonOf(detail: Detail | null, isOpen: boolean): string | null {
  const own = ownWords(detail) ?? null;
  if (isOpen) return own;
  const message = typeof detail?.message === "string" ? truncate(detail.message, MAX_REASON) : own;
  return briefReason(detail) ?? message;
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
