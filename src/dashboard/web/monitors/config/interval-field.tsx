import { useState } from "react";
import { type Plan, planLimits } from "../../../../domain/accounts/organization.ts";
import { DURATION_UNITS, inUnit } from "../../form/duration-units.ts";
import { exactText, Field } from "../../form/fields.tsx";
import { optionsOf } from "../../ui/filters.tsx";
import { OWN, offeredIntervals, usualInterval } from "./interval-values.ts";

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
