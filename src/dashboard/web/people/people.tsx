import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useHasRole, useSession } from "../app/session.tsx";
import type { Person } from "../data/api.ts";
import { peopleQuery } from "../data/shared-queries.ts";
import { ListRow, ListView } from "../ui/list.tsx";
import { TimeSince } from "../ui/time.tsx";
import { Badge } from "../ui/view.tsx";
import { FirstPerson } from "./first-person.tsx";
import { InvitePerson } from "./invite-person.tsx";
import { PersonActions } from "./person-actions.tsx";
import { describeMethods } from "./person-words.ts";

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
