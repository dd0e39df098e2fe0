import { type ReactNode, useState } from "react";
import { Confirm } from "./dialog.tsx";

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
