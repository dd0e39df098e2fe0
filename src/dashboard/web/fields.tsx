import { type ReactNode, useId } from "react";
import { failureWords } from "./parts.tsx";

/** What a form shows of a refusal: the sentence beside the field that it names, or below all. */
export interface Refused {
  field: string | null;
  words: string;
}

/** The API begins its sentences with the field: `config.port must be …`, `name is required`. */
export function refusedBy(error: unknown, fields: string[]): Refused {
  const words = failureWords(error);
  const [first = ""] = words.split(/ /);
  const field = fields.find((one) => first === one || first.startsWith(`${one}.`)) ?? null;
  return {
    field,
    words: field === null ? words : sentence(words.slice(first.length).replace(/^ (of )?/, "")),
  };
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

interface FieldProps {
  /** As the API names it. */
  name: string;
  label: string;
  hint?: ReactNode;
  refused: Refused | null;
  children: (props: {
    id: string;
    name: string;
    "aria-invalid"?: true;
    "aria-describedby"?: string;
  }) => ReactNode;
}

/** A labelled control with what is wrong with it beside it. */
export function Field({ name, label, hint, refused, children }: FieldProps) {
  const id = useId();
  const wrong = refused?.field === name;
  const described = [wrong && `${id}-error`, hint !== undefined && `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        name,
        ...(wrong && { "aria-invalid": true }),
        ...(described && { "aria-describedby": described }),
      })}
      {wrong && (
        <p className="error" id={`${id}-error`} role="alert">
          {refused.words}
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

/** The text of a field; undefined where it was left empty. */
export function textOf(data: FormData, name: string): string | undefined {
  const value = data.get(name);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

/** A number, or, for the API to refuse it in its words, the text that is none. */
export function numberOf(data: FormData, name: string): number | string | undefined {
  const text = textOf(data, name);
  if (text === undefined) return undefined;
  return Number.isNaN(Number(text)) ? text : Number(text);
}

/** Brings the reader to the first field that is wrong. */
export function focusWrong(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}
