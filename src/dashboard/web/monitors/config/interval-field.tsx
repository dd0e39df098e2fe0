import { useState } from "react";
import { type Plan, planLimits } from "../../../../domain/accounts/organization.ts";
import { DURATION_UNITS, exactText, Field, inUnit, secondsIn } from "../../form/fields.tsx";
import { optionsOf } from "../../ui/filters.tsx";

/** How often a monitor is checked: an offered interval, or an own one with its unit. @property stored seconds */
export function IntervalField({ stored, plan }: { stored: unknown; plan: Plan }) {
  const least = planLimits[plan].minimumInterval;
  const offered = offeredIntervals(least);
  const seconds = stored ?? usualInterval(least);
  const isOffered = offered.some(({ value }) => value === String(seconds));
  const [choice, setChoice] = useState(isOffered ? String(seconds) : OWN);
  const { amount, unit } = inUnit(seconds);
  return (
    <Field name="config.interval" label="Check every">
      {({ id, name, ...invalid }) => (
        <div className="row">
          <select
            id={id}
            name={name}
            value={choice}
            onChange={({ target }) => setChoice(target.value)}
            {...(choice !== OWN && invalid)}
          >
            {optionsOf([...offered, { value: OWN, label: "Another time" }])}
          </select>
          {choice === OWN && (
            <>
              <input
                name={name}
                aria-label="Time between two checks"
                inputMode="numeric"
                defaultValue={amount}
                {...exactText}
                {...invalid}
              />
              <select name={name} aria-label="Unit" defaultValue={unit}>
                {optionsOf(DURATION_UNITS.map((value) => ({ value, label: value })))}
              </select>
            </>
          )}
        </div>
      )}
    </Field>
  );
}

/** The value of the choice that has fields of its own. */
const OWN = "own";

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
