import type { Config } from "../../data/api.ts";
import { Field, TextField } from "../../form/fields.tsx";
import { TimeoutField } from "./timeout-field.tsx";

/** How a check connects, and how long it takes at most. */
export function ConnectionFields({ config }: { config: Config }) {
  return (
    <>
      <TextField
        name="config.redirects"
        label="Follow … redirects"
        value={config.redirects}
        kind="numeric"
        hint="Up to 10. The last answer is judged; one redirect too many is Down. If empty, none is followed."
      />
      <TimeoutField config={config} />
      <Field name="config.ipFamily" label="IP version">
        {(props) => (
          <select {...props} className="field-short" defaultValue={String(config.ipFamily ?? "")}>
            <option value="">Both</option>
            <option value="4">Only IPv4</option>
            <option value="6">Only IPv6</option>
          </select>
        )}
      </Field>
      <div className="check-list">
        <label>
          <input
            type="checkbox"
            name="config.verifyTls"
            value="false"
            defaultChecked={config.verifyTls === false}
          />
          Accept a certificate that is not valid
        </label>
      </div>
    </>
  );
}
