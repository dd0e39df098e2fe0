import { type ReactNode, useState } from "react";
import { RECORD_TYPES } from "../../../domain/checks/dns-record.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import type { Config } from "../data/api.ts";
import { Field, TextField } from "../form/fields.tsx";

/** The fields of a config, by type. */
export function ConfigFields({ type, config }: { type: MonitorType; config: Config }) {
  const OwnFields = fields[type];
  return (
    <>
      <OwnFields config={config} />
      {type !== "SCHEDULED" && (
        <TextField
          name="config.interval"
          label="Check every … seconds"
          value={config.interval ?? 60}
          kind="numeric"
        />
      )}
    </>
  );
}

type Fields = (props: { config: Config }) => ReactNode;

const fields: Record<MonitorType, Fields> = {
  HTTP: ({ config }) => (
    <TextField
      name="config.url"
      label="URL"
      value={config.url}
      kind="url"
      example="https://example.com/"
      hint="Any answer counts as up. Redirects are not followed."
    />
  ),
  TCP: HostAndPort,
  TLS: ({ config }) => <HostAndPort config={{ port: 443, ...config }} />,
  DNS: DnsFields,
  SCHEDULED: ScheduleFields,
};

function HostAndPort({ config }: { config: Config }) {
  return (
    <div className="field-pair">
      <TextField name="config.host" label="Host" value={config.host} example="example.com" />
      <TextField name="config.port" label="Port" value={config.port} kind="numeric" />
    </div>
  );
}

function DnsFields({ config }: { config: Config }) {
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
    </>
  );
}

const scheduleLabels = {
  learned: "Learned from the check-ins",
  period: "Every …",
  cron: "By a cron expression",
};
type ScheduleKind = keyof typeof scheduleLabels;

function ScheduleFields({ config }: { config: Config }) {
  const initial = config.cron !== undefined ? "cron" : config.period !== undefined ? "period" : "learned";
  const [kind, setKind] = useState<ScheduleKind>(initial);
  return (
    <>
      <SchedulePicker value={kind} onChange={setKind} />
      {kind === "period" && (
        <TextField
          name="config.period"
          label="Seconds between two check-ins"
          value={config.period}
          kind="numeric"
        />
      )}
      {kind === "cron" && (
        <div className="field-pair">
          <TextField name="config.cron" label="Cron expression" value={config.cron} example="30 2 * * 1-5" />
          <TextField name="config.timezone" label="Time zone" value={config.timezone} example="UTC" />
        </div>
      )}
      <TextField
        name="config.grace"
        label="Grace period, in seconds"
        value={config.grace}
        kind="numeric"
        hint="How late a check-in may be. If empty: a fifth of the time between two check-ins, 1 minute to 1 hour."
      />
    </>
  );
}

function SchedulePicker({
  value,
  onChange,
}: {
  value: ScheduleKind;
  onChange: (kind: ScheduleKind) => void;
}) {
  return (
    <fieldset className="check-list">
      <legend>When the job checks in</legend>
      {(Object.keys(scheduleLabels) as ScheduleKind[]).map((kind) => (
        <label key={kind}>
          <input
            type="radio"
            name="schedule"
            value={kind}
            checked={kind === value}
            onChange={() => onChange(kind)}
          />
          {scheduleLabels[kind]}
        </label>
      ))}
    </fieldset>
  );
}
