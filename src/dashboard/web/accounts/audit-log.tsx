import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link } from "wouter";
import { undoRefusal } from "../../../domain/accounts/audit.ts";
import { type AuditEntry, api, getAnswer, type Person } from "../data/api.ts";
import { changedByMaintenance, peopleQuery, queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { describeActor } from "../people/person-words.ts";
import { Failure, useAction } from "../ui/filters.tsx";
import { PagedTable, usePages } from "../ui/list.tsx";
import { Time } from "../ui/time.tsx";
import { say } from "../ui/undo.tsx";
import { Badge, View } from "../ui/view.tsx";
import { describeAction, latestEntries, nameOf, viewOf } from "./audit-words.ts";

const COLUMNS = ["Time", "Who", "What", "Fields", "Address", "Undo"];

/** Who changed what, for owners. */
export function AuditLog() {
  const pages = usePages<AuditEntry>({
    queryKey: queryKeys.audit,
    load: (query) => getAnswer(api.audit.get({ query: { limit: "50", ...query } })),
  });
  const { data: people } = useQuery(peopleQuery);
  const latest = useMemo(
    () => latestEntries(pages.data?.pages.flatMap(({ data }) => data) ?? []),
    [pages.data],
  );
  return (
    <View title="Audit log">
      <p className="text-lead">
        Who changed what, through this page, the API and the command line. Fields that hold a secret are named
        without their old values. Entries are kept for a year.
      </p>
      <section className="card" aria-label="Entries">
        <PagedTable
          label="Table of entries"
          older="Older entries"
          pages={pages}
          columns={COLUMNS}
          row={(entry) => (
            <AuditRow key={entry.id} entry={entry} people={people} isLatest={latest.has(entry.id)} />
          )}
          none="No entries yet."
        />
      </section>
      <p>
        <Link href="/settings">Back to the settings</Link>
      </p>
    </View>
  );
}

interface RowProps {
  entry: AuditEntry;
  people: Person[] | undefined;
  /** Whether nothing has changed the resource since. */
  isLatest: boolean;
}

function AuditRow({ entry, people, isLatest }: RowProps) {
  const { createdAt, actor, address, changed, before } = entry;
  const name = nameOf(entry);
  const view = viewOf(entry);
  return (
    <tr>
      <td>
        <Time at={createdAt} />
      </td>
      <td className="table-long">
        {describeActor(actor, people)} {actor.type === "cli" && <Badge>command line</Badge>}
        {actor.type === "key" && <Badge>API key</Badge>}
        {actor.type === "notification" && <Badge>notification</Badge>}
      </td>
      <td className="table-long">
        {describeAction(entry)} {view && name ? <Link href={view}>{name}</Link> : name}
      </td>
      <td className="table-long">
        {changed.join(", ") || "–"}
        {before && <OldValues before={before} />}
      </td>
      <td>{address ?? "–"}</td>
      <td>{isLatest && undoRefusal(entry) === null && <UndoButton entry={entry} />}</td>
    </tr>
  );
}

function OldValues({ before }: { before: object }) {
  return (
    <details>
      <summary>{Object.keys(before).length === 1 ? "Old value" : "Old values"}</summary>
      <dl className="audit-values">
        {Object.entries(before).map(([field, value]) => (
          <div key={field}>
            <dt>{field}</dt>
            <dd>
              <bdi>{typeof value === "string" ? value : JSON.stringify(value)}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** The toast says what was undone, because another entry is the latest one then. */
function UndoButton({ entry }: { entry: AuditEntry }) {
  const { error, busy, run } = useAction();
  const change = useChange(
    ...changedByMaintenance,
    queryKeys.channels,
    queryKeys.organization,
    queryKeys.people,
  );
  const undo = async () => {
    await change(api.audit({ id: entry.id }).undo.post());
    say(`Undone: ${entry.resource.name} has its old values again.`);
  };
  return (
    <>
      <button
        type="button"
        className="button-small"
        aria-label={`Undo the change of ${entry.resource.name}`}
        disabled={busy}
        onClick={() => run(undo)}
      >
        Undo
      </button>
      <Failure error={error} />
    </>
  );
}
