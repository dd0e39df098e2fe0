import type { Config } from "../../data/api.ts";
import { Field, SecretField, TextField } from "../../form/fields.tsx";
import { HeaderRows } from "../../form/rows/header-rows.tsx";

const METHODS = ["HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** What a check sends. */
export function RequestFields({ config }: { config: Config }) {
  const { method, body } = config;
  const { user, password } = (config.basicAuth ?? {}) as Config;
  return (
    <>
      <Field name="config.method" label="Method">
        {(props) => (
          <select {...props} className="field-short" defaultValue={String(method ?? "")}>
            <option value={method === "GET" ? "GET" : ""}>GET</option>
            {METHODS.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        )}
      </Field>
      <HeaderRows config={config} />
      <Field
        name="config.body"
        label="Body"
        hint="Sent as it is, as JSON if it is JSON and no header says otherwise. Not for GET and HEAD."
      >
        {(props) => <textarea {...props} rows={3} defaultValue={String(body ?? "")} spellCheck={false} />}
      </Field>
      <div className="field-halves">
        <TextField name="config.basicAuth.user" label="Sign-in: user" value={user} />
        <SecretField name="config.basicAuth.password" label="Sign-in: password" value={password} />
      </div>
    </>
  );
}
