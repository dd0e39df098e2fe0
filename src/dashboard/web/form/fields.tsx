import { type FocusEvent, type ReactNode, useId } from "react";
import { MASK } from "../../../domain/schemas/mask.ts";
import { fill, texts } from "../languages/texts.ts";
import { optionsOf, type SelectOption } from "../ui/filters.tsx";
import { localTextOf } from "./field-errors.ts";
import { useForm } from "./form.tsx";

interface FieldProps {
  /** The name in the API, such as `config.port`. */
  name: string;
  label: string;
  hint?: ReactNode | undefined;
  children: (props: {
    id: string;
    name: string;
    "aria-invalid"?: true;
    "aria-describedby"?: string;
  }) => ReactNode;
}

/** A control with its label, its error and a hint. */
export function Field({ name, label, hint, children }: FieldProps) {
  const { id, error, hintBelow, errorBelow, describedBy } = useFieldNotes(name, hint);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, name, ...(error && { "aria-invalid": true }), ...describedBy })}
      {errorBelow}
      {hintBelow}
    </div>
  );
}

/** The error and the hint of a field, and the attribute that connects them with it. @param name undefined for no error */
export function useFieldNotes(name: string | undefined, hint: ReactNode) {
  const id = useId();
  const { errors } = useForm();
  const error = name === undefined ? undefined : errors[name];
  const ids = [error && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean).join(" ");
  return {
    id,
    error,
    describedBy: ids ? { "aria-describedby": ids } : {},
    errorBelow: <FieldError id={`${id}-error`} error={error} />,
    hintBelow: hint !== undefined && (
      <p className="text-hint" id={`${id}-hint`}>
        {hint}
      </p>
    ),
  };
}

/** Nothing without an error. */
export function FieldError({ id, error }: { id?: string; error: string | undefined }) {
  if (!error) return null;
  return (
    <p className="field-error" id={id} role="alert">
      {error}
    </p>
  );
}

interface SelectProps extends Omit<FieldProps, "children"> {
  value: string | number | undefined;
  options: readonly SelectOption[];
  className?: string | undefined;
  onChange?: ((value: string) => void) | undefined;
}

/** One of several values. */
export function SelectField({ value, options, className, onChange, ...field }: SelectProps) {
  return (
    <Field {...field}>
      {(props) => (
        <select
          {...props}
          className={className}
          defaultValue={value}
          onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
        >
          {optionsOf(options)}
        </select>
      )}
    </Field>
  );
}

interface SwitchProps extends Pick<FieldProps, "name" | "label" | "hint"> {
  isOn: boolean;
}

/** A check box. The form has the value `true` if it is checked. */
export function SwitchField({ name, label, hint, isOn }: SwitchProps) {
  const { id, error, hintBelow, errorBelow, describedBy } = useFieldNotes(name, hint);
  return (
    <div className="field">
      <div className="check-list">
        <label>
          <input
            {...{ id, name, ...(error && { "aria-invalid": true }), ...describedBy }}
            type="checkbox"
            value="true"
            defaultChecked={isOn}
          />
          {label}
        </label>
      </div>
      {errorBelow}
      {hintBelow}
    </div>
  );
}

/** For texts of machines, which browsers must not correct. */
export const exactText = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;

interface TextProps {
  name: string;
  label: string;
  value?: unknown;
  hint?: string | undefined;
  example?: string | undefined;
  kind?: "text" | "url" | "email" | "numeric";
  /** Whether no draft keeps it. */
  isSecret?: true | undefined;
}

/** One line of text for a machine: without spelling correction. */
export function TextField({ name, label, value, hint, example, kind = "text", isSecret }: TextProps) {
  return (
    <Field name={name} label={label} hint={hint}>
      {(props) => (
        <input
          {...props}
          className={kind === "numeric" ? "field-short" : undefined}
          inputMode={kind}
          defaultValue={value === undefined ? "" : String(value)}
          placeholder={example}
          {...(isSecret && { "data-secret": "" })}
          {...exactText}
        />
      )}
    </Field>
  );
}

/** An amount and its unit. @property seconds undefined for none */
export function DurationField({
  name,
  label,
  hint,
  seconds,
}: Pick<TextProps, "name" | "label" | "hint"> & { seconds: unknown }) {
  const { amount, unit } = seconds === undefined ? { amount: "", unit: "min" } : inUnit(seconds);
  return (
    <Field name={name} label={label} hint={hint}>
      {({ id, ...props }) => (
        <div className="row">
          <input {...props} id={id} inputMode="numeric" defaultValue={amount} {...exactText} />
          <select name={name} aria-label={fill(texts.form.unitOf, { field: label })} defaultValue={unit}>
            {optionsOf(unitOptions())}
          </select>
        </div>
      )}
    </Field>
  );
}

/** A secret. `•••` keeps the stored one. */
export function SecretField({
  name,
  label,
  value,
  hint,
}: Pick<TextProps, "name" | "label" | "value" | "hint">) {
  return (
    <Field name={name} label={label} hint={hint}>
      {(props) => (
        <input
          {...props}
          type="password"
          defaultValue={value === undefined ? "" : String(value)}
          onFocus={selectMask}
          autoComplete="new-password"
        />
      )}
    </Field>
  );
}

/** Selects `•••` in an input, so that typing replaces it. */
export function selectMask({ target }: FocusEvent<HTMLInputElement | HTMLTextAreaElement>): void {
  if (target.value === MASK) target.select();
}

interface NameProps {
  name?: string;
  label?: string;
  value?: string | undefined;
}

/** One line of text for people. */
export function NameField({ name = "name", label = texts.form.name, value }: NameProps) {
  return (
    <Field name={name} label={label}>
      {(props) => <input {...props} defaultValue={value} autoComplete="off" />}
    </Field>
  );
}

interface TimeFieldProps {
  name: string;
  label: string;
  /** ISO 8601. */
  value: string | undefined;
  hint?: string;
}

/** A time of the reader's zone. */
export function TimeField({ name, label, value, hint = texts.form.inYourZone }: TimeFieldProps) {
  return (
    <Field name={name} label={label} hint={hint}>
      {(props) => (
        <input
          {...props}
          type="datetime-local"
          max="9999-12-30T23:59"
          defaultValue={value === undefined ? "" : localTextOf(value)}
        />
      )}
    </Field>
  );
}

/* Durations of configs are seconds; a form shows each in a unit. */

const UNITS = { h: 3600, min: 60, s: 1 };

type Unit = keyof typeof UNITS;

/** The options for the unit of a duration, the shortest first. */
export function unitOptions(): SelectOption[] {
  const units = Object.keys(UNITS).toReversed() as Unit[];
  return units.map((value) => ({ value, label: texts.form.units[value] }));
}

/** A duration in the largest unit in which it is a whole number. @param seconds text of the config, which may be anything */
export function inUnit(seconds: unknown): { amount: string; unit: string } {
  const length = Number(seconds);
  const [unit, factor] = Object.entries(UNITS).find(([, one]) => length > 0 && length % one === 0) ?? [
    "s",
    1,
  ];
  return Number.isNaN(length) ? { amount: String(seconds), unit } : { amount: String(length / factor), unit };
}

/**
 * The seconds of a duration.
 *
 * @returns a text that is not a number unchanged, so that the validation refuses it
 */
export function secondsIn(amount: string, unit: string): string {
  const count = Number(amount);
  const factor = UNITS[unit as Unit] ?? 1;
  // To milliseconds: 0.1 * 3 is not 0.3.
  return amount.trim() === "" || Number.isNaN(count)
    ? amount
    : String(Math.round(count * factor * 1000) / 1000);
}
