import { type ReactNode, useState } from "react";
import type { MonitorType } from "../../domain/monitor.ts";
import type { Config } from "./api.ts";
import { Field, numberOf, type Refused, textOf } from "./fields.tsx";

interface Props {
  type: MonitorType;
  config: Config;
  refused: Refused | null;
}

/** The fields of a config, by type. */
export function ConfigFields({ type, config, refused }: Props) {
  return fields[type]({ config, refused });
}

type Fields = (props: Omit<Props, "type">) => ReactNode;

const fields: Record<MonitorType, Fields> = {
  HTTP: ({ config, refused }) => (
    <>
      <Text
        name="config.url"
        label="URL"
        value={config.url}
        refused={refused}
        kind="url"
        example="https://example.com/"
        hint="Any answer counts as up. Redirects are not followed."
      />
      <Interval config={config} refused={refused} />
    </>
  ),
  TCP: ({ config, refused }) => (
    <>
      <HostAndPort config={config} refused={refused} />
      <Interval config={config} refused={refused} />
    </>
  ),
  TLS: ({ config, refused }) => (
    <>
      <HostAndPort config={{ port: 443, ...config }} refused={refused} />
      <Interval config={config} refused={refused} />
    </>
  ),
  DNS: ({ config, refused }) => (
    <>
      <Text
        name="config.hostname"
        label="Host name"
        value={config.hostname}
        refused={refused}
        example="example.com"
      />
      <Field name="config.recordType" label="Record" refused={refused}>
        {(props) => (
          <select {...props} defaultValue={String(config.recordType ?? "")}>
            <option value="">A and AAAA (addresses)</option>
            {["A", "AAAA", "CNAME", "MX", "NS", "TXT", "CAA", "SRV", "SOA", "PTR"].map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        )}
      </Field>
      <Field
        name="config.expected"
        label="Expected records"
        hint="One on each line. Left empty, a record that was not seen for 7 days counts as a change."
        refused={refused}
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
      <Interval config={config} refused={refused} />
    </>
  ),
  SCHEDULED: (props) => <Rhythm {...props} />,
};

interface TextProps {
  name: string;
  label: string;
  value: unknown;
  refused: Refused | null;
  kind?: "url" | "text";
  example?: string;
  hint?: string;
}

function Text({ name, label, value, refused, kind = "text", example, hint }: TextProps) {
  return (
    <Field name={name} label={label} refused={refused} hint={hint}>
      {(props) => (
        <input
          {...props}
          inputMode={kind}
          defaultValue={value === undefined ? "" : String(value)}
          placeholder={example}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
    </Field>
  );
}

function Whole({ name, label, value, refused, hint }: Omit<TextProps, "kind">) {
  return (
    <Field name={name} label={label} refused={refused} hint={hint}>
      {(props) => (
        <input
          {...props}
          className="short"
          inputMode="numeric"
          defaultValue={value === undefined ? "" : String(value)}
          autoComplete="off"
        />
      )}
    </Field>
  );
}

function HostAndPort({ config, refused }: Omit<Props, "type">) {
  return (
    <div className="side-by-side">
      <Text name="config.host" label="Host" value={config.host} refused={refused} example="example.com" />
      <Whole name="config.port" label="Port" value={config.port} refused={refused} />
    </div>
  );
}

function Interval({ config, refused }: Omit<Props, "type">) {
  return (
    <Whole
      name="config.interval"
      label="Check every … seconds"
      value={config.interval ?? 60}
      refused={refused}
    />
  );
}

const rhythms = { learned: "Learned from the calls", period: "Every …", cron: "By a cron expression" };

function Rhythm({ config, refused }: Omit<Props, "type">) {
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
        <Whole
          name="config.period"
          label="Seconds between two calls"
          value={config.period}
          refused={refused}
        />
      )}
      {rhythm === "cron" && (
        <div className="side-by-side">
          <Text
            name="config.cron"
            label="Cron expression"
            value={config.cron}
            refused={refused}
            example="30 2 * * 1-5"
          />
          <Text
            name="config.timezone"
            label="Time zone"
            value={config.timezone}
            refused={refused}
            example="UTC"
          />
        </div>
      )}
      <Whole
        name="config.grace"
        label="Grace, in seconds"
        value={config.grace}
        refused={refused}
        hint="How late a call may be. Left empty: a fifth of the rhythm, 1 minute to 1 hour."
      />
    </>
  );
}

/** The config that a form holds, as the API takes it: what is empty is left out. */
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
      cron: textOf(data, "config.cron"),
      timezone: textOf(data, "config.timezone"),
      period: numberOf(data, "config.period"),
      grace: numberOf(data, "config.grace"),
    },
  };
  return Object.fromEntries(Object.entries(all[type]).filter(([, value]) => value !== undefined));
}
