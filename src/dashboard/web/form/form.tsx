import {
  createContext,
  type FocusEvent,
  type FormEvent,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from "react";
import { failureWords } from "../ui/failure.tsx";
import { byField, type Wrong } from "./field-errors.ts";

interface Held {
  wrong: Wrong;
  busy: boolean;
  attempt: (act: (data: FormData) => Promise<unknown>, prefix?: string) => Promise<void>;
}

const Current = createContext<Held>({ wrong: {}, busy: false, attempt: async () => {} });

/**
 * The form around: what is wrong with its fields; whether it is being sent; and `attempt`, which does something with
 * its values unless one of them is wrong, of those whose names begin with `prefix`.
 */
export function useForm(): Held {
  return useContext(Current);
}

interface Props {
  /** All that is wrong with the values, in sentences of the API. */
  check: (data: FormData) => string[];
  onSubmit: (data: FormData) => Promise<unknown>;
  className?: string;
  children: ReactNode;
}

/**
 * A form that is checked while one types. What is wrong is told when the reader has left the field, has made a right
 * number wrong, or sends the form; and is taken back as soon as it is right.
 */
export function Form({ check, onSubmit, className, children }: Props) {
  const element = useRef<HTMLFormElement>(null);
  const memory = useRef(newMemory());
  const afterPress = useAfterPress();
  const [wrong, setWrong] = useState<Wrong>({});
  const [busy, setBusy] = useState(false);

  const find = (form: HTMLFormElement) =>
    byField([...incomplete(form), ...check(new FormData(form))], namesIn(form));
  const review = (found: Wrong) => {
    const { told } = memory.current;
    setWrong(Object.fromEntries(Object.entries(found).filter(([name]) => told.has(name))));
  };
  const onInput = ({ target, currentTarget: form }: FormEvent<HTMLFormElement>) => {
    if (!isControl(target)) return;
    // The choice of a type or a rhythm puts other fields into the form.
    if (target.type === "radio") {
      memory.current = newMemory();
      return setWrong({});
    }
    const found = find(form);
    memory.current.heed(target, found[target.name] === undefined);
    review(found);
  };
  const onBlur = ({ target, relatedTarget, currentTarget: form }: FocusEvent<HTMLFormElement>) => {
    // A button tells by itself what is wrong, or leads away.
    if (relatedTarget instanceof HTMLButtonElement || !isControl(target)) return;
    if (memory.current.leave(target.name)) afterPress(() => review(find(form)));
  };
  const attempt: Held["attempt"] = async (act, prefix = "") => {
    const form = element.current;
    if (!form) return;
    const names = namesIn(form).filter((name) => name.startsWith(prefix));
    for (const name of names) memory.current.told.add(name);
    const found = Object.entries(find(form)).filter(([name]) => name === "" || name.startsWith(prefix));
    setWrong(Object.fromEntries(found));
    if (found.length > 0) return focusWrong(form);
    setBusy(true);
    try {
      await act(new FormData(form));
    } catch (error) {
      setWrong(byField([failureWords(error)], namesIn(form)));
      focusWrong(form);
    }
    setBusy(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(onSubmit);
  };
  return (
    <Current value={{ wrong, busy, attempt }}>
      <form
        ref={element}
        className={className}
        onSubmit={submit}
        onInput={onInput}
        onBlur={onBlur}
        noValidate
      >
        {children}
      </form>
    </Current>
  );
}

export function SubmitButton({ children }: { children: ReactNode }) {
  return (
    <button type="submit" className="primary" disabled={useForm().busy}>
      {children}
    </button>
  );
}

/** What is wrong with the form as a whole, or with a field that is not in it. */
export function FormFailure() {
  const { wrong } = useForm();
  if (wrong[""] === undefined) return null;
  return (
    <p className="failure" role="alert">
      {wrong[""]}
    </p>
  );
}

/**
 * Runs what moves things on the screen: at once, but while a pointer is down after it, so that the click arrives where
 * it was aimed.
 */
function useAfterPress(): (act: () => void) => void {
  const press = useRef<{ act?: () => void } | null>(null);
  useEffect(() => {
    const listening = new AbortController();
    const on = (event: "mousedown" | "mouseup", act: () => void) =>
      addEventListener(event, act, { capture: true, signal: listening.signal });
    on("mousedown", () => {
      press.current ??= {};
    });
    // The click comes right behind it.
    on("mouseup", () =>
      setTimeout(() => {
        press.current?.act?.();
        press.current = null;
      }),
    );
    return () => listening.abort();
  }, []);
  return (act) => {
    if (press.current) press.current.act = act;
    else act();
  };
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** What the reader has done so far. */
function newMemory() {
  /** The fields whose mistakes are told. */
  const told = new Set<string>();
  const edited = new Set<string>();
  /** The numbers that were right once: of what is added to such a one it is clear that it is no beginning. */
  const right = new Set<string>();
  return {
    told,
    heed({ name, type, inputMode }: Control, isRight: boolean): void {
      edited.add(name);
      if (isRight && inputMode === "numeric") right.add(name);
      if (type === "checkbox" || right.has(name)) told.add(name);
    },
    /** @returns whether anything was done there */
    leave(name: string): boolean {
      if (edited.has(name)) told.add(name);
      return edited.has(name);
    },
  };
}

function isControl(target: EventTarget): target is Control {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement
  );
}

function namesIn(form: HTMLFormElement): string[] {
  return [...form.elements].flatMap((one) => one.getAttribute("name") || []);
}

/** Of each field that is filled in part, as a date without its year, which the form's values show as empty. */
function incomplete(form: HTMLFormElement): string[] {
  const fields = [...form.elements].filter(isControl).filter(({ validity }) => validity.badInput);
  return fields.map(({ name }) => `${name} must be complete or empty`);
}

/** Brings the reader to the first field that is wrong. */
function focusWrong(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}
