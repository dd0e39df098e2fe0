/* Durations of configs are seconds; a form shows each in a unit. */

const UNITS = { h: 3600, min: 60, s: 1 };

/** The shortest first. */
export const DURATION_UNITS = Object.keys(UNITS).toReversed();

/** A duration in the largest unit in which it is a whole number. @param seconds text of the config, which may be anything */
export function inUnit(seconds: unknown): { amount: string; unit: string } {
  const length = Number(seconds);
  const [unit, factor] = Object.entries(UNITS).find(([, one]) => length > 0 && length % one === 0) ?? [
    "s",
    1,
  ];
  return Number.isNaN(length) ? { amount: String(seconds), unit } : { amount: String(length / factor), unit };
}

/**
 * The seconds of a duration.
 *
 * @returns a text that is not a number unchanged, so that the validation refuses it
 */
export function secondsIn(amount: string, unit: string): string {
  const count = Number(amount);
  const factor = UNITS[unit as keyof typeof UNITS] ?? 1;
  // To milliseconds: 0.1 * 3 is not 0.3.
  return amount.trim() === "" || Number.isNaN(count)
    ? amount
    : String(Math.round(count * factor * 1000) / 1000);
}
