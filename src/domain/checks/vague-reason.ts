import type { RunReason } from "../heartbeats/run-words.ts";
import type { BY_REGISTRATION } from "../registration/registration.ts";
import type { DegradedBy, Reason } from "./observation.ts";

/* Apart from the words, so that the page does not have the English ones in its first script. */

/** The reasons that have words. */
export type KnownReason = Reason | DegradedBy | RunReason | typeof BY_REGISTRATION;

const VAGUE: readonly unknown[] = ["unexpected", "expires_soon", "registration"] satisfies KnownReason[];

/** Whether only the message of a result says enough, if it has one. */
export function isVague(reason: unknown): boolean {
  return VAGUE.includes(reason);
}
