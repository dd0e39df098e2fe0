/** The value of the choice that has fields of its own. */
export const OWN = "own";

/** Seconds. */
const OFFERED = [30, 60, 300];
const USUAL = 60;

const UNITS = { h: 3600, min: 60, s: 1 };
export const INTERVAL_UNITS = Object.keys(UNITS).toReversed();

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

/** An interval in the largest unit in which it is a whole number. @param seconds text of the config, which may be anything */
export function inUnit(seconds: unknown): { amount: string; unit: string } {
  const length = Number(seconds);
  const [unit, factor] = Object.entries(UNITS).find(([, one]) => length > 0 && length % one === 0) ?? [
    "s",
    1,
  ];
  return Number.isNaN(length) ? { amount: String(seconds), unit } : { amount: String(length / factor), unit };
}

/**
 * The seconds of an interval in a form.
 *
 * @param values the choice, and for an own interval its amount and its unit
 * @returns a text that is not a number unchanged, so that the validation refuses it
 */
export function intervalIn([choice = "", amount = "", unit = "s"]: readonly string[]): string {
  if (choice !== OWN) return choice;
  const count = Number(amount);
  const factor = UNITS[unit as keyof typeof UNITS] ?? 1;
  // To milliseconds: 0.1 * 3 is not 0.3.
  return amount.trim() === "" || Number.isNaN(count)
    ? amount
    : String(Math.round(count * factor * 1000) / 1000);
}
