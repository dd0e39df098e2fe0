import { type MouseEvent, useEffect, useState } from "react";

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
