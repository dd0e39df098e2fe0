import type { Detail } from "../checks/observation.ts";
import { briefReason, knownReason, ownWords } from "../checks/reason-words.ts";
import type { KnownReason } from "../checks/vague-reason.ts";
import { type DisplayState, displayStateOf } from "../monitors/display-state.ts";
import { type Attended, isTroubled, type Standing, standingOf } from "../monitors/standing.ts";
import type { Status } from "../monitors/status.ts";
import { truncate } from "../truncate.ts";

/** The part of a monitor that the wall shows, which is all that its link gives access to (behavior 16.362). */
interface WallTile extends WallReason {
  name: string;
  tags: readonly string[];
  state: DisplayState;
  standing: Standing;
  status: Status;
  /** Since when it has this status, in milliseconds since 1970; null if that is unknown. */
  since: number | null;
}

/** Why a monitor is in trouble; null if it is not, or if that is unknown. */
interface WallReason {
  reason: string | null;
  /** For readers of another language than English (behavior 27.19). */
  reasonCode: KnownReason | null;
  /** The part of the words that the code does not say. */
  reasonDetail: string | null;
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
  const reason = isTroubled(standing) && !detail?.seen ? reasonOf(detail, isOpen) : NO_REASON;
  return { name, tags, state: displayStateOf(monitor), standing, status, since, ...reason };
}

const NO_REASON: WallReason = { reason: null, reasonCode: null, reasonDetail: null };

/** The longest reason, in characters. */
const MAX_REASON = 120;

function reasonOf(detail: Detail | null, isOpen: boolean): WallReason {
  const own = ownWords(detail) ?? null;
  const reasonCode = knownReason(detail) ?? null;
  if (isOpen) return { reason: own, reasonCode, reasonDetail: reasonCode && statusCodeOf(detail) };
  const brief = briefReason(detail);
  if (brief !== undefined) return { reason: brief, reasonCode, reasonDetail: null };
  const message = typeof detail?.message === "string" ? truncate(detail.message, MAX_REASON) : null;
  return { reason: message ?? own, reasonCode, reasonDetail: reasonCode && message };
}

function statusCodeOf(detail: Detail | null): string | null {
  const code = detail?.statusCode;
  return typeof code === "number" ? String(code) : null;
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
