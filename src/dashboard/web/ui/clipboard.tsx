import { type MouseEvent, useEffect, useState } from "react";

function CopyButton({ text, label }: { text: string; label: string }) {
  const [outcome, setOutcome] = useState("");
  useEffect(() => {
    if (!outcome) return undefined;
    const timer = setTimeout(() => setOutcome(""), 2000);
    return () => clearTimeout(timer);
  }, [outcome]);
  const onClick = async ({ currentTarget }: MouseEvent<HTMLElement>) =>
    setOutcome((await copy(text, currentTarget)) ? "Copied" : "Not copied");
  return (
    <button type="button" className="button-small" aria-label={label} onClick={onClick}>
      <span aria-live="polite">{outcome || "Copy"}</span>
    </button>
  );
}

/**
 * Browsers have the clipboard API only on HTTPS and on localhost. Elsewhere, a selected text is copied.
 *
 * @returns whether the text is in the clipboard
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
  // While a modal dialog is open, nothing outside it can be selected.
  (button.closest("dialog") ?? document.body).append(area);
  area.select();
  const done = document.activeElement === area && document.execCommand("copy");
  area.remove();
  button.focus();
  return done;
}

/** A text with a button that copies it. */
export function CopyableText({ text, label }: { text: string; label: string }) {
  return (
    <div className={text.includes("\n") ? "copyable-text copyable-lines" : "copyable-text"}>
      <code>{text}</code>
      <CopyButton text={text} label={`Copy ${label}`} />
    </div>
  );
}
