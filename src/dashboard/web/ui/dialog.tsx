import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react";
import { Failure } from "./failure.tsx";

/** A native modal dialog. The focus stays in it, and Escape closes it. */
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

interface Confirmation {
  title: ReactNode;
  children: ReactNode;
  /** The label of the button that confirms. */
  action: string;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks for confirmation before an action that cannot be undone. */
export function Confirm({ title, children, action, onConfirm, onClose }: Confirmation) {
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      await onConfirm();
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
      <div className="actions actions-end">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="button-danger" disabled={busy} onClick={run}>
          {action}
        </button>
      </div>
    </Dialog>
  );
}
