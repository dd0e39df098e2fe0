import type { MutedBy, Transition } from "../../../src/domain/alerts/delivery.ts";
import { EVERY_GROUP } from "../../../src/domain/alerts/notify.ts";
import type {
  Ancestor,
  Checked,
  Pair,
  ReviewedMonitor,
  ReviewedOutage,
  Told,
  Undecided,
} from "../../../src/domain/alerts/review/pair.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";
import { down } from "./transitions.ts";

/** The time of the first failed check. */
export const FAILED_AT = Date.UTC(2026, 10, 22, 12);

export const SECOND = 1000;

/** The trouble of the tests, which begins at `FAILED_AT`. */
export const outage: ReviewedOutage = {
  pk: 7,
  id: "a1",
  startedAt: FAILED_AT,
  endedAt: null,
  acknowledged: null,
};

export const acknowledged: ReviewedOutage = {
  ...outage,
  acknowledged: { at: FAILED_AT + SECOND, by: "Ann", note: null },
};

/** The checks of a monitor, of which the latest was made at a time. */
export function checkedAt(latestAt: number | null, values: Partial<Checked> = {}): Checked {
  const patience = 15 * SECOND;
  return { latestAt, decidedAt: latestAt, isSuspected: false, patience, isBlind: false, ...values };
}

/** A monitor that is down, and depends on nothing. */
export const monitor: ReviewedMonitor = {
  enabled: true,
  status: "down",
  outage,
  troubleSince: FAILED_AT,
  windowEndsAt: null,
  check: checkedAt(FAILED_AT),
  ancestors: [],
};

export const cause: MutedBy = { monitorId: "router", outageId: "o1" };

/** A monitor that others depend on, which was checked after `FAILED_AT`. */
export function ancestor(values: Partial<Ancestor> & { checked?: Partial<Checked> } = {}): Ancestor {
  const { checked, ...others } = values;
  const { latestAt = FAILED_AT + 1, ...answers } = checked ?? {};
  const check = checkedAt(latestAt, answers);
  return { pk: 2, cause: null, check, ...others };
}

/** @param after seconds after `FAILED_AT` */
export function change(previousStatus: Status, status: Status, after = 0): Transition {
  const createdAt = FAILED_AT + after * SECOND;
  const result = { ...down.result, createdAt };
  return { ...down, previousStatus, status, result, troubleSince: FAILED_AT, since: createdAt - 60 * SECOND };
}

let rows = 0;

export function undecided(event: Transition, values: Partial<Undecided> = {}): Undecided {
  return {
    ...{ pk: ++rows, event, status: "held", hold: { kind: "new" }, createdAt: event.result.createdAt },
    ...{ outage, isAfterWithdrawn: false },
    ...values,
  };
}

export const knowsDown: Told = { status: "down", troubleSince: FAILED_AT };
export const knowsDegraded: Told = { status: "degraded", troubleSince: FAILED_AT };
export const knowsUp: Told = { status: "up", troubleSince: FAILED_AT - 60 * 60 * SECOND };

export function pairOf(rows: Undecided[], values: Partial<Pair> = {}): Pair {
  return {
    timing: { after: 0, every: 0, hours: null },
    notifyOn: EVERY_GROUP,
    told: null,
    undecided: rows,
    ...values,
  };
}
