import { type ReactNode, useId } from "react";
import { exactText, Field } from "./fields.tsx";

/** The IANA name of a time zone, with the names that the browser knows. */
export function ZoneField({ value, hint }: { value: string; hint?: ReactNode }) {
  const list = useId();
  return (
    <Field name="timezone" label="Time zone" hint={hint}>
      {(props) => (
        <>
          <input {...props} defaultValue={value} list={list} {...exactText} />
          <datalist id={list}>
            {["UTC", ...Intl.supportedValuesOf("timeZone")].map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
