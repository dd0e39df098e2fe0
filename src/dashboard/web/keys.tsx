import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ROLES } from "../../domain/role.ts";
import { type ApiKey, ask } from "./api.ts";
import { Field, focusWrong, type Refused, refusedBy, textOf } from "./fields.tsx";
import { Badge, Confirm, Copyable, Dialog, Failure, View } from "./parts.tsx";
import { useMay, useSession } from "./session.tsx";
import { Distance, Moment } from "./time.tsx";

export function Keys() {
  const { data, error } = useQuery({ queryKey: ["keys"], queryFn: () => ask<ApiKey[]>("GET", "/api-keys") });
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
        Each opens this page and the <a href="/docs">interface</a>, as far as its role goes.
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
    await ask("DELETE", `/api-keys/${id}`);
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
          title={`Delete the key “${name}”?`}
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
  const [refused, setRefused] = useState<Refused | null>(null);
  const [created, setCreated] = useState<{ name: string; key: string } | null>(null);
  const queries = useQueryClient();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const data = new FormData(form);
    const end = textOf(data, "expiresAt");
    try {
      setCreated(
        await ask("POST", "/api-keys", {
          name: textOf(data, "name") ?? "",
          role: textOf(data, "role"),
          ...(end && { expiresAt: new Date(end).toISOString() }),
        }),
      );
      await queries.invalidateQueries({ queryKey: ["keys"] });
    } catch (error) {
      setRefused(refusedBy(error, ["name", "role", "expiresAt"]));
      focusWrong(form);
    }
  };
  if (created) {
    return (
      <Dialog title={`The key “${created.name}”`} onClose={onClose}>
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
      <form onSubmit={submit} noValidate>
        <Field name="name" label="Name" refused={refused}>
          {(props) => <input {...props} autoComplete="off" />}
        </Field>
        <Field
          name="role"
          label="Role"
          hint="Viewers read, admins change, owners manage keys too."
          refused={refused}
        >
          {(props) => (
            <select {...props} defaultValue="viewer">
              {ROLES.map((role) => (
                <option key={role}>{role}</option>
              ))}
            </select>
          )}
        </Field>
        <Field name="expiresAt" label="Ends" hint="Left empty: never." refused={refused}>
          {(props) => <input {...props} type="datetime-local" />}
        </Field>
        {refused?.field === null && (
          <p className="failure" role="alert">
            {refused.words}
          </p>
        )}
        <div className="actions end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" className="primary">
            Create key
          </button>
        </div>
      </form>
    </Dialog>
  );
}
