import type { Role } from "../../../domain/accounts/role.ts";
import { api, type Person } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { NameField } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { textOf } from "../form/form-values.ts";
import { ConfirmButton, Dialog, DialogActions, DialogButton, quote } from "../ui/dialog.tsx";
import { Failure, useAction } from "../ui/failure.tsx";
import { InviteAgain } from "./invite-person.tsx";
import { RoleField } from "./person-fields.tsx";
import { nameOfPerson } from "./person-words.ts";

interface Props {
  person: Person;
  /** Whether the reader is this person. */
  isOwn: boolean;
}

/** The buttons of an owner for somebody. */
export function PersonActions({ person, isOwn }: Props) {
  const { id, state } = person;
  const name = nameOfPerson(person);
  // A change of the reader's own role also changes the session.
  const change = useChange(queryKeys.people, ...(isOwn ? [queryKeys.session, queryKeys.me] : []));
  const { error, busy, run } = useAction();
  const isDisabled = state === "disabled";
  const toggle = () => change(api.people({ id }).patch({ state: isDisabled ? "active" : "disabled" }));
  return (
    <div className="person-actions actions">
      <Failure error={error} />
      {state === "invited" && (
        <DialogButton label="Invite again" name={`Invite again: ${name}`}>
          {(onClose) => <InviteAgain person={person} onClose={onClose} />}
        </DialogButton>
      )}
      <DialogButton label="Change" name={`Change ${name}`}>
        {(onClose) => (
          <ChangePerson
            person={person}
            onSave={(values) => change(api.people({ id }).patch(values)).then(onClose)}
            onClose={onClose}
          />
        )}
      </DialogButton>
      {state !== "invited" && !isOwn && (
        <button
          type="button"
          aria-disabled={busy}
          aria-label={`${isDisabled ? "Enable" : "Disable"} ${name}`}
          onClick={() => run(toggle)}
        >
          {isDisabled ? "Enable" : "Disable"}
        </button>
      )}
      <ConfirmButton
        label="Remove"
        className="button-danger-quiet"
        name={`Remove ${name}`}
        title={quote("Remove", name, "?")}
        onConfirm={() => change(api.people({ id }).delete())}
      >
        {isOwn ? <b>This is you: you will be signed out. </b> : "Sessions of this person here end at once. "}
        What was done under this name stays in the audit log.
      </ConfirmButton>
    </div>
  );
}

interface ChangeProps {
  person: Person;
  onSave: (values: { name?: string; role: Role }) => Promise<unknown>;
  onClose: () => void;
}

function ChangePerson({ person, onSave, onClose }: ChangeProps) {
  const save = (data: FormData) => {
    const name = textOf(data, "name");
    return onSave({ ...(name !== undefined && { name }), role: textOf(data, "role") as Role });
  };
  return (
    <Dialog title={quote("Change", nameOfPerson(person))} onClose={onClose}>
      <Form check={() => []} onSubmit={save}>
        <NameField value={person.name ?? undefined} />
        <RoleField value={person.role} />
        <FormFailure />
        <DialogActions onClose={onClose}>
          <SubmitButton>Save</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
