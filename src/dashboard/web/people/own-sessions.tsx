import { useQuery } from "@tanstack/react-query";
import { api, type OwnSession } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { Card } from "../ui/card.tsx";
import { Failure, useAction } from "../ui/failure.tsx";
import { List, ListRow } from "../ui/list.tsx";
import { Time, TimeSince } from "../ui/time.tsx";
import { describeBrowser } from "./describe-browser.ts";
import { ownSessionsQuery } from "./fresh-sign-in.tsx";

/** Where the reader is signed in. */
export function OwnSessions() {
  const { data, error } = useQuery(ownSessionsQuery);
  return (
    <Card id="sessions" title="Sessions">
      <p>Where you are signed in. A session ends 30 days after its last use.</p>
      <List
        items={data}
        error={error}
        label="Sessions"
        row={(session) => <SessionRow key={session.id} session={session} />}
      />
    </Card>
  );
}

function SessionRow({
  session: { id, createdAt, lastSeenAt, address, userAgent, current },
}: {
  session: OwnSession;
}) {
  const change = useChange(queryKeys.ownSessions);
  const { error, busy, run } = useAction();
  const browser = describeBrowser(userAgent);
  return (
    <ListRow
      title={current ? `${browser}, this session` : browser}
      details={
        <span className="list-row-note">
          {address}, since <Time at={createdAt} only="date" />
          <Failure error={error} />
        </span>
      }
    >
      <p className="text-muted">
        used <TimeSince at={lastSeenAt} short /> ago
      </p>
      {!current && (
        <button
          type="button"
          aria-disabled={busy}
          aria-label={`End the session of ${browser} at ${address}`}
          onClick={() => run(() => change(api.me.sessions({ id }).delete()))}
        >
          End
        </button>
      )}
    </ListRow>
  );
}
