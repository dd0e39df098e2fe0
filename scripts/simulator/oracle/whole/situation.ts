import type { SimMonitor } from "../../ledger.ts";
import type { Known } from "../calm/stretches.ts";
import { narrowed, united } from "../calm/stretches.ts";
import type { Stretch } from "../own-faults.ts";
import { requestsAbout } from "./monitor-life.ts";
import type { Subject, Whole } from "./whole.ts";

const SECOND = 1000;
const COMMIT = 3 * SECOND;

/**
 * When a monitor may be in trouble: stretches that overlap are merged, so that an outage began at the start of a stretch at the
 * earliest.
 */
export function troublesOf({ sight }: Subject): Stretch[] {
  return united([...sight.may.warning, ...sight.may.down]);
}

/** Whether a channel is bound since before the trouble began that lasts at a moment. */
export function isBoundSinceBefore(at: number, subject: Subject, { surely }: Known): boolean {
  const trouble = troublesOf(subject).find(({ from, to }) => from <= at && at < to);
  return surely.some(({ from, to }) => from <= (trouble?.from ?? at) && at <= to);
}

/** When one of some monitors is down for certain, so that what depends on it is muted. */
export function surelyMuted(ancestors: Iterable<string>, { subjects }: Whole): Stretch[] {
  const down = [...ancestors].flatMap((name) => subjects.get(name)?.sight.must("down") ?? []);
  return narrowed(united(down), COMMIT);
}

/** When the trouble of a monitor is acknowledged: until it ends, gets worse, or the acknowledgement is taken back. */
export function acknowledgedOf(subject: Subject): Known {
  const { monitor, ledger, sight, span } = subject;
  const known: Known = { surely: [], possibly: [] };
  const backs = requestsAbout(monitor.name, ledger, "take back");
  for (const { from, to } of requestsAbout(monitor.name, ledger, "acknowledge")) {
    const back = backs.find((one) => one.from >= to);
    const mayEnd = [...sight.may.healthy, ...sight.may.unknown, ...sight.may.warning].filter(
      (one) => one.to > to,
    );
    const sureEnd = Math.min(back?.from ?? span.to, ...mayEnd.map((one) => Math.max(one.from, to)));
    const ended = sight.must("healthy").find((one) => one.to > to);
    const end = Math.min(back ? back.to : span.to, ended ? Math.max(ended.from, to) : span.to);
    known.possibly.push({ from: from - 2 * SECOND, to: end + 5 * SECOND });
    if (to + SECOND < sureEnd - 1) known.surely.push({ from: to + SECOND, to: sureEnd - 1 });
  }
  return { surely: united(known.surely), possibly: united(known.possibly) };
}

/** Whether it is checked, and its result says the same as its target at that moment. */
export function isPlain({ type, places }: SimMonitor): boolean {
  return type !== "SCHEDULED" && places === undefined;
}
