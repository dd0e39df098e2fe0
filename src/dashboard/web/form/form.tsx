import {
  createContext,
  type FocusEvent,
  type FormEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from "react";
import type { SaidFault } from "../../../domain/schemas/validation.ts";
import { ApiError } from "../data/api.ts";
import { loadTexts } from "../languages/texts.ts";
import { describeError } from "../ui/filters.tsx";
import { errorsByField, type FieldErrors, nextState, untouched } from "./field-errors.ts";
import { pageFault } from "./page-fault.ts";
import { RestoredDraft, RestoredNotice, useDraft } from "./use-draft.tsx";

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
  /** Returns all faults of the values. */
  check: (data: FormData) => SaidFault[];
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
  // Forms are in several scripts, also of lists and of the wall.
  useEffect(() => void loadTexts("faults").catch(() => {}), []);
  const attempt: FormContext["attempt"] = async (action, prefix = "") => {
    const form = element.current;
    if (!form) return;
    if (!validate(form, prefix)) return focusFirstError(form);
    setBusy(true);
    try {
      await action(new FormData(form));
    } catch (error) {
      reject(form, error);
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

/**
 * The current values of the form around an element, again after each change.
 *
 * @returns null until the form is rendered
 */
export function useFormData(element: RefObject<HTMLElement | null>): FormData | null {
  const [data, setData] = useState<FormData | null>(null);
  // Before the first paint, so that a preview of the values does not move what is below it.
  useLayoutEffect(() => {
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

/** The errors that a form shows, and what updates them. @param check returns all faults of the values */
function useFieldErrors(check: (data: FormData) => SaidFault[]) {
  const [state, dispatch] = useReducer(nextState, untouched);
  const afterPress = useAfterPress();
  const findErrors = (form: HTMLFormElement) =>
    errorsByField([...incompleteFields(form), ...check(new FormData(form))], fieldNames(form));
  return {
    errors: state.shown,
    onInput({ target, currentTarget: form }: FormEvent<HTMLFormElement>): void {
      if (!isControl(target)) return;
      // A radio button changes the type or the schedule, and so the fields.
      if (target.type === "radio") dispatch({ type: "reset" });
      else {
        const field = { name: target.name, kind: kindOf(target) };
        dispatch({ type: "edit", field, errors: findErrors(form) });
      }
    },
    onBlur({ target, relatedTarget, currentTarget: form }: FocusEvent<HTMLFormElement>): void {
      // A button shows the errors itself, or leaves the form.
      if (relatedTarget instanceof HTMLButtonElement || !isControl(target)) return;
      const { name } = target;
      if (state.edited.has(name))
        afterPress(() => dispatch({ type: "leave", name, errors: findErrors(form) }));
    },
    /** Shows all errors of the fields whose names begin with the prefix. @returns whether there are none */
    validate(form: HTMLFormElement, prefix: string): boolean {
      const hasPrefix = (name: string) => name.startsWith(prefix);
      const all = Object.entries(findErrors(form));
      const errors = Object.fromEntries(all.filter(([name]) => name === "" || hasPrefix(name)));
      dispatch({ type: "attempt", names: fieldNames(form).filter(hasPrefix), errors });
      return Object.keys(errors).length === 0;
    },
    /** Shows why the server refused the values. */
    reject(form: HTMLFormElement, error: unknown): void {
      dispatch({ type: "reject", errors: errorsByField([faultOf(error)], fieldNames(form)) });
    },
  };
}

/** Why a request of a form failed. */
export function faultOf(error: unknown): SaidFault {
  const fault = error instanceof ApiError ? error.fault : undefined;
  return fault ?? { code: "", field: "", values: {}, sentence: describeError(error) };
}

function kindOf({ type, inputMode }: Control): "numeric" | "checkbox" | "text" {
  if (type === "checkbox") return "checkbox";
  return inputMode === "numeric" ? "numeric" : "text";
}

/**
 * Returns a function that runs an action which may move the layout. While a mouse button is down, the action waits for
 * the click: otherwise the click would miss its target.
 */
function useAfterPress(): (action: () => void) => void {
  const press = useRef<{ action?: () => void } | null>(null);
  useEffect(() => {
    const listening = new AbortController();
    const on = (event: "mousedown" | "mouseup", listener: () => void) =>
      addEventListener(event, listener, { capture: true, signal: listening.signal });
    on("mousedown", () => {
      press.current ??= {};
    });
    // The browser dispatches the click after mouseup, before the next timer.
    on("mouseup", () =>
      setTimeout(() => {
        press.current?.action?.();
        press.current = null;
      }),
    );
    return () => listening.abort();
  }, []);
  return (action) => {
    if (press.current) press.current.action = action;
    else action();
  };
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function isControl(target: EventTarget): target is Control {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement
  );
}

function fieldNames(form: HTMLFormElement): string[] {
  return [...form.elements].flatMap((one) => one.getAttribute("name") || []);
}

/** An error for each field that is incomplete, such as a date without its year. FormData shows these as empty. */
function incompleteFields(form: HTMLFormElement): SaidFault[] {
  const fields = [...form.elements].filter(isControl).filter(({ validity }) => validity.badInput);
  return fields.map(({ name }) => pageFault("incomplete", name, {}));
}

/**
 * Moves the focus to the first field with an error, once the errors are rendered, and opens its section. The error of a list of check
 * boxes is of all of them: the first one gets the focus.
 */
function focusFirstError(form: HTMLFormElement): void {
  requestAnimationFrame(() => {
    const field =
      form.querySelector<HTMLElement>("[aria-invalid=true]") ??
      form.querySelector(".field-error")?.closest("fieldset")?.querySelector("input");
    field?.closest("details")?.setAttribute("open", "");
    field?.focus();
  });
}
