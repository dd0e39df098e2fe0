import { type ReactNode, useState } from "react";
import { Confirm } from "./dialog.tsx";
import { Failure } from "./failure.tsx";

interface Props {
  /** What it is done to. */
  name: string;
  /** What the button says that switches it on or off. */
  toggle: string;
  onToggle: () => Promise<unknown>;
  /** The way to change it. */
  edit: ReactNode;
  onDelete: () => Promise<unknown>;
  /** What goes with it. */
  children: ReactNode;
}

/** What one can do to a monitor or a channel: switch it, change it, delete it after a question. */
export function Acts({ name, toggle, onToggle, edit, onDelete, children }: Props) {
  const [deleting, setDeleting] = useState(false);
  const [error, setError] = useState<unknown>();
  const switchIt = () => onToggle().then(() => setError(undefined), setError);
  return (
    <>
      <Failure error={error} />
      <button type="button" onClick={switchIt}>
        {toggle}
      </button>
      {edit}
      <button type="button" className="danger-quiet" onClick={() => setDeleting(true)}>
        Delete
      </button>
      {deleting && (
        <Confirm
          title={
            <>
              Delete “<bdi>{name}</bdi>”?
            </>
          }
          act="Delete"
          onAct={onDelete}
          onClose={() => setDeleting(false)}
        >
          <p>{children}</p>
        </Confirm>
      )}
    </>
  );
}
