import { inUnit, secondsIn } from "../../form/duration-units.ts";

/** The value of the choice that has fields of its own. */
export const OWN = "own";

/** Seconds. */
const OFFERED = [30, 60, 300];
const USUAL = 60;

/** The intervals that a form offers, in seconds. @param least of the plan */
export function offeredIntervals(least: number): { value: string; label: string }[] {
  const offered = OFFERED.filter((one) => one >= least);
  return offered.map((one) => {
    const { amount, unit } = inUnit(one);
    return { value: String(one), label: `${amount} ${unit}` };
  });
}

/** The interval of a new monitor, in seconds. @param least of the plan */
export function usualInterval(least: number): number {
  return Math.max(USUAL, least);
}

/**
 * The seconds of an interval in a form.
 *
 * @param values the choice, and for an own interval its amount and its unit
 * @returns a text that is not a number unchanged, so that the validation refuses it
 */
export function intervalIn([choice = "", amount = "", unit = "s"]: readonly string[]): string {
  if (choice !== OWN) return choice;
  return secondsIn(amount, unit);
}
