import { RECORD_TYPES } from "../../../../domain/checks/dns-record.ts";
import type { Config } from "../../data/api.ts";
import { Field, TextField } from "../../form/fields.tsx";

export function DnsFields({ config }: { config: Config }) {
  return (
    <>
      <TextField name="config.hostname" label="Host name" value={config.hostname} example="example.com" />
      <Field name="config.recordType" label="Record">
        {(props) => (
          <select {...props} defaultValue={String(config.recordType ?? "")}>
            <option value="">A and AAAA (addresses)</option>
            {RECORD_TYPES.map((type) => (
              <option key={type} value={type}>
                {type}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        name="config.expected"
        label="Expected records"
        hint="One on each line. If empty, a record that was not seen for 7 days counts as a change."
      >
        {(props) => (
          <textarea
            {...props}
            rows={3}
            defaultValue={Array.isArray(config.expected) ? config.expected.join("\n") : ""}
            spellCheck={false}
          />
        )}
      </Field>
      <TextField
        name="config.servers"
        label="DNS servers"
        value={Array.isArray(config.servers) ? config.servers.join(", ") : undefined}
        example="192.0.2.53, [2001:db8::53]:5353"
        hint="Up to four, asked in this order until one gives a clear answer. If empty: the servers of stillup."
      />
    </>
  );
}
