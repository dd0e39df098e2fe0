import { formatCount, formatNumber } from "../../ui/numbers.ts";

/** How many monitors a sentence names. */
const MAX_NAMES = 3;

/** Such as `web, shop, mail and 9 others`. @param names the first ones, as far as they are known @param count how many there are */
export function listNames(names: readonly string[], count: number): string {
  const shown = names.slice(0, MAX_NAMES);
  const rest = count - shown.length;
  if (shown.length === 0) return formatCount(count, "monitor");
  if (rest === 0 && shown.length > 1) return `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
  const others = rest === 1 ? "1 other" : `${formatNumber(rest)} others`;
  return rest === 0 ? shown.join("") : `${shown.join(", ")} and ${others}`;
}

/** The answer to a change of many monitors. */
export interface Outcome {
  matched: number;
  changedCount: number;
  changed: readonly { name: string }[];
  refusedCount: number;
}

/** The outcome of a change in sentences, before it is made. @param will such as `be deleted` */
export function describePreview(
  { matched, changedCount, changed, refusedCount }: Outcome,
  will = "change",
): string {
  const names = changed.map(({ name }) => name);
  const same = matched - changedCount - refusedCount;
  const sentences = [
    changedCount > 0
      ? `${formatCount(changedCount, "monitor")} will ${will}: ${listNames(names, changedCount)}.`
      : "No monitor will change.",
    same > 0 && `${formatCount(same, "monitor")} will stay the same.`,
    refusedCount > 0 && `${formatCount(refusedCount, "monitor")} cannot change:`,
  ];
  return sentences.filter(Boolean).join(" ");
}

/** The outcome of a change that was made. @param did such as `Changed the tags of` */
export function describeOutcome(did: string, { changedCount, refusedCount }: Outcome): string {
  const refused = refusedCount > 0 ? ` ${formatCount(refusedCount, "monitor")} could not change.` : "";
  return `${did} ${formatCount(changedCount, "monitor")}.${refused}`;
}

/** From so many on, a deletion asks for their number. */
const MANY = 11;

/** @returns the errors of the number that the reader typed to confirm a deletion */
export function deletionFaults(typed: string, matched: number): string[] {
  if (!asksForNumber(matched) || typed.replaceAll(/[\s,.]/g, "") === String(matched)) return [];
  return [`typed must be ${formatNumber(matched)}`];
}

export function asksForNumber(matched: number): boolean {
  return matched >= MANY;
}
