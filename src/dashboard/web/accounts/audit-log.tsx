import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { type AuditEntry, api, getAnswer, type Person } from "../data/api.ts";
import { peopleQuery, queryKeys } from "../data/query-keys.ts";
import { describeActor } from "../people/person-words.ts";
import { PagedTable, usePages } from "../ui/list.tsx";
import { Time } from "../ui/time.tsx";
import { Badge, View } from "../ui/view.tsx";
import { describeAction, nameOf, viewOf } from "./audit-words.ts";

const COLUMNS = ["Time", "Who", "What", "Fields", "Address"];

/** Who changed what, for owners. */
export function AuditLog() {
  const pages = usePages<AuditEntry>({
    queryKey: queryKeys.audit,
    load: (query) => getAnswer(api.audit.get({ query: { limit: "50", ...query } })),
  });
  const { data: people } = useQuery(peopleQuery);
  return (
    <View title="Audit log">
      <p className="text-lead">
        Who changed what, through this page, the API and the command line. An entry has the names of the
        changed fields, never their values. Entries are kept for a year.
      </p>
      <section className="card" aria-label="Entries">
        <PagedTable
          of="entries"
          pages={pages}
          columns={COLUMNS}
          row={(entry) => <AuditRow key={entry.id} entry={entry} people={people} />}
          none="No entries yet."
        />
      </section>
      <p>
        <Link href="/settings">Back to the settings</Link>
      </p>
    </View>
  );
}

function AuditRow({ entry, people }: { entry: AuditEntry; people: Person[] | undefined }) {
  const { createdAt, actor, address, changed } = entry;
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
      </td>
      <td className="table-long">
        {describeAction(entry)} {view && name ? <Link href={view}>{name}</Link> : name}
      </td>
      <td className="table-long">{changed.join(", ") || "–"}</td>
      <td>{address ?? "–"}</td>
    </tr>
  );
}
