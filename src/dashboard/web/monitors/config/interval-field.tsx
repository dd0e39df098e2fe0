import { useEffect, useRef, useState } from "react";
import { type Plan, planLimits } from "../../../../domain/accounts/organization.ts";
import { kindById, type MonitorKind } from "../../../../domain/monitors/kinds/kinds.ts";
import type { MonitorType } from "../../../../domain/monitors/monitor.ts";
import { REGISTRATION_WARN_DAYS } from "../../../../domain/registration/registration.ts";
import type { Config } from "../../data/api.ts";
import { numberOf, textOf } from "../../form/field-errors.ts";
import {
  exactText,
  Field,
  inUnit,
  NameField,
  secondsIn,
  TextField,
  unitOptions,
  useFieldNotes,
} from "../../form/fields.tsx";
import { useFormData } from "../../form/form.tsx";
import { plural, texts } from "../../languages/texts.ts";
import { optionsOf } from "../../ui/filters.tsx";

/** How often a monitor is checked: an offered interval, or an own one with its unit. @property stored seconds */
export function IntervalField({ stored, plan }: { stored: unknown; plan: Plan }) {
  const least = planLimits[plan].minimumInterval;
  const offered = offeredIntervals(least);
  const seconds = stored ?? usualInterval(least);
  const isOffered = offered.some(({ value }) => value === String(seconds));
  const [choice, setChoice] = useState(isOffered ? String(seconds) : OWN);
  const { amount, unit } = inUnit(seconds);
  return (
    <Field name="config.interval" label={texts.config.interval.label}>
      {({ id, name, ...invalid }) => (
        <div className="row">
          <select
            id={id}
            name={name}
            value={choice}
            onChange={({ target }) => setChoice(target.value)}
            {...(choice !== OWN && invalid)}
          >
            {optionsOf([...offered, { value: OWN, label: texts.config.interval.other }])}
          </select>
          {choice === OWN && (
            <>
              <input
                name={name}
                aria-label={texts.config.interval.amount}
                inputMode="numeric"
                defaultValue={amount}
                {...exactText}
                {...invalid}
              />
              <select name={name} aria-label={texts.config.interval.unit} defaultValue={unit}>
                {optionsOf(unitOptions())}
              </select>
            </>
          )}
        </div>
      )}
    </Field>
  );
}

/** The value of the choice that has fields of its own. */
const OWN = "own";

/** Seconds. */
const OFFERED = [30, 60, 300];
const USUAL = 60;

/** The intervals that a form offers, in seconds. @param least of the plan */
export function offeredIntervals(least: number): { value: string; label: string }[] {
  const offered = OFFERED.filter((one) => one >= least);
  return offered.map((one) => {
    const { amount, unit } = inUnit(one);
    return { value: String(one), label: `${amount} ${unit}` };
  });
}

/** The interval of a new monitor, in seconds. @param least of the plan */
export function usualInterval(least: number): number {
  return Math.max(USUAL, least);
}

/**
 * The seconds of an interval in a form.
 *
 * @param values the choice, and for an own interval its amount and its unit
 * @returns a text that is not a number unchanged, so that the validation refuses it
 */
export function intervalIn([choice = "", amount = "", unit = "s"]: readonly string[]): string {
  if (choice !== OWN) return choice;
  return secondsIn(amount, unit);
}

/** A URL without user name and password, and these. */
interface SplitUrl {
  url: string;
  user: string;
  password: string;
}

/** A host name or an IP address, with or without a port, and what may follow it. */
const HOST = /^(?:\[[\da-f:.]+\]|[^\s:/?#@[\]]+)(?::\d+)?(?:[/?#]|$)/i;

/** Adds `https://` to a text that begins with a host, such as `example.com/shop`. */
export function completeUrl(text: string): string {
  return HOST.test(text.replace(USER_INFO, "")) ? `https://${text}` : text;
}

const USER_INFO = /^[^\s/?#@]+:[^\s/?#@]*@/;

/** The user and the password of a URL, which are fields of their own in a config. */
export function splitUrl(text: string): SplitUrl {
  const url = URL.parse(text);
  if (!url || (url.username === "" && url.password === "")) return { url: text, user: "", password: "" };
  const [user, password] = [decoded(url.username), decoded(url.password)];
  url.username = "";
  url.password = "";
  return { url: url.href, user, password };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The name of a new monitor. It follows the target until the reader types another one. */
export function ProposedName({ kind }: { kind: MonitorKind }) {
  const element = useRef<HTMLDivElement>(null);
  const proposed = useRef("");
  const data = useFormData(element);
  useEffect(() => {
    const input = element.current?.querySelector("input");
    if (!input || !data || input.value !== proposed.current) return;
    proposed.current = nameFor(kindById(kind).type, data);
    input.value = proposed.current;
  }, [kind, data]);
  return (
    <div ref={element}>
      <NameField />
    </div>
  );
}

/** The longest name of a monitor. */
const MAX_NAME = 200;

/** A name from the target in a form. Empty without one. */
export function nameFor(type: MonitorType, data: FormData): string {
  const name = names[type]?.(data) ?? textOf(data, "config.host") ?? "";
  return name.slice(0, MAX_NAME);
}

const names: { [Type in MonitorType]?: (data: FormData) => string | undefined } = {
  HTTP: (data) => {
    const url = textOf(data, "config.url") ?? textOf(data, "config.steps.0.url") ?? "";
    return URL.parse(completeUrl(url))?.hostname.replace(/^www\./, "");
  },
  TCP: (data) => {
    const [host, port] = ["config.host", "config.port"].map((name) => textOf(data, name));
    return host && port ? `${host}:${port}` : host;
  },
  DNS: (data) => textOf(data, "config.hostname"),
};

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
          {texts.config.registration.warn}
        </label>
        {errorBelow}
      </div>
      {isOn && (
        <TextField
          name="config.registration.warnDays"
          label={texts.config.registration.days}
          kind="numeric"
          value={warnDaysIn(config.registration)}
          hint={plural(texts.config.registration.hint, REGISTRATION_WARN_DAYS)}
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
