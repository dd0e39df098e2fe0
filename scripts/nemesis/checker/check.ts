import type { Log } from "../log.ts";
import { findLostCheckins, findUnnoticedSilences } from "./check-ins.ts";
import { findUnchecked } from "./coverage.ts";
import { findWrongNotifications } from "./notifications.ts";
import { findDisorder } from "./order.ts";
import { findRepeatedSlots } from "./slots.ts";
import { findFalseStatuses } from "./statuses.ts";
import { findWrongTransitions } from "./transitions.ts";
import type { Violation } from "./violation.ts";

const RULES: ((log: Log) => Violation[])[] = [
  findUnchecked,
  findRepeatedSlots,
  findFalseStatuses,
  findLostCheckins,
  findUnnoticedSilences,
  findWrongTransitions,
  findWrongNotifications,
  findDisorder,
];

/** Judges what several nodes did, by the logs of targets, jobs and receivers and by the database. */
export function check(log: Log): Violation[] {
  return RULES.flatMap((rule) => rule(log));
}
