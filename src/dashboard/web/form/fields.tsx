import { type FocusEvent, type ReactNode, useId } from "react";
import { MASK } from "../../../domain/schemas/mask.ts";
import { useForm } from "./form.tsx";

interface FieldProps {
  /** The name in the API, such as `config.port`. */
  name: string;
  label: string;
  hint?: ReactNode;
  children: (props: {
    id: string;
    name: string;
    "aria-invalid"?: true;
    "aria-describedby"?: string;
  }) => ReactNode;
}

/** A control with its label, its error and a hint. */
export function Field({ name, label, hint, children }: FieldProps) {
  const id = useId();
  const error = useForm().errors[name];
  const described = [error && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        name,
        ...(error && { "aria-invalid": true }),
        ...(described && { "aria-describedby": described }),
      })}
      {error && (
        <p className="field-error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p className="text-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface TextProps {
  name: string;
  label: string;
  value?: unknown;
  hint?: string | undefined;
  example?: string | undefined;
  kind?: "text" | "url" | "email" | "numeric";
}

/** One line of text for a machine: without spelling correction. */
export function TextField({ name, label, value, hint, example, kind = "text" }: TextProps) {
  return (
    <Field name={name} label={label} hint={hint}>
      {(props) => (
        <input
          {...props}
          className={kind === "numeric" ? "field-short" : undefined}
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
export function selectMask({ target }: FocusEvent<HTMLInputElement>): void {
  if (target.value === MASK) target.select();
}

export function NameField({ label = "Name", value }: { label?: string; value?: string | undefined }) {
  return (
    <Field name="name" label={label}>
      {(props) => <input {...props} defaultValue={value} autoComplete="off" />}
    </Field>
  );
}
