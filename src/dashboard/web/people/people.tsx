import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { ROLES, type Role } from "../../../domain/accounts/role.ts";
import { useHasRole, useSession } from "../app/session.tsx";
import { api, getData, type InvitedPerson, type Person } from "../data/api.ts";
import { peopleQuery, queryKeys, serverQuery } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { ShownOnceDialog } from "../form/edit-view.tsx";
import { textOf } from "../form/field-errors.ts";
import { NameField, SelectField, TextField } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { named } from "../languages/rich.tsx";
import { Card } from "../ui/card.tsx";
import { CopyableText } from "../ui/clipboard.tsx";
import { ConfirmButton, Dialog, DialogActions, DialogButton } from "../ui/dialog.tsx";
import { Failure, useAction } from "../ui/filters.tsx";
import { ListRow, ListView } from "../ui/list.tsx";
import { TimeSince } from "../ui/time.tsx";
import { Badge } from "../ui/view.tsx";
import { OwnChannelsField, ownChannelsIn } from "./own-channels.tsx";
import { describeMethods, nameOfPerson } from "./person-words.ts";

/** Milliseconds between two fetches: no event of the server says that somebody has accepted an invitation. */
const INTERVAL = 5000;

/** The people of the organization. Owners invite and change them. */
export function People() {
  const { data, error } = useQuery({ ...peopleQuery, refetchInterval: INTERVAL });
  const mayManage = useHasRole("owner");
  return (
    <ListView
      title="People"
      lead="They sign in to this page with their e-mail address, and the audit log names them."
      items={data}
      error={error}
      none={mayManage ? undefined : "Nobody yet. An owner can invite people."}
      row={(person) => <PersonRow key={person.id} person={person} />}
      create={{ role: "owner", label: "Invite", dialog: InvitePerson }}
    >
      {mayManage && data?.length === 0 && <FirstPerson />}
      <p>
        <Link href="/settings">Back to the settings</Link>
      </p>
    </ListView>
  );
}

function PersonRow({ person }: { person: Person }) {
  const { id, name, email, role, state, methods, lastSeenAt } = person;
  const mayManage = useHasRole("owner");
  const isOwn = useSession()?.personId === id;
  return (
    <ListRow
      title={name ?? email}
      details={
        <span className="list-row-note">
          <Badge>{role}</Badge> {state !== "active" && <Badge>{state}</Badge>} {name !== null && email}
          {methods.length > 0 && ` · ${describeMethods(methods)}`}
        </span>
      }
    >
      <p className="text-muted">
        {lastSeenAt ? (
          <>
            seen <TimeSince at={lastSeenAt} short /> ago
          </>
        ) : (
          "never seen"
        )}
        {isOwn && ", you"}
      </p>
      {mayManage && <PersonActions person={person} isOwn={isOwn} />}
    </ListRow>
  );
}

/** On a server without people: the reader, who has an owner key, becomes the first one. */
function FirstPerson() {
  const create = async (data: FormData) => {
    const { inviteUrl } = await getData(
      api.people.post({ email: textOf(data, "email") ?? "", role: "owner" }),
    );
    // The base URL may be at another address than this browser, which would lose the cookie.
    location.assign(new URL(inviteUrl).pathname);
  };
  return (
    <Card id="first-person" title="Create your own account">
      <p>
        You are signed in with an API key. With an account of your own you sign in with your e-mail address
        and a password, and can invite others. The key stays valid.
      </p>
      <Form className="form form-fields" check={() => []} onSubmit={create}>
        <EmailField />
        <FormFailure />
        <div className="actions">
          <SubmitButton>Continue</SubmitButton>
        </div>
      </Form>
    </Card>
  );
}

interface Props {
  person: Person;
  /** Whether the reader is this person. */
  isOwn: boolean;
}

/** The buttons of an owner for somebody. */
function PersonActions({ person, isOwn }: Props) {
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
        title={named("Remove “{name}”?", name)}
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
  onSave: (values: { name?: string; role: Role; alertChannelIds?: string[] }) => Promise<unknown>;
  onClose: () => void;
}

function ChangePerson({ person, onSave, onClose }: ChangeProps) {
  const save = (data: FormData) => {
    const name = textOf(data, "name");
    return onSave({
      ...(name !== undefined && { name }),
      role: textOf(data, "role") as Role,
      ...ownChannelsIn(data),
    });
  };
  return (
    <Dialog title={named("Change “{name}”", nameOfPerson(person))} onClose={onClose}>
      <Form check={() => []} onSubmit={save}>
        <NameField value={person.name ?? undefined} />
        <RoleField value={person.role} />
        <OwnChannelsField chosen={person.alertChannelIds} />
        <FormFailure />
        <DialogActions onClose={onClose}>
          <SubmitButton>Save</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

const titleOf = (person: InvitedPerson) => named("The invitation of “{name}”", nameOfPerson(person));

/** Invites somebody, and shows the link once. */
function InvitePerson({ onClose }: { onClose: () => void }) {
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
function InviteAgain({ person, onClose }: { person: Person; onClose: () => void }) {
  return (
    <ShownOnceDialog<InvitedPerson>
      title={named("Invite “{name}” again?", nameOfPerson(person))}
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
      <CopyableText text={inviteUrl} label="Copy the link" />
      {server?.mail.configured && <p className="text-hint">The server also sends it there by e-mail.</p>}
    </>
  );
}

function RoleField({ value = "viewer" }: { value?: Role }) {
  return (
    <SelectField
      name="role"
      label="Role"
      hint="Viewers read, and acknowledge outages. Admins also write. Owners also manage people and keys."
      value={value}
      options={ROLES.map((role) => ({ value: role, label: role }))}
    />
  );
}

function EmailField() {
  return <TextField name="email" label="E-mail" kind="email" />;
}
