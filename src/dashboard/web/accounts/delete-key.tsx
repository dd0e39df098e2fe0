import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { type ApiKey, api } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { serverQuery } from "../data/shared-queries.ts";
import { useChange } from "../data/use-change.ts";
import { CopyableText } from "../ui/clipboard.tsx";
import { Dialog, DialogActions, DialogButton, quote } from "../ui/dialog.tsx";
import { Failure, useAction } from "../ui/failure.tsx";
import { DeleteButton } from "../ui/item-actions.tsx";

interface Props {
  apiKey: ApiKey;
  /** Whether the reader signed in with this key. */
  isOwn: boolean;
  /** Whether no other valid key may manage keys. */
  isLastOwner: boolean;
}

/** Deletes a key. The only owner key asks for its name, because nothing in the page leads back. */
export function DeleteKey({ apiKey: { id, name }, isOwn, isLastOwner }: Props) {
  const change = useChange(isOwn ? queryKeys.session : queryKeys.apiKeys);
  const remove = () => change(api["api-keys"]({ id }).delete());
  const label = `Delete the key ${name}`;
  if (isLastOwner) {
    return (
      <DialogButton label="Delete" className="button-danger-quiet" name={label}>
        {(onClose) => <DeleteLast name={name} isOwn={isOwn} onDelete={remove} onClose={onClose} />}
      </DialogButton>
    );
  }
  return (
    <DeleteButton name={name} what="the key" label={label} onDelete={remove}>
      Clients that use this key are rejected immediately, and its sessions end.
      {isOwn && <OwnKeyWarning />} You cannot undo this.
    </DeleteButton>
  );
}

function OwnKeyWarning() {
  return <b> You are signed in with this key, and will be signed out.</b>;
}

interface LastProps {
  name: string;
  isOwn: boolean;
  onDelete: () => Promise<unknown>;
  onClose: () => void;
}

function DeleteLast({ name, isOwn, onDelete, onClose }: LastProps) {
  const id = useId();
  const [typed, setTyped] = useState("");
  const { data: server } = useQuery(serverQuery);
  const { error, busy, run } = useAction();
  return (
    <Dialog title={quote("Delete the key", name, "?")} onClose={onClose}>
      <p>
        <b>This is the only valid owner key.</b> Without it, nobody can create or delete keys here, and
        clients that use it are rejected immediately.
        {isOwn && <OwnKeyWarning />} Only somebody with access to the server can then create another one:
      </p>
      {server?.owner && <CopyableText text={server.owner.keyCommand} label="the command" />}
      <div className="field">
        <label htmlFor={id}>Type the name of the key to delete it</label>
        <input
          id={id}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </div>
      <Failure error={error} />
      <DialogActions onClose={onClose}>
        <button
          type="button"
          className="button-danger"
          disabled={busy || typed.trim() !== name}
          onClick={() => run(() => onDelete().then(onClose))}
        >
          Delete
        </button>
      </DialogActions>
    </Dialog>
  );
}
