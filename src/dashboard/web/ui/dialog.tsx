import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { texts } from "../languages/texts.ts";
import { Failure, useAction } from "./filters.tsx";

interface DialogProps {
  title: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

/** A native modal dialog. The focus stays in it, and Escape closes it. Its title stays in view while its content scrolls. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => showModal(dialog), []);
  return (
    <dialog ref={dialog} aria-labelledby={heading} onClose={onClose}>
      <h2 id={heading}>{title}</h2>
      <div className="dialog-body">{children}</div>
      {/* The last one, so that the first field gets the focus. */}
      <button
        type="button"
        className="button-quiet dialog-close"
        aria-label={texts.ui.closeDialog}
        onClick={() => dialog.current?.close()}
      >
        ✕
      </button>
    </dialog>
  );
}

function showModal({ current }: RefObject<HTMLDialogElement | null>): () => void {
  current?.showModal();
  return () => current?.close();
}

interface ActionsProps {
  /** The label of the button that closes the dialog; null for none beside the sign at the title. */
  close?: string | null;
  onClose: () => void;
  /** Other buttons. */
  children?: ReactNode;
}

/** The buttons below the content of a dialog. */
export function DialogActions({ close = texts.common.actions.cancel, onClose, children }: ActionsProps) {
  return (
    <div className="actions actions-end">
      {close !== null && (
        <button type="button" onClick={onClose}>
          {close}
        </button>
      )}
      {children}
    </div>
  );
}

interface ButtonProps {
  label: ReactNode;
  className?: string | undefined;
  /** Replaces the label for screen readers, in a list with several buttons. */
  name?: string | undefined;
  /** The dialog. */
  children: (onClose: () => void) => ReactNode;
}

/** A button that opens a dialog. */
export function DialogButton({ label, className, name, children }: ButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={className} aria-label={name} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}

interface Confirmation extends Omit<DialogProps, "onClose"> {
  /** The label of this button, and of the one that confirms. */
  label: string;
  onConfirm: () => Promise<unknown>;
}

/** A button whose action cannot be undone, and needs a confirmation. */
export function ConfirmButton({
  className,
  name,
  ...dialog
}: Confirmation & Pick<ButtonProps, "className" | "name">) {
  return (
    <DialogButton label={dialog.label} className={className} name={name}>
      {(onClose) => <ConfirmDialog {...dialog} onClose={onClose} />}
    </DialogButton>
  );
}

/** Asks before an action that cannot be undone. */
export function ConfirmDialog({ label, onConfirm, children, ...dialog }: Confirmation & DialogProps) {
  const { error, busy, run } = useAction();
  const confirm = () => run(() => onConfirm().then(dialog.onClose));
  return (
    <Dialog {...dialog}>
      <p>{children}</p>
      <Failure error={error} />
      <DialogActions onClose={dialog.onClose}>
        <button type="button" className="button-danger" disabled={busy} onClick={confirm}>
          {label}
        </button>
      </DialogActions>
    </Dialog>
  );
}
