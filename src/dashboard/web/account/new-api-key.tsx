import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ROLES, type Role } from "../../../domain/accounts/role.ts";
import { api, getData } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { Field, NameField } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { textOf } from "../form/form-values.ts";
import { keyExpiryFaults, nameFaults } from "../form/validation.ts";
import { CopyableText } from "../ui/clipboard.tsx";
import { Dialog } from "../ui/dialog/dialog.tsx";

/** Creates a key. The key itself is shown once, in this dialog. */
export function NewApiKey({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<{ name: string; key: string } | null>(null);
  const queries = useQueryClient();
  const create = async (data: FormData) => {
    setCreated(await getData(api["api-keys"].post(valuesOf(data))));
    await queries.invalidateQueries({ queryKey: queryKeys.apiKeys });
  };
  // One dialog for both steps: a second one would report the first as closed.
  return (
    <Dialog
      title={
        created ? (
          <>
            The key “<bdi>{created.name}</bdi>”
          </>
        ) : (
          "New API key"
        )
      }
      onClose={onClose}
    >
      {created ? (
        <ShownKey value={created.key} onDone={onClose} />
      ) : (
        <KeyForm onSubmit={create} onCancel={onClose} />
      )}
    </Dialog>
  );
}

function ShownKey({ value, onDone }: { value: string; onDone: () => void }) {
  return (
    <>
      <p>
        <b>Copy it now.</b> This is the only time it is shown.
      </p>
      <CopyableText text={value} label="the key" />
      <div className="actions actions-end">
        <button type="button" className="button-primary" onClick={onDone}>
          Done
        </button>
      </div>
    </>
  );
}

interface FormProps {
  onSubmit: (data: FormData) => Promise<unknown>;
  onCancel: () => void;
}

function KeyForm({ onSubmit, onCancel }: FormProps) {
  return (
    <Form
      check={(data) => [
        ...nameFaults(textOf(data, "name") ?? ""),
        ...keyExpiryFaults(textOf(data, "expiresAt")),
      ]}
      onSubmit={onSubmit}
    >
      <NameField />
      <Field name="role" label="Role" hint="Viewers read, admins also write, owners also manage keys.">
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
      <Field name="expiresAt" label="Expires" hint="In your time zone. If empty: never.">
        {(props) => <input {...props} type="datetime-local" max="9999-12-30T23:59" />}
      </Field>
      <FormFailure />
      <div className="actions actions-end">
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
        <SubmitButton>Create key</SubmitButton>
      </div>
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
