import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { ROLES, type Role } from "../../../domain/accounts/role.ts";
import { base } from "../app/base.ts";
import { useHasRole, useSession } from "../app/session.tsx";
import { type ApiKey, api, type Person } from "../data/api.ts";
import { apiKeysQuery, peopleQuery, queryKeys, serverQuery } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { ShownOnceDialog } from "../form/edit-view.tsx";
import { textOf } from "../form/field-errors.ts";
import { Field, NameField, SelectField } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { keyExpiryFaults, nameFaults } from "../form/validation.ts";
import { named } from "../languages/rich.tsx";
import { CopyableText, DeleteButton } from "../ui/clipboard.tsx";
import { Dialog, DialogActions, DialogButton } from "../ui/dialog.tsx";
import { Failure, useAction } from "../ui/filters.tsx";
import { ListRow, ListView } from "../ui/list.tsx";
import { Time, TimeSince } from "../ui/time.tsx";
import { Badge } from "../ui/view.tsx";

export function ApiKeys() {
  const { data, error } = useQuery(apiKeysQuery);
  const { data: people } = useQuery(peopleQuery);
  const last = people && lastOwnerKey(data ?? [], people, Date.now());
  return (
    <ListView
      title="API keys"
      lead={
        <>
          Each key gives access to this page and the <a href={`${base}/docs`}>API</a>, with the rights of its
          role.
        </>
      }
      items={data}
      error={error}
      row={(key) => <ApiKeyRow key={key.id} apiKey={key} isLastOwner={key.id === last} />}
      create={{ role: "owner", label: "New key", dialog: NewApiKey }}
    />
  );
}

function ApiKeyRow({ apiKey, isLastOwner }: { apiKey: ApiKey; isLastOwner: boolean }) {
  const { id, name, keyPrefix, role } = apiKey;
  const mayManage = useHasRole("owner");
  const isOwn = useSession()?.keyId === id;
  return (
    <ListRow
      title={name}
      details={
        <span className="list-row-detail">
          <Badge>{isLastOwner ? "the only owner key" : role}</Badge> <code>{keyPrefix}…</code>
        </span>
      }
    >
      <p className="text-muted">
        <KeyUse apiKey={apiKey} />
        {isOwn && ", yours"}
      </p>
      {mayManage && <DeleteKey apiKey={apiKey} isOwn={isOwn} isLastOwner={isLastOwner} />}
    </ListRow>
  );
}

function KeyUse({ apiKey: { expiresAt, lastUsedAt } }: { apiKey: ApiKey }) {
  return (
    <>
      {lastUsedAt ? (
        <>
          used <TimeSince at={lastUsedAt} short /> ago
        </>
      ) : (
        "never used"
      )}
      {expiresAt && (
        <>
          , expires <Time at={expiresAt} />
        </>
      )}
    </>
  );
}

function NewApiKey({ onClose }: { onClose: () => void }) {
  return (
    <ShownOnceDialog<{ name: string; key: string }>
      title="New API key"
      createdTitle={({ name }) => named("The key “{name}”", name)}
      queryKey={queryKeys.apiKeys}
      form={(create) => (
        <KeyForm onSubmit={(data) => create(api["api-keys"].post(valuesOf(data)))} onCancel={onClose} />
      )}
      onClose={onClose}
    >
      {({ key }) => (
        <>
          <p>
            <b>Copy it now.</b> This is the only time it is shown.
          </p>
          <CopyableText text={key} label="Copy the key" />
        </>
      )}
    </ShownOnceDialog>
  );
}

interface KeyFormProps {
  onSubmit: (data: FormData) => Promise<unknown>;
  onCancel: () => void;
}

function KeyForm({ onSubmit, onCancel }: KeyFormProps) {
  const check = (data: FormData) => [
    ...nameFaults(textOf(data, "name") ?? ""),
    ...keyExpiryFaults(textOf(data, "expiresAt")),
  ];
  return (
    <Form check={check} onSubmit={onSubmit}>
      <NameField />
      <SelectField
        name="role"
        label="Role"
        hint="Viewers read, admins also write, owners also manage keys."
        value="viewer"
        options={ROLES.map((role) => ({ value: role, label: role }))}
      />
      <Field name="expiresAt" label="Expires" hint="In your time zone. If empty: never.">
        {(props) => <input {...props} type="datetime-local" max="9999-12-30T23:59" />}
      </Field>
      <FormFailure />
      <DialogActions onClose={onCancel}>
        <SubmitButton>Create key</SubmitButton>
      </DialogActions>
    </Form>
  );
}

function valuesOf(data: FormData) {
  const expiry = textOf(data, "expiresAt");
  return {
    name: textOf(data, "name") ?? "",
    role: textOf(data, "role") as Role,
    ...(expiry && { expiresAt: new Date(expiry).toISOString() }),
  };
}

/**
 * The ID of the only valid owner key; undefined if there are several, or none, or if a person is an active owner.
 *
 * @param now milliseconds since 1970
 */
export function lastOwnerKey(
  keys: readonly ApiKey[],
  people: readonly Pick<Person, "role" | "state">[],
  now: number,
): string | undefined {
  if (people.some(({ role, state }) => role === "owner" && state === "active")) return undefined;
  const owners = keys.filter(
    ({ role, expiresAt }) => role === "owner" && (expiresAt === null || Date.parse(expiresAt) > now),
  );
  return owners.length === 1 ? owners[0]?.id : undefined;
}

interface Props {
  apiKey: ApiKey;
  /** Whether the reader signed in with this key. */
  isOwn: boolean;
  /** Whether no other valid key may manage keys. */
  isLastOwner: boolean;
}

/** Deletes a key. The only owner key asks for its name, because nothing in the page leads back. */
function DeleteKey({ apiKey: { id, name }, isOwn, isLastOwner }: Props) {
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
    <DeleteButton name={name} question="Delete the key “{name}”?" label={label} onDelete={remove}>
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
    <Dialog title={named("Delete the key “{name}”?", name)} onClose={onClose}>
      <p>
        <b>This is the only valid owner key.</b> Without it, nobody can create or delete keys here, and
        clients that use it are rejected immediately.
        {isOwn && <OwnKeyWarning />} Only somebody with access to the server can then create another one:
      </p>
      {server?.owner && <CopyableText text={server.owner.keyCommand} label="Copy the command" />}
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
