import { type ReactNode, useState } from "react";
import { Confirm } from "./dialog.tsx";
import { Failure } from "./failure.tsx";

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
