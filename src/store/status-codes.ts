import type { StoredDeliveryStatus } from "../domain/alerts/delivery.ts";
import type { Status } from "../domain/monitors/status.ts";

/*
 * Databases of users contain these codes: a new word gets a new code, and a code never gets another word.
 */

/** SQL texts contain the codes of the first three and of `withdrawn`. */
export const deliveryStatusCodes: Record<StoredDeliveryStatus, number> = {
  pending: 0,
  delivered: 1,
  failed: 2,
  muted: 3,
  withdrawn: 4,
  held: 5,
  hidden: 6,
};

/** The statuses of all types of monitor. SQLite stores 0 and 1 without a byte. */
export const statusCodes: Record<Status, number> = {
  unknown: 0,
  up: 1,
  down: 2,
  degraded: 3,
  active: 4,
  expiring_soon: 5,
  expired: 6,
  no_cert: 7,
  present: 8,
  missing: 9,
  changed: 10,
  ok: 11,
  failed: 12,
  havent_heard: 13,
};

const statuses = wordsOf(statusCodes);

/** @throws Error for a code that is not in `statusCodes` */
export function statusOfCode(code: number): Status {
  return wordOf(statuses, code);
}

/** The words in the order of their codes. */
export function wordsOf<Word extends string>(codes: Record<Word, number>): Word[] {
  const words: Word[] = [];
  for (const [word, code] of Object.entries<number>(codes)) words[code] = word as Word;
  return words;
}

/** @throws Error for a code without a word */
export function wordOf<Word>(words: Word[], code: number): Word {
  const word = words[code];
  if (word === undefined)
    throw new Error(`the database contains the code ${code}, which is not one of ${words}`);
  return word;
}
