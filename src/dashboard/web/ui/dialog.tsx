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

interface Props {
  name: string;
  /** What it is, such as `the key`, if its name does not say it. */
  what?: string;
  /** Replaces the label for screen readers, in a list with several buttons. */
  label?: string;
  onDelete: () => Promise<unknown>;
  /** What else is deleted with it. */
  children: ReactNode;
}

/** Deletes something after a confirmation. */
export function DeleteButton({ name, what, label, onDelete, children }: Props) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <button
        type="button"
        className="button-danger-quiet"
        aria-label={label}
        onClick={() => setAsking(true)}
      >
        Delete
      </button>
      {asking && (
        <Confirm
          title={
            <>
              Delete {what && `${what} `}“<bdi>{name}</bdi>”?
            </>
          }
          action="Delete"
          onConfirm={onDelete}
          onClose={() => setAsking(false)}
        >
          <p>{children}</p>
        </Confirm>
      )}
    </>
  );
}

interface ItemProps {
  /** The name of the monitor or channel. */
  name: string;
  /** The label of the button that enables or disables it. */
  toggle: string;
  onToggle: () => Promise<unknown>;
  /** A link or button that leads to its form. */
  edit: ReactNode;
  onDelete: () => Promise<unknown>;
  /** What else is deleted with it. */
  children: ReactNode;
}

/** Enables or disables, edits and deletes a monitor or a channel. */
export function ItemActions({ name, toggle, onToggle, edit, onDelete, children }: ItemProps) {
  const [error, setError] = useState<unknown>();
  const switchOnOrOff = () => onToggle().then(() => setError(undefined), setError);
  return (
    <>
      <Failure error={error} />
      <button type="button" onClick={switchOnOrOff}>
        {toggle}
      </button>
      {edit}
      <DeleteButton name={name} onDelete={onDelete}>
        {children}
      </DeleteButton>
    </>
  );
}
