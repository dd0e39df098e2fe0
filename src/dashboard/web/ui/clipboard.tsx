import { type MouseEvent, type ReactNode, useEffect, useState } from "react";
import { named } from "../languages/rich.tsx";
import { texts } from "../languages/texts.ts";
import { ConfirmButton } from "./dialog.tsx";
import { Failure, useAction } from "./filters.tsx";

interface CopyProps {
  text: string;
  /** The accessible name, which begins with what is shown. */
  label: string;
  children?: ReactNode;
}

export function CopyButton({ text, label, children = texts.common.copy.button }: CopyProps) {
  const [outcome, setOutcome] = useState("");
  useEffect(() => {
    if (!outcome) return undefined;
    const timer = setTimeout(() => setOutcome(""), 2000);
    return () => clearTimeout(timer);
  }, [outcome]);
  const onClick = async ({ currentTarget }: MouseEvent<HTMLElement>) =>
    setOutcome((await copy(text, currentTarget)) ? texts.common.copy.done : texts.common.copy.failed);
  return (
    <button type="button" className="button-small" aria-label={label} onClick={onClick}>
      <span aria-live="polite">{outcome || children}</span>
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

/** A text with a button that copies it. @property label the accessible name of the button, such as `Copy the command` */
export function CopyableText({ text, label }: { text: string; label: string }) {
  return (
    <div className={text.includes("\n") ? "copyable-text copyable-lines" : "copyable-text"}>
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  );
}

interface Props {
  name: string;
  /** The question, with the place `{name}`. */
  question?: string;
  /** Replaces the label for screen readers, in a list with several buttons. */
  label?: string;
  onDelete: () => Promise<unknown>;
  /** Names other things that the deletion deletes. */
  children: ReactNode;
}

/** Deletes something after a confirmation. */
export function DeleteButton({ name, question, label, onDelete, children }: Props) {
  return (
    <ConfirmButton
      label={texts.common.actions.delete}
      className="button-danger-quiet"
      name={label}
      title={named(question ?? texts.common.deleteQuestion, name)}
      onConfirm={onDelete}
    >
      {children}
    </ConfirmButton>
  );
}

interface ItemProps extends Pick<Props, "name" | "onDelete" | "children"> {
  /** The label of the button that enables or disables it. */
  toggle: string;
  onToggle: () => Promise<unknown>;
  /** A link or button that leads to its form. */
  edit: ReactNode;
}

/** Enables or disables, edits and deletes something. */
export function ItemActions({ toggle, onToggle, edit, ...deletion }: ItemProps) {
  const { error, busy, run } = useAction();
  return (
    <>
      <Failure error={error} />
      <button type="button" aria-disabled={busy} onClick={() => run(onToggle)}>
        {toggle}
      </button>
      {edit}
      <DeleteButton {...deletion} />
    </>
  );
}
