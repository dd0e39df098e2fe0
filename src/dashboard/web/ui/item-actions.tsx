import type { ReactNode } from "react";
import { ConfirmButton, quote } from "./dialog.tsx";
import { Failure, useAction } from "./failure.tsx";

interface Props {
  name: string;
  /** A noun, such as `the key`, if the name does not say it. */
  what?: string;
  /** Replaces the label for screen readers, in a list with several buttons. */
  label?: string;
  onDelete: () => Promise<unknown>;
  /** Names other things that the deletion deletes. */
  children: ReactNode;
}

/** Deletes something after a confirmation. */
export function DeleteButton({ name, what, label, onDelete, children }: Props) {
  return (
    <ConfirmButton
      label="Delete"
      className="button-danger-quiet"
      name={label}
      title={quote(what ? `Delete ${what}` : "Delete", name, "?")}
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

/** Enables or disables, edits and deletes a monitor or a channel. */
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
