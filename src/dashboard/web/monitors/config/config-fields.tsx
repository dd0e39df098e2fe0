import { Fragment, type ReactNode, useRef, useState } from "react";
import type { Plan } from "../../../../domain/accounts/organization.ts";
import type { Entry, Field, Option, OptionsEntry } from "../../../../domain/monitors/kinds/fields.ts";
import type { HttpConfig } from "../../../../domain/monitors/kinds/http.ts";
import { stepForm } from "../../../../domain/monitors/kinds/http-forms.ts";
import { firstUrlOf } from "../../../../domain/monitors/kinds/http-target.ts";
import type { MonitorKind } from "../../../../domain/monitors/kinds/kinds.ts";
import { monitorForms } from "../../../../domain/monitors/monitor.ts";
import type { FieldWords } from "../../../../domain/schemas/schema.ts";
import type { Config } from "../../data/api.ts";
import { ConfigControl, RadioList } from "../../form/choices.tsx";
import { storedValue } from "../../form/config-field.ts";
import { textOf } from "../../form/field-errors.ts";
import { TextField } from "../../form/fields.tsx";
import { useFormData } from "../../form/form.tsx";
import { HeaderRows } from "../../form/rows.tsx";
import { Disclosure } from "../../form/sections.tsx";
import { texts } from "../../languages/texts.ts";
import { ExpectedHeaders, SameField, StatusFields, TakenValues } from "./answer-fields.tsx";
import { IntervalField, RegistrationField } from "./interval-field.tsx";
import { JsonRows } from "./json-rows.tsx";
import { isOfOneRequest, partsOf } from "./request-values.ts";
import { type Props, RequestsField, WebsiteField } from "./requests-field.tsx";

const USUAL_DAYS = 14;

/** Whether, and how many days before its end, a certificate makes the monitor Degraded. It needs HTTPS. */
function ExpiryField({ config, isNew }: Pick<Props, "config" | "isNew">) {
  const element = useRef<HTMLDivElement>(null);
  const data = useFormData(element);
  const [isOn, setOn] = useState(isNew || config.expiryWarning !== undefined);
  const url = data
    ? (textOf(data, "config.url") ?? textOf(data, "config.steps.0.url"))
    : firstUrlOf(config as HttpConfig);
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
          {texts.config.certificate.warn}
        </label>
      </div>
      {isOn && !isPlain && (
        <TextField
          name="config.expiryWarning"
          label={texts.config.certificate.days}
          kind="numeric"
          value={config.expiryWarning ?? USUAL_DAYS}
        />
      )}
    </div>
  );
}

/** @property children the name, which follows the target */
interface FormProps extends Props {
  kind: MonitorKind;
  plan: Plan;
  children: ReactNode;
}

/** The fields that each reader needs, by kind. The name and the interval stay what they are if the kind changes. */
export function ConfigFields({ kind, plan, children, ...props }: FormProps) {
  const entries = monitorForms[kind].filter((entry) => !("section" in entry));
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
      "section" in entry &&
      isFor(props.config, entry) && <Section key={`${kind} ${entry.section}`} entry={entry} {...props} />,
  );
}

/** @property entry the fields of one subject */
function Section({ entry, ...props }: Props & { entry: Extract<Entry, { section: unknown }> }) {
  return (
    <Disclosure summary={texts.config.sections[entry.section]}>
      <Entries {...props} entries={entry.entries} />
    </Disclosure>
  );
}

function Entries({ entries, ...props }: Props & { entries: readonly Entry[] }) {
  return entries.map(
    (entry, position) =>
      isFor(props.config, entry) && <Fragment key={position}>{shown(entry, props)}</Fragment>,
  );
}

/** A monitor with steps has fewer fields, except its first one: the steps. */
function isFor(config: Config, entry: Entry): boolean {
  return (
    config.steps === undefined || ("widget" in entry && entry.widget === "requests") || !isOfOneRequest(entry)
  );
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
  if ("section" in entry) return null;
  return <Stored field={entry} {...props} />;
}

