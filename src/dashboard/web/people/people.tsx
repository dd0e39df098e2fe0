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
import { joined, named, rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { Card } from "../ui/card.tsx";
import { CopyableText } from "../ui/clipboard.tsx";
import { ConfirmButton, Dialog, DialogActions, DialogButton } from "../ui/dialog.tsx";
import { Failure, useAction } from "../ui/filters.tsx";
import { ListRow, ListView } from "../ui/list.tsx";
import { TimeSince } from "../ui/time.tsx";
import { Badge } from "../ui/view.tsx";
import { describeMethods } from "./method-words.ts";
import { OwnChannelsField, ownChannelsIn } from "./own-channels.tsx";
import { nameOfPerson } from "./person-words.ts";

/** Milliseconds between two fetches: no event of the server says that somebody has accepted an invitation. */
const INTERVAL = 5000;

/** The people of the organization. Owners invite and change them. */
export function People() {
  const { data, error } = useQuery({ ...peopleQuery, refetchInterval: INTERVAL });
  const mayManage = useHasRole("owner");
  return (
    <ListView
      title={texts.people.title}
      lead={texts.people.lead}
      items={data}
      error={error}
      none={mayManage ? undefined : texts.people.none}
      row={(person) => <PersonRow key={person.id} person={person} />}
      create={{ role: "owner", label: texts.people.actions.invite, dialog: InvitePerson }}
    >
      {mayManage && data?.length === 0 && <FirstPerson />}
      <p>
        <Link href="/settings">{texts.people.back}</Link>
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
          <Badge>{texts.common.role[role]}</Badge>{" "}
          {state !== "active" && <Badge>{texts.people.state[state]}</Badge>} {name !== null && email}
          {methods.length > 0 && ` · ${describeMethods(methods)}`}
        </span>
      }
    >
      <p className="text-muted">
        {joined([
          lastSeenAt
            ? rich(texts.people.seen, { ago: <TimeSince at={lastSeenAt} short /> })
            : texts.people.neverSeen,
          isOwn && texts.people.you,
        ])}
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
    <Card id="first-person" title={texts.people.first.title}>
      <p>{texts.people.first.text}</p>
      <Form className="form form-fields" check={() => []} onSubmit={create}>
        <EmailField />
        <FormFailure />
        <div className="actions">
          <SubmitButton>{texts.people.first.submit}</SubmitButton>
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
        <DialogButton
          label={texts.people.actions.inviteAgain}
          name={fill(texts.people.actions.inviteAgainLabel, { name })}
        >
          {(onClose) => <InviteAgain person={person} onClose={onClose} />}
        </DialogButton>
      )}
      <DialogButton
        label={texts.people.actions.change}
        name={fill(texts.people.actions.changeLabel, { name })}
      >
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
          aria-label={fill(
            isDisabled ? texts.people.actions.enableLabel : texts.people.actions.disableLabel,
            { name },
          )}
          onClick={() => run(toggle)}
        >
          {isDisabled ? texts.people.actions.enable : texts.people.actions.disable}
        </button>
      )}
      <ConfirmButton
        label={texts.people.actions.remove}
        className="button-danger-quiet"
        name={fill(texts.people.actions.removeLabel, { name })}
        title={named(texts.people.remove.question, name)}
        onConfirm={() => change(api.people({ id }).delete())}
      >
        {isOwn ? rich(texts.people.remove.own, { b: (text) => <b>{text}</b> }) : texts.people.remove.text}
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
    <Dialog title={named(texts.people.changeTitle, nameOfPerson(person))} onClose={onClose}>
      <Form check={() => []} onSubmit={save}>
        <NameField value={person.name ?? undefined} />
        <RoleField value={person.role} />
        <OwnChannelsField chosen={person.alertChannelIds} />
        <FormFailure />
        <DialogActions onClose={onClose}>
          <SubmitButton>{texts.people.actions.save}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

const titleOf = (person: InvitedPerson) => named(texts.people.invitation.createdTitle, nameOfPerson(person));

/** Invites somebody, and shows the link once. */
function InvitePerson({ onClose }: { onClose: () => void }) {
  return (
    <ShownOnceDialog<InvitedPerson>
      title={texts.people.invitation.title}
      createdTitle={titleOf}
      queryKey={queryKeys.people}
      form={(create) => (
        <Form check={() => []} onSubmit={(data) => create(api.people.post(valuesOf(data)))}>
          <EmailField />
          <RoleField />
          <NameField label={texts.people.invitation.optionalName} />
          <FormFailure />
          <DialogActions onClose={onClose}>
            <SubmitButton>{texts.people.invitation.submit}</SubmitButton>
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
      title={named(texts.people.invitation.againTitle, nameOfPerson(person))}
      createdTitle={titleOf}
      queryKey={queryKeys.people}
      form={(create) => (
        <Form check={() => []} onSubmit={() => create(api.people({ id: person.id }).invite.post())}>
          <p>{texts.people.invitation.againText}</p>
          <FormFailure />
          <DialogActions onClose={onClose}>
            <SubmitButton>{texts.people.invitation.again}</SubmitButton>
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
      <p>{rich(texts.people.invitation.link, { b: (text) => <b>{text}</b>, email })}</p>
      <CopyableText text={inviteUrl} label={texts.people.invitation.copy} />
      {server?.mail.configured && <p className="text-hint">{texts.people.invitation.mailed}</p>}
    </>
  );
}

function RoleField({ value = "viewer" }: { value?: Role }) {
  return (
    <SelectField
      name="role"
      label={texts.people.fields.role}
      hint={texts.people.fields.roleHint}
      value={value}
      options={ROLES.map((role) => ({ value: role, label: texts.common.role[role] }))}
    />
  );
}

function EmailField() {
  return <TextField name="email" label={texts.people.fields.email} kind="email" />;
}
