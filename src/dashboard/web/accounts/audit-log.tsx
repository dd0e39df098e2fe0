import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link } from "wouter";
import { undoRefusal } from "../../../domain/accounts/audit.ts";
import { type AuditEntry, api, getAnswer, type Person } from "../data/api.ts";
import { changedByMaintenance, peopleQuery, queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { fill, formOf, texts } from "../languages/texts.ts";
import { describeActor } from "../people/person-words.ts";
import { Failure, useAction } from "../ui/filters.tsx";
import { PagedTable, usePages } from "../ui/list.tsx";
import { Time } from "../ui/time.tsx";
import { say } from "../ui/undo.tsx";
import { Badge, View } from "../ui/view.tsx";
import { describeAction, latestEntries, nameOf, viewOf } from "./audit-words.ts";

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
    <View title={texts.audit.title}>
      <p className="text-lead">{texts.audit.lead}</p>
      <section className="card" aria-label={texts.audit.entries}>
        <PagedTable
          label={texts.audit.table}
          older={texts.audit.older}
          pages={pages}
          columns={Object.values(texts.audit.columns)}
          row={(entry) => (
            <AuditRow key={entry.id} entry={entry} people={people} isLatest={latest.has(entry.id)} />
          )}
          none={texts.audit.none}
        />
      </section>
      <p>
        <Link href="/settings">{texts.audit.back}</Link>
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
        {describeActor(actor, people)} {actor.type === "cli" && <Badge>{texts.audit.actor.cli}</Badge>}
        {actor.type === "key" && <Badge>{texts.audit.actor.key}</Badge>}
        {actor.type === "notification" && <Badge>{texts.audit.actor.notification}</Badge>}
      </td>
      <td className="table-long">
        {describeAction(entry)} {view && name ? <Link href={view}>{name}</Link> : name}
      </td>
      <td className="table-long">
        {changed.length > 0 ? <code dir="ltr">{changed.join(", ")}</code> : "–"}
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
      <summary>{formOf(texts.audit.oldValues, Object.keys(before).length)}</summary>
      <dl className="audit-values">
        {Object.entries(before).map(([field, value]) => (
          <div key={field}>
            <dt>
              <code dir="ltr">{field}</code>
            </dt>
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
    say(fill(texts.audit.undo.done, { name: entry.resource.name }));
  };
  return (
    <>
      <button
        type="button"
        className="button-small"
        aria-label={fill(texts.audit.undo.label, { name: entry.resource.name })}
        disabled={busy}
        onClick={() => run(undo)}
      >
        {texts.audit.undo.button}
      </button>
      <Failure error={error} />
    </>
  );
}
