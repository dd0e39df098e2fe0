import type { StoredTiming } from "../../domain/alerts/alert-binding.ts";
import type { Status } from "../../domain/monitors/status.ts";
import { statusOfCode } from "../status-codes.ts";
import type { StoredChannel } from "./new-deliveries.ts";

/** The columns of the timing of a binding. */
export interface TimingColumns {
  after: number;
  every: number;
  /** All three are null, or none. */
  keptForOutage: number | null;
  keptAfter: number | null;
  keptEvery: number | null;
}

/** A channel that is bound to a monitor, as the statements of both engines return it. */
export type ChannelRow = Omit<StoredChannel, "timing" | "notifiedStatus"> &
  TimingColumns & {
    /** Its code; null if the channel was never notified. */
    notifiedStatus: number | null;
  };

/** @param last the status in the last delivery, if it matters and is known */
export function storedChannel(row: ChannelRow, last: Status | undefined): StoredChannel {
  const { pk, id, type, notifyOn, notifiedStatus: code, isDependent, followsHeld } = row;
  const received = code === null ? null : statusOfCode(code);
  const notifiedStatus = last ?? received;
  return { pk, id, type, notifyOn, notifiedStatus, isDependent, followsHeld, timing: timingOf(row) };
}

export function timingOf(row: TimingColumns): StoredTiming {
  const { after, every, keptForOutage: outagePk, keptAfter, keptEvery } = row;
  const isKept = outagePk !== null && keptAfter !== null && keptEvery !== null;
  return { after, every, kept: isKept ? { outagePk, after: keptAfter, every: keptEvery } : null };
}
