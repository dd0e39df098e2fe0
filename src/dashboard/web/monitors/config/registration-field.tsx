import { useState } from "react";
import { REGISTRATION_WARN_DAYS } from "../../../../domain/registration/registration.ts";
import type { Config } from "../../data/api.ts";
import { TextField, useFieldNotes } from "../../form/fields.tsx";
import { numberOf } from "../../form/form-values.ts";

const NAME = "config.registration";

/** Whether the registration of the domain is watched, and how many days before its end it expires soon. */
export function RegistrationField({ config }: { config: Config }) {
  const [isOn, setOn] = useState(config.registration !== undefined);
  const { error, errorBelow, describedBy } = useFieldNotes(NAME, undefined);
  return (
    <div className="form-fields">
      <div className="check-list">
        <label>
          <input
            type="checkbox"
            name={NAME}
            // Not `checked`: the errors of the form may render between a click and its change, and would undo it.
            defaultChecked={config.registration !== undefined}
            onChange={({ target }) => setOn(target.checked)}
            {...(error && { "aria-invalid": true })}
            {...describedBy}
          />
          Also warn before the registration of the domain expires
        </label>
        {errorBelow}
      </div>
      {isOn && (
        <TextField
          name="config.registration.warnDays"
          label="Expires soon: … days before its end"
          kind="numeric"
          value={warnDaysIn(config.registration)}
          hint={`Its registry is asked once a day. If empty: ${REGISTRATION_WARN_DAYS} days.`}
        />
      )}
    </div>
  );
}

/** The field of the config; undefined if it is off. @param stored what the form showed: it stays what it is */
export function readRegistration(data: FormData, stored: unknown): unknown {
  if (!data.has(NAME)) return undefined;
  const warnDays = numberOf(data, "config.registration.warnDays");
  if (warnDays !== undefined) return { warnDays };
  return stored === undefined || warnDaysIn(stored) !== undefined ? true : stored;
}

function warnDaysIn(registration: unknown): number | undefined {
  return (Object(registration) as { warnDays?: number }).warnDays;
}
