import { type ReactNode, useState } from "react";
import { Failure } from "../failure.tsx";
import { DeleteButton } from "./delete-button.tsx";

interface Props {
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
export function ItemActions({ name, toggle, onToggle, edit, onDelete, children }: Props) {
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
