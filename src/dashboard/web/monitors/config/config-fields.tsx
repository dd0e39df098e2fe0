import { Fragment, type ReactNode, useRef, useState } from "react";
import type { Plan } from "../../../../domain/accounts/organization.ts";
import type { Entry } from "../../../../domain/monitors/kinds/fields.ts";
import type { MonitorKind } from "../../../../domain/monitors/kinds/kinds.ts";
import { monitorForms } from "../../../../domain/monitors/monitor.ts";
import type { ConfigField } from "../../../../domain/schemas/schema.ts";
import type { Config } from "../../data/api.ts";
import { ConfigControl, RadioList } from "../../form/choices.tsx";
import { storedValue } from "../../form/config-field.ts";
import { textOf } from "../../form/field-errors.ts";
import { exactText, Field, TextField } from "../../form/fields.tsx";
import { reportChange, useFormData } from "../../form/form.tsx";
import { HeaderRows, PairRows } from "../../form/rows.tsx";
import { Disclosure } from "../../form/sections.tsx";
import { fieldsOf, type StatusChoice, showStatuses, statusChoiceOf } from "./config-values.ts";
import { completeUrl, IntervalField, RegistrationField, splitUrl } from "./interval-field.tsx";
import { JsonRows } from "./json-rows.tsx";

const USUAL_DAYS = 14;

/** Whether, and how many days before its end, a certificate makes the monitor Degraded. It needs HTTPS. */
function ExpiryField({ config, isNew }: { config: Config; isNew: boolean }) {
  const element = useRef<HTMLDivElement>(null);
  const data = useFormData(element);
  const [isOn, setOn] = useState(isNew || config.expiryWarning !== undefined);
  const url = data ? textOf(data, "config.url") : config.url;
  const isPlain = /^http:/i.test(String(url));
  return (
    <div className="form-fields" ref={element}>
      <div className="check-list">
        <label>
          <input
            type="checkbox"
            name="expires"
            checked={isOn && !isPlain}
            disabled={isPlain}
            onChange={({ target }) => setOn(target.checked)}
          />
          Also warn before the certificate expires
        </label>
      </div>
      {isOn && !isPlain && (
        <TextField
          name="config.expiryWarning"
          label="Degraded: … days before its end"
          kind="numeric"
          value={config.expiryWarning ?? USUAL_DAYS}
        />
      )}
    </div>
  );
}

interface Props {
  config: Config;
  /** Whether the monitor is new, so that the fields offer what we recommend. */
  isNew: boolean;
}

/** @property children the name, which follows the target */
interface FormProps extends Props {
  kind: MonitorKind;
  plan: Plan;
  children: ReactNode;
}

/** The fields that each reader needs, by kind. The name and the interval stay what they are if the kind changes. */
export function ConfigFields({ kind, plan, children, ...props }: FormProps) {
  const entries = monitorForms[kind].filter((entry) => !("summary" in entry));
  const hasTarget = kind !== "SCHEDULED";
  return (
    <>
      {hasTarget && <Entries key={`target ${kind}`} entries={entries.slice(0, 1)} {...props} />}
      {children}
      <Entries key={kind} entries={hasTarget ? entries.slice(1) : entries} {...props} />
      {hasTarget && <IntervalField stored={props.config.interval} plan={plan} />}
    </>
  );
}

/** The other fields, in a section for each subject. */
export function ConfigSections({ kind, ...props }: Props & { kind: MonitorKind }) {
  return monitorForms[kind].map(
    (entry) =>
      "summary" in entry && (
        <Disclosure key={`${kind} ${entry.summary}`} summary={entry.summary}>
          <Entries {...props} entries={entry.entries} />
        </Disclosure>
      ),
  );
}

function Entries({ entries, ...props }: Props & { entries: readonly Entry[] }) {
  return entries.map((entry, at) => <Fragment key={at}>{shown(entry, props)}</Fragment>);
}

function shown(entry: Entry, props: Props): ReactNode {
  if ("widget" in entry) return widgets[entry.widget](props);
  if ("options" in entry) return <Options entry={entry} {...props} />;
  if ("fields" in entry) {
    return (
      <div className={`field-${entry.beside}`}>
        <Entries entries={entry.fields} {...props} />
      </div>
    );
  }
  // A section, which is shown below all other fields.
  if ("summary" in entry) return null;
  return <Stored field={entry} {...props} />;
}

