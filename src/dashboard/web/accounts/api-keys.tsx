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
import { joined, named, rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
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
      title={texts.accounts.keys.title}
      lead={rich(texts.accounts.keys.lead, { link: (text) => <a href={`${base}/docs`}>{text}</a> })}
      items={data}
      error={error}
      row={(key) => <ApiKeyRow key={key.id} apiKey={key} isLastOwner={key.id === last} />}
      create={{ role: "owner", label: texts.accounts.keys.create, dialog: NewApiKey }}
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
          <Badge>{isLastOwner ? texts.accounts.keys.onlyOwner : texts.common.role[role]}</Badge>{" "}
          <code>{keyPrefix}…</code>
        </span>
      }
    >
      <p className="text-muted">
        <KeyUse apiKey={apiKey} isOwn={isOwn} />
      </p>
      {mayManage && <DeleteKey apiKey={apiKey} isOwn={isOwn} isLastOwner={isLastOwner} />}
    </ListRow>
  );
}

function KeyUse({ apiKey: { expiresAt, lastUsedAt }, isOwn }: { apiKey: ApiKey; isOwn: boolean }) {
  return joined([
    lastUsedAt
      ? rich(texts.accounts.keys.used, { ago: <TimeSince at={lastUsedAt} short /> })
      : texts.accounts.keys.neverUsed,
    expiresAt && rich(texts.accounts.keys.expires, { time: <Time at={expiresAt} /> }),
    isOwn && texts.accounts.keys.yours,
  ]);
}

function NewApiKey({ onClose }: { onClose: () => void }) {
  return (
    <ShownOnceDialog<{ name: string; key: string }>
      title={texts.accounts.keys.newTitle}
      createdTitle={({ name }) => named(texts.accounts.keys.createdTitle, name)}
      queryKey={queryKeys.apiKeys}
      form={(create) => (
        <KeyForm onSubmit={(data) => create(api["api-keys"].post(valuesOf(data)))} onCancel={onClose} />
      )}
      onClose={onClose}
    >
      {({ key }) => (
        <>
          <p>{rich(texts.accounts.keys.shownOnce, { b: (text) => <b>{text}</b> })}</p>
          <CopyableText text={key} label={texts.accounts.keys.copy} />
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
        label={texts.accounts.keys.role}
        hint={texts.accounts.keys.roleHint}
        value="viewer"
        options={ROLES.map((role) => ({ value: role, label: texts.common.role[role] }))}
      />
      <Field name="expiresAt" label={texts.accounts.keys.expiry} hint={texts.accounts.keys.expiryHint}>
        {(props) => <input {...props} type="datetime-local" max="9999-12-30T23:59" />}
      </Field>
      <FormFailure />
      <DialogActions onClose={onCancel}>
        <SubmitButton>{texts.accounts.keys.submit}</SubmitButton>
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
  const label = fill(texts.accounts.deleteKey.label, { name });
  if (isLastOwner) {
    return (
      <DialogButton label={texts.common.actions.delete} className="button-danger-quiet" name={label}>
        {(onClose) => <DeleteLast name={name} isOwn={isOwn} onDelete={remove} onClose={onClose} />}
      </DialogButton>
    );
  }
  return (
    <DeleteButton name={name} question={texts.accounts.deleteKey.question} label={label} onDelete={remove}>
      {texts.accounts.deleteKey.text}
      {isOwn && <OwnKeyWarning />}
    </DeleteButton>
  );
}

function OwnKeyWarning() {
  return <b> {texts.accounts.deleteKey.own}</b>;
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
    <Dialog title={named(texts.accounts.deleteKey.question, name)} onClose={onClose}>
      <p>
        {rich(texts.accounts.deleteKey.onlyOwner, { b: (text) => <b>{text}</b> })}
        {isOwn && <OwnKeyWarning />} {texts.accounts.deleteKey.onlyByServer}
      </p>
      {server?.owner && (
        <CopyableText text={server.owner.keyCommand} label={texts.accounts.keys.copyCommand} />
      )}
      <div className="field">
        <label htmlFor={id}>{texts.accounts.deleteKey.confirmation}</label>
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
          {texts.common.actions.delete}
        </button>
      </DialogActions>
    </Dialog>
  );
}
