import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ROLES, type Role } from "../../../domain/accounts/role.ts";
import { useMay, useSession } from "../app/session.tsx";
import { type ApiKey, api, ask } from "../data/api.ts";
import { Field, NameField } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { textOf } from "../form/form-values.ts";
import { endFaults, nameFaults } from "../form/validation.ts";
import { Badge } from "../ui/badge.tsx";
import { Copyable } from "../ui/clipboard.tsx";
import { Confirm, Dialog } from "../ui/dialog.tsx";
import { Failure } from "../ui/failure.tsx";
import { Distance, Moment } from "../ui/time.tsx";
import { View } from "../ui/view.tsx";

export function Keys() {
  const { data, error } = useQuery({ queryKey: ["keys"], queryFn: () => ask(api["api-keys"].get()) });
  const [creating, setCreating] = useState(false);
  const mayManage = useMay("owner");
  const add = mayManage && (
    <button type="button" className="primary" onClick={() => setCreating(true)}>
      New key
    </button>
  );
  return (
    <View title="API keys" aside={add}>
      <p className="lead">
        Each opens this page and the <a href="/docs">API</a>, as far as its role goes.
      </p>
      <Failure error={error} />
      <ul className="rows">
        {data?.map((key) => (
          <KeyRow key={key.id} apiKey={key} />
        ))}
      </ul>
      {creating && <NewKey onClose={() => setCreating(false)} />}
    </View>
  );
}

function KeyRow({ apiKey: { id, name, keyPrefix, role, expiresAt, lastUsedAt } }: { apiKey: ApiKey }) {
  const [deleting, setDeleting] = useState(false);
  const mayManage = useMay("owner");
  const session = useSession();
  const queries = useQueryClient();
  const own = session?.keyId === id;
  const remove = async () => {
    await ask(api["api-keys"]({ id }).delete());
    await queries.invalidateQueries({ queryKey: [own ? "session" : "keys"] });
  };
  return (
    <li className="row simple">
      <div className="row-name">
        <span className="name">{name}</span>
        <span className="target">
          <Badge>{role}</Badge> <code>{keyPrefix}…</code>
        </span>
      </div>
      <p className="muted">
        {lastUsedAt ? (
          <>
            used <Distance to={lastUsedAt} rough /> ago
          </>
        ) : (
          "never used"
        )}
        {expiresAt && (
          <>
            , ends <Moment at={expiresAt} />
          </>
        )}
        {own && ", yours"}
      </p>
      {mayManage && (
        <button
          type="button"
          className="danger-quiet"
          aria-label={`Delete the key ${name}`}
          onClick={() => setDeleting(true)}
        >
          Delete
        </button>
      )}
      {deleting && (
        <Confirm
          title={
            <>
              Delete the key “<bdi>{name}</bdi>”?
            </>
          }
          act="Delete"
          onAct={remove}
          onClose={() => setDeleting(false)}
        >
          <p>
            Whatever uses it is refused at once, and the sessions that began with it end.
            {own && <b> You are signed in with this key.</b>} This can’t be undone.
          </p>
        </Confirm>
      )}
    </li>
  );
}

/** The key itself is on the screen once, in this dialog, and nowhere after it. */
function NewKey({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<{ name: string; key: string } | null>(null);
  const queries = useQueryClient();
  const create = async (data: FormData) => {
    setCreated(await ask(api["api-keys"].post(valuesOf(data))));
    await queries.invalidateQueries({ queryKey: ["keys"] });
  };
  if (created) {
    return (
      <Dialog
        title={
          <>
            The key “<bdi>{created.name}</bdi>”
          </>
        }
        onClose={onClose}
      >
        <p>
          <b>Copy it now.</b> It is shown this once and can’t be read again.
        </p>
        <Copyable text={created.key} label="the key" />
        <div className="actions end">
          <button type="button" className="primary" onClick={onClose}>
            Done
          </button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="New API key" onClose={onClose}>
      <Form
        check={(data) => [...nameFaults(textOf(data, "name") ?? ""), ...endFaults(textOf(data, "expiresAt"))]}
        onSubmit={create}
      >
        <NameField />
        <Field name="role" label="Role" hint="Viewers read, admins change, owners manage keys too.">
          {(props) => (
            <select {...props} defaultValue="viewer">
              {ROLES.map((role) => (
                <option key={role} value={role}>
                  {role}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field name="expiresAt" label="Ends" hint="In your own time zone. Left empty: never.">
          {(props) => <input {...props} type="datetime-local" max="9999-12-30T23:59" />}
        </Field>
        <FormFailure />
        <div className="actions end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <SubmitButton>Create key</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}

function valuesOf(data: FormData) {
  const end = textOf(data, "expiresAt");
  return {
    name: textOf(data, "name") ?? "",
    role: textOf(data, "role") as Role,
    ...(end && { expiresAt: new Date(end).toISOString() }),
  };
}