function Stored({ field, config, isNew }: Props & { field: ConfigField }) {
  const offered = isNew ? field.initial : undefined;
  return <ConfigControl field={field} value={storedValue(field, config) ?? offered} />;
}

function isStored(entry: Entry, config: Config): boolean {
  const named = "widget" in entry ? [entry] : fieldsOf([entry]);
  return named.some((one) => storedValue(one, config) !== undefined);
}

function Options({ entry, ...props }: Props & { entry: Extract<Entry, { options: unknown }> }) {
  const { legend, radio, options } = entry;
  const stored = options.find(({ entries }) => entries.some((one) => isStored(one, props.config)));
  const [chosen, setChosen] = useState((stored ?? options[0])?.value ?? "");
  const entries = options.find(({ value }) => value === chosen)?.entries ?? [];
  return (
    <>
      <RadioList legend={legend} name={radio} options={options} value={chosen} onChange={setChosen} />
      <Entries key={chosen} entries={entries} {...props} />
    </>
  );
}

type Widget = Extract<Entry, { widget: unknown }>["widget"];

const widgets: Record<Widget, (props: Props) => ReactNode> = {
  statuses: ({ config, isNew }) => <StatusFields expect={isNew ? { status: ["2xx"] } : config.expect} />,
  website: ({ config }) => <WebsiteField url={config.url} />,
  expiry: (props) => <ExpiryField {...props} />,
  registration: ({ config }) => <RegistrationField config={config} />,
  headers: ({ config }) => <HeaderRows config={config} />,
  json: ({ config }) => <JsonRows json={expected("json", config)} />,
  "expected-headers": ({ config }) => (
    <PairRows
      name="config.expect.headers"
      legend="Headers of the answer"
      labels={["Header", "Contains"]}
      rows={Object.entries(expected("headers", config) as Record<string, string>)}
      examples={["Content-Type", "application/json"]}
      add="Add an expected header"
    />
  ),
  "any-certificate": ({ config }) => (
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
  ),
};

function expected(name: string, config: Config): Config {
  return (storedValue({ name: `expect.${name}` }, config) ?? {}) as Config;
}

const words: Record<StatusChoice, { label: string; hint: string }> = {
  success: {
    label: "An answer with a status of 2xx (success)",
    hint: "An error (4xx, 5xx), a redirect that is not followed, and no answer are Down.",
  },
  listed: { label: "An answer with one of these statuses", hint: "Any other status and no answer are Down." },
  any: { label: "Any answer, also an error such as 500", hint: "Only no answer is Down." },
};

/** The statuses that count as up. @param expect of the config; undefined if every answer counts */
function StatusFields({ expect }: { expect: unknown }) {
  const initial = statusChoiceOf(expect);
  const [choice, setChoice] = useState(initial.choice);
  return (
    <>
      <RadioList
        legend="What counts as up"
        name="up"
        options={(Object.keys(words) as StatusChoice[]).map((value) => ({
          value,
          label: words[value].label,
          ...(value === "success" && { sent: initial.success }),
        }))}
        value={choice}
        onChange={setChoice}
        hint={words[choice].hint}
      />
      {choice === "listed" && (
        <TextField
          name="config.expect.status"
          label="Statuses"
          value={showStatuses(expect)}
          example="2xx, 304, 400-404"
          hint="Codes, classes such as 2xx, and ranges such as 200-204."
        />
      )}
    </>
  );
}

/** The URL of a website, which may be entered without `https://`. */
function WebsiteField({ url = "" }: { url: unknown }) {
  return (
    <Field name="config.url" label="URL">
      {(props) => (
        <input
          {...props}
          inputMode="url"
          defaultValue={String(url)}
          placeholder="https://example.com/"
          onBlur={({ target }) => showCompleted(target)}
          {...exactText}
        />
      )}
    </Field>
  );
}

/** Shows the URL as it is saved, and its user and password in their own fields, before the form judges them. */
function showCompleted(input: HTMLInputElement): void {
  const { url, user, password } = splitUrl(completeUrl(input.value.trim()));
  if (url === input.value) return;
  input.value = url;
  if (user !== "" || password !== "") {
    fill(input.form, "config.basicAuth.user", user);
    fill(input.form, "config.basicAuth.password", password);
  }
  reportChange(input);
}

/** Fills a field in a part of the form that may be closed. */
function fill(form: HTMLFormElement | null, name: string, value: string): void {
  const field = form?.elements.namedItem(name);
  if (!(field instanceof HTMLInputElement)) return;
  field.value = value;
  field.closest("details")?.setAttribute("open", "");
}
