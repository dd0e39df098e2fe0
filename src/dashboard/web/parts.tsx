import { type MouseEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { RANGES, type Range } from "../../domain/results/range.ts";
import { Refusal } from "./api.ts";

let arrived = false;

/** One view: its name in the title and in the first heading, which gets the focus when one comes here by a link. */
export function View({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(title);
  useEffect(() => {
    if (arrived) heading.current?.focus({ preventScroll: true });
    arrived = true;
  }, []);
  return (
    <main id="main">
      <div className="view-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {aside && <div className="actions">{aside}</div>}
      </div>
      {children}
    </main>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · stillup`;
  }, [title]);
}

const rangeWords: Record<Range, string> = {
  "1d": "24 hours",
  "7d": "7 days",
  "30d": "30 days",
  "90d": "90 days",
};

export function RangePicker({ value, onChange }: { value: Range; onChange: (range: Range) => void }) {
  const name = useId();
  return (
    <fieldset className="segments">
      <legend className="unseen">Range</legend>
      {RANGES.map((range) => (
        <label key={range}>
          <input
            type="radio"
            name={name}
            checked={range === value}
            onChange={() => onChange(range)}
            aria-label={rangeWords[range]}
          />
          <span>{range}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The words of whatever went wrong, told to screen readers too. */
export function Failure({ error }: { error: unknown }) {
  if (!error) return null;
  return (
    <p className="failure" role="alert">
      {failureWords(error)}
    </p>
  );
}

export function failureWords(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  return "The server could not be reached.";
}

export function CopyButton({ text, label }: { text: string; label: string }) {
  const [outcome, setOutcome] = useState("");
  useEffect(() => {
    if (!outcome) return undefined;
    const timer = setTimeout(() => setOutcome(""), 2000);
    return () => clearTimeout(timer);
  }, [outcome]);
  const onClick = async ({ currentTarget }: MouseEvent<HTMLElement>) =>
    setOutcome((await copy(text, currentTarget)) ? "Copied" : "Not copied");
  return (
    <button type="button" className="small" aria-label={label} onClick={onClick}>
      <span aria-live="polite">{outcome || "Copy"}</span>
    </button>
  );
}

/**
 * The clipboard is there on HTTPS and on this machine only; elsewhere the old way serves.
 *
 * @returns whether it is in the clipboard now
 */
async function copy(text: string, button: HTMLElement): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const area = document.createElement("textarea");
  area.value = text;
  // Beside a modal dialog nothing can be selected, and what is copied is whatever was selected before.
  (button.closest("dialog") ?? document.body).append(area);
  area.select();
  const done = document.activeElement === area && document.execCommand("copy");
  area.remove();
  button.focus();
  return done;
}

/** A line that is there to be copied. */
export function Copyable({ text, label }: { text: string; label: string }) {
  return (
    <div className="copyable">
      <code>{text}</code>
      <CopyButton text={text} label={`Copy ${label}`} />
    </div>
  );
}

/** A native modal dialog: it keeps the focus, and Escape closes it. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: ReactNode;
  onClose: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => showModal(dialog), []);
  return (
    <dialog ref={dialog} aria-labelledby={heading} onClose={onClose}>
      <h2 id={heading}>{title}</h2>
      {children}
    </dialog>
  );
}

function showModal({ current }: RefObject<HTMLDialogElement | null>): () => void {
  current?.showModal();
  return () => current?.close();
}

interface Question {
  title: ReactNode;
  children: ReactNode;
  /** What the button says. */
  act: string;
  onAct: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before something that can't be undone. */
export function Confirm({ title, children, act, onAct, onClose }: Question) {
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      await onAct();
      onClose();
    } catch (caught) {
      setError(caught);
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Failure error={error} />
      <div className="actions end">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="danger" disabled={busy} onClick={run}>
          {act}
        </button>
      </div>
    </Dialog>
  );
}

export function Badge({ children }: { children: ReactNode }) {
  return <span className="badge">{children}</span>;
}

interface Table {
  of: string;
  columns: (string | { number: string })[];
  /** Its rows. */
  children: ReactNode;
}

/** A table that may be wider than the screen: it scrolls, by the keyboard too. */
export function TableBox({ of, columns, children }: Table) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section className="scroll" aria-label={`Table of ${of}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) =>
              typeof column === "string" ? (
                <th key={column} scope="col">
                  {column}
                </th>
              ) : (
                <th key={column.number} scope="col" className="number">
                  {column.number}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
