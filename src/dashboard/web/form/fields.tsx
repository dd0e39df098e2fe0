import { type ReactNode, useId } from "react";
import { useForm } from "./form.tsx";

interface FieldProps {
  /** As the API names it. */
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

/** A labelled control with what is wrong with it beside it. */
export function Field({ name, label, hint, children }: FieldProps) {
  const id = useId();
  const error = useForm().wrong[name];
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
        <p className="error" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
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
  hint?: string;
  example?: string;
  kind?: "text" | "url" | "email" | "numeric";
}

/** A line of text as a machine reads it: no keyboard corrects it. */
export function TextField({ name, label, value, hint, example, kind = "text" }: TextProps) {
  return (
    <Field name={name} label={label} hint={hint}>
      {(props) => (
        <input
          {...props}
          className={kind === "numeric" ? "short" : undefined}
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

export function NameField({ label = "Name", value }: { label?: string; value?: string | undefined }) {
  return (
    <Field name="name" label={label}>
      {(props) => <input {...props} defaultValue={value} autoComplete="off" />}
    </Field>
  );
}
