import {
  createContext,
  type FormEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { describeError } from "../ui/failure.tsx";
import type { FieldErrors } from "./field-errors.ts";
import { RestoredDraft, RestoredNotice, useDraft } from "./use-draft.tsx";
import { focusFirstError, useFieldErrors } from "./use-field-errors.ts";

interface FormContext {
  errors: FieldErrors;
  /** Whether the form is being sent. */
  busy: boolean;
  /** Runs an action with the values, unless a field whose name begins with `prefix` is invalid. */
  attempt: (action: (data: FormData) => Promise<unknown>, prefix?: string) => Promise<void>;
  /** Deletes the draft of what was entered. */
  forget: () => void;
}

const Current = createContext<FormContext>({
  errors: {},
  busy: false,
  attempt: async () => {},
  forget: () => {},
});

/** The form around a component. */
export function useForm(): FormContext {
  return useContext(Current);
}

interface Props {
  /** Returns all errors of the values, as sentences of the API. */
  check: (data: FormData) => string[];
  onSubmit: (data: FormData) => Promise<unknown>;
  /** Called after the values are saved, and their draft is deleted: a new form then has no draft. */
  onSaved?: () => void;
  /** Whether what is entered is kept until it is saved. */
  keepsDraft?: boolean;
  className?: string;
  children: ReactNode;
}

/** A form that validates its values before it sends them, and shows each error beside its field. */
export function Form({ check, onSubmit, onSaved, keepsDraft = false, className, children }: Props) {
  const element = useRef<HTMLFormElement>(null);
  const { errors, onInput, onBlur, validate, reject } = useFieldErrors(check);
  const [busy, setBusy] = useState(false);
  const { restored, forget } = useDraft(element, keepsDraft);
  const attempt: FormContext["attempt"] = async (action, prefix = "") => {
    const form = element.current;
    if (!form) return;
    if (!validate(form, prefix)) return focusFirstError(form);
    setBusy(true);
    try {
      await action(new FormData(form));
    } catch (error) {
      reject(form, describeError(error));
      focusFirstError(form);
    }
    setBusy(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt((data) => onSubmit(data).then(forget).then(onSaved));
  };
  return (
    <Current value={{ errors, busy, attempt, forget }}>
      <form
        ref={element}
        className={className}
        onSubmit={submit}
        onInput={onInput}
        onBlur={onBlur}
        noValidate
      >
        <RestoredDraft value={restored}>
          {restored && <RestoredNotice draft={restored} onDiscard={forget} />}
          {children}
        </RestoredDraft>
      </form>
    </Current>
  );
}

export function SubmitButton({ children }: { children: ReactNode }) {
  return (
    <button type="submit" className="button-primary" disabled={useForm().busy}>
      {children}
    </button>
  );
}

/** An error of the whole form, or of a field that it does not have. */
export function FormFailure() {
  const error = useForm().errors[""];
  if (error === undefined) return null;
  return (
    <p className="failure" role="alert">
      {error}
    </p>
  );
}

interface DisclosureProps {
  summary: string;
  /** Whether it is open at first. */
  isOpen: boolean;
  children: ReactNode;
}

/** Fields that most readers do not need. An error in them opens it. */
export function Disclosure({ summary, isOpen, children }: DisclosureProps) {
  const element = useRef<HTMLDetailsElement>(null);
  const { errors } = useForm();
  useLayoutEffect(() => {
    const hasErrors = Object.keys(errors).length > 0;
    if (hasErrors && element.current?.querySelector("[aria-invalid=true]")) element.current.open = true;
  }, [errors]);
  // React sets `open` only when it changes, so that it stays as the reader leaves it.
  return (
    <details className="disclosure" ref={element} open={isOpen}>
      <summary>{summary}</summary>
      <div className="form-fields">{children}</div>
    </details>
  );
}

/**
 * The current values of the form around an element, again after each change.
 *
 * @returns null until the form is rendered
 */
export function useFormData(element: RefObject<HTMLElement | null>): FormData | null {
  const [data, setData] = useState<FormData | null>(null);
  useEffect(() => {
    const form = element.current?.closest("form");
    if (!form) return undefined;
    const read = () => setData(new FormData(form));
    read();
    form.addEventListener("input", read);
    return () => form.removeEventListener("input", read);
  }, [element]);
  return data;
}

/** Reports a change that no control reports, such as a change of a hidden field, to `useFormData`. */
export function reportChange(element: HTMLElement | null): void {
  element?.dispatchEvent(new Event("input", { bubbles: true }));
}