function Stored({ field, config, at, isNew }: Props & { field: Field }) {
  const offered = isNew ? field.initial : undefined;
  return (
    <ConfigControl
      field={field}
      words={wordsOf(field)}
      {...(at && { at })}
      value={storedValue(field, config) ?? offered}
    />
  );
}

export function wordsOf(field: Field): FieldWords {
  return texts.config.field[field.words ?? field.name];
}

/** The option whose values a config has. */
function optionOf(options: readonly Option[], config: Config): Option | undefined {
  const isSet = (sets: Config) =>
    Object.entries(sets).every(([name, value]) => JSON.stringify(config[name]) === JSON.stringify(value));
  const isStored = ({ entries }: Option) =>
    partsOf(entries).some((part) => storedValue(part, config) !== undefined);
  return options.find(({ sets }) => sets && isSet(sets)) ?? options.find(isStored);
}

function Options({ entry, ...props }: Props & { entry: OptionsEntry }) {
  const { radio } = entry;
  const options: readonly Option[] = entry.options;
  const { title, values } = wordsOfOptions(radio);
  const [chosen, setChosen] = useState((optionOf(options, props.config) ?? options[0])?.value ?? "");
  const entries = options.find(({ value }) => value === chosen)?.entries ?? [];
  return (
    <>
      <RadioList
        legend={title}
        name={radio}
        options={options.map(({ value }) => ({ value, label: values[value]?.label ?? value }))}
        value={chosen}
        onChange={setChosen}
        hint={values[chosen]?.hint}
      />
      <Entries key={chosen} entries={entries} {...props} />
    </>
  );
}

interface OptionsWords {
  title: string;
  values: Readonly<Record<string, { label: string; hint?: string }>>;
}

function wordsOfOptions(radio: OptionsEntry["radio"]): OptionsWords {
  return texts.config.options[radio];
}

/** @property step the stored one; empty for a new one */
function StepFields({ step, ...props }: Omit<Props, "config" | "isNew"> & { step: Config }) {
  const shown = { ...props, config: step, isNew: Object.keys(step).length === 0 };
  return (
    <>
      <Entries {...shown} entries={stepForm.filter((entry) => !("section" in entry))} />
      {stepForm.map(
        (entry) => "section" in entry && <Section key={entry.section} entry={entry} {...shown} />,
      )}
    </>
  );
}

type Widget = Extract<Entry, { widget: unknown }>["widget"];

const widgets: Record<Widget, (props: Props) => ReactNode> = {
  requests: (props) => (
    <RequestsField {...props}>{(step) => <StepFields onConfig={props.onConfig} {...step} />}</RequestsField>
  ),
  website: ({ config, at }) => <WebsiteField url={config.url} at={at} />,
  statuses: ({ config, at, isNew }) => (
    <StatusFields at={at} expect={isNew ? { status: ["2xx"] } : config.expect} />
  ),
  same: ({ config, at }) => <SameField at={at} same={expected("same", config)} />,
  take: ({ config, at }) => <TakenValues at={at} take={config.take} />,
  expiry: (props) => <ExpiryField {...props} />,
  registration: ({ config }) => <RegistrationField config={config} />,
  headers: ({ config, at }) => <HeaderRows config={config} {...(at && { at })} />,
  json: ({ config, at = "config" }) => (
    <JsonRows name={`${at}.expect.json`} json={(expected("json", config) ?? {}) as Config} />
  ),
  "expected-headers": ({ config, at }) => <ExpectedHeaders at={at} headers={expected("headers", config)} />,
  "any-certificate": ({ config }) => (
    <div className="check-list">
      <label>
        <input
          type="checkbox"
          name="config.verifyTls"
          value="false"
          defaultChecked={config.verifyTls === false}
        />
        {texts.config.certificate.acceptInvalid}
      </label>
    </div>
  ),
};

function expected(name: string, config: Config): unknown {
  return storedValue({ name: `expect.${name}` }, config);
}
