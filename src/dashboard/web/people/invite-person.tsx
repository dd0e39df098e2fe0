import { useQuery } from "@tanstack/react-query";
import type { Role } from "../../../domain/accounts/role.ts";
import { api, type InvitedPerson, type Person } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { serverQuery } from "../data/shared-queries.ts";
import { NameField } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { textOf } from "../form/form-values.ts";
import { ShownOnceDialog } from "../form/shown-once-dialog.tsx";
import { CopyableText } from "../ui/clipboard.tsx";
import { DialogActions, quote } from "../ui/dialog.tsx";
import { EmailField, RoleField } from "./person-fields.tsx";
import { nameOfPerson } from "./person-words.ts";

const titleOf = (person: InvitedPerson) => quote("The invitation of", nameOfPerson(person));

/** Invites somebody, and shows the link once. */
export function InvitePerson({ onClose }: { onClose: () => void }) {
  return (
    <ShownOnceDialog<InvitedPerson>
      title="Invite a person"
      createdTitle={titleOf}
      queryKey={queryKeys.people}
      form={(create) => (
        <Form check={() => []} onSubmit={(data) => create(api.people.post(valuesOf(data)))}>
          <EmailField />
          <RoleField />
          <NameField label="Name (optional)" />
          <FormFailure />
          <DialogActions onClose={onClose}>
            <SubmitButton>Create the invitation</SubmitButton>
          </DialogActions>
        </Form>
      )}
      onClose={onClose}
    >
      {(person) => <InviteLink person={person} />}
    </ShownOnceDialog>
  );
}

function valuesOf(data: FormData) {
  const name = textOf(data, "name");
  return {
    email: textOf(data, "email") ?? "",
    role: textOf(data, "role") as Role,
    ...(name !== undefined && { name }),
  };
}

/** Makes a new link for somebody who has not accepted the invitation. */
export function InviteAgain({ person, onClose }: { person: Person; onClose: () => void }) {
  return (
    <ShownOnceDialog<InvitedPerson>
      title={quote("Invite", nameOfPerson(person), " again?")}
      createdTitle={titleOf}
      queryKey={queryKeys.people}
      form={(create) => (
        <Form check={() => []} onSubmit={() => create(api.people({ id: person.id }).invite.post())}>
          <p>This makes a new link. The previous one is not valid any more then.</p>
          <FormFailure />
          <DialogActions onClose={onClose}>
            <SubmitButton>Make a new link</SubmitButton>
          </DialogActions>
        </Form>
      )}
      onClose={onClose}
    >
      {(invited) => <InviteLink person={invited} />}
    </ShownOnceDialog>
  );
}

function InviteLink({ person: { email, inviteUrl } }: { person: InvitedPerson }) {
  const { data: server } = useQuery(serverQuery);
  return (
    <>
      <p>
        <b>Copy it now, and send it to {email}.</b> This is the only time it is shown. It works once, within
        seven days, and whoever has it can accept it.
      </p>
      <CopyableText text={inviteUrl} label="the link" />
      {server?.mail.configured && <p className="text-hint">The server also sends it there by e-mail.</p>}
    </>
  );
}
