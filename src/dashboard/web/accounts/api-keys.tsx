import { useQuery } from "@tanstack/react-query";
import { ROLES, type Role } from "../../../domain/accounts/role.ts";
import { useHasRole, useSession } from "../app/session.tsx";
import { type ApiKey, api, getData } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { peopleQuery } from "../data/shared-queries.ts";
import { Field, NameField, SelectField } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { textOf } from "../form/form-values.ts";
import { ShownOnceDialog } from "../form/shown-once-dialog.tsx";
import { keyExpiryFaults, nameFaults } from "../form/validation.ts";
import { CopyableText } from "../ui/clipboard.tsx";
import { DialogActions, quote } from "../ui/dialog.tsx";
import { ListRow, ListView } from "../ui/list.tsx";
import { Time, TimeSince } from "../ui/time.tsx";
import { Badge } from "../ui/view.tsx";
import { DeleteKey } from "./delete-key.tsx";
import { lastOwnerKey } from "./last-owner-key.ts";

export function ApiKeys() {
  const { data, error } = useQuery({
    queryKey: queryKeys.apiKeys,
    queryFn: () => getData(api["api-keys"].get()),
  });
  const { data: people } = useQuery(peopleQuery);
  const last = people && lastOwnerKey(data ?? [], people, Date.now());
  return (
    <ListView
      title="API keys"
      lead={
        <>
          Each key gives access to this page and the <a href="/docs">API</a>, with the rights of its role.
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
      createdTitle={({ name }) => quote("The key", name)}
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
          <CopyableText text={key} label="the key" />
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
