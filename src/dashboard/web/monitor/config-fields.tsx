import { type ReactNode, useState } from "react";
import { RECORD_TYPES } from "../../../domain/checks/dns-record.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import type { Config } from "../data/api.ts";
import { Field, TextField } from "../form/fields.tsx";
import { numberOf, textOf } from "../form/form-values.ts";

/** The fields of a config, by type. */
export function ConfigFields({ type, config }: { type: MonitorType; config: Config }) {
  const Own = fields[type];
  return (
    <>
      <Own config={config} />
      {type !== "SCHEDULED" && <Interval config={config} />}
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
  DNS: ({ config }) => (
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
        hint="One on each line. Left empty, a record that was not seen for 7 days counts as a change."
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
  ),
  SCHEDULED: Rhythm,
};

function HostAndPort({ config }: { config: Config }) {
  return (
    <div className="side-by-side">
      <TextField name="config.host" label="Host" value={config.host} example="example.com" />
      <TextField name="config.port" label="Port" value={config.port} kind="numeric" />
    </div>
  );
}

function Interval({ config }: { config: Config }) {
  return (
    <TextField
      name="config.interval"
      label="Check every … seconds"
      value={config.interval ?? 60}
      kind="numeric"
    />
  );
}

const rhythms = { learned: "Learned from the calls", period: "Every …", cron: "By a cron expression" };

function Rhythm({ config }: { config: Config }) {
  const set = config.cron !== undefined ? "cron" : config.period !== undefined ? "period" : "learned";
  const [rhythm, setRhythm] = useState<keyof typeof rhythms>(set);
  return (
    <>
      <fieldset className="ticks">
        <legend>When the job calls</legend>
        {(Object.keys(rhythms) as (keyof typeof rhythms)[]).map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="rhythm"
              value={one}
              checked={one === rhythm}
              onChange={() => setRhythm(one)}
            />
            {rhythms[one]}
          </label>
        ))}
      </fieldset>
      {rhythm === "period" && (
        <TextField
          name="config.period"
          label="Seconds between two calls"
          value={config.period}
          kind="numeric"
        />
      )}
      {rhythm === "cron" && (
        <div className="side-by-side">
          <TextField name="config.cron" label="Cron expression" value={config.cron} example="30 2 * * 1-5" />
          <TextField name="config.timezone" label="Time zone" value={config.timezone} example="UTC" />
        </div>
      )}
      <TextField
        name="config.grace"
        label="Grace, in seconds"
        value={config.grace}
        kind="numeric"
        hint="How late a call may be. Left empty: a fifth of the rhythm, 1 minute to 1 hour."
      />
    </>
  );
}

/**
 * The config that a form holds, as the API takes it: what is empty is left out, but for what sets the chosen rhythm of a
 * job, which without it would be made with another rhythm.
 */
export function configOf(type: MonitorType, data: FormData): Config {
  const expected = textOf(data, "config.expected")
    ?.split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const all: Record<MonitorType, Config> = {
    HTTP: { url: textOf(data, "config.url"), interval: numberOf(data, "config.interval") },
    TCP: {
      host: textOf(data, "config.host"),
      port: numberOf(data, "config.port"),
      interval: numberOf(data, "config.interval"),
    },
    TLS: {
      host: textOf(data, "config.host"),
      port: numberOf(data, "config.port"),
      interval: numberOf(data, "config.interval"),
    },
    DNS: {
      hostname: textOf(data, "config.hostname"),
      recordType: textOf(data, "config.recordType"),
      expected,
      interval: numberOf(data, "config.interval"),
    },
    SCHEDULED: {
      cron: data.has("config.cron") ? (textOf(data, "config.cron") ?? "") : undefined,
      timezone: textOf(data, "config.timezone"),
      period: data.has("config.period") ? (numberOf(data, "config.period") ?? "") : undefined,
      grace: numberOf(data, "config.grace"),
    },
  };
  return Object.fromEntries(Object.entries(all[type]).filter(([, value]) => value !== undefined));
}
