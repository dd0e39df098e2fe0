import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { formatDuration } from "../../../domain/duration.ts";
import { useHasRole } from "../app/session.tsx";
import { PAGES } from "../pages/page-queries.ts";
import { Failure } from "../ui/failure.tsx";
import { List } from "../ui/list/list.tsx";
import { View } from "../ui/view/view.tsx";
import { incidentsQuery, pageOutagesQuery } from "./incident-queries.ts";
import { IncidentRow, OutageRow } from "./incident-row.tsx";
import { type Entry, entriesOf } from "./incident-timeline.ts";
import { usePage } from "./use-page.ts";

/** The incidents of a page, and the outages that it shows by itself (behavior 15.95). */
export function Incidents({ pageId }: { pageId: string }) {
  const mayWrite = useHasRole("admin");
  const { page, names, error } = usePage(pageId);
  const incidents = useQuery(incidentsQuery(pageId));
  const outages = useQuery(pageOutagesQuery(pageId));
  const failure = error ?? incidents.error ?? outages.error;
  if (!page || !names || !incidents.data || !outages.data) {
    return <View title="Incidents" error={failure} back={PAGES} />;
  }
  const { open, ended } = entriesOf(incidents.data, outages.data);
  const list = { pageId, names };
  return (
    <View title={`Incidents of ${page.title}`} aside={<Actions pageId={pageId} mayWrite={mayWrite} />}>
      <p className="text-lead">
        Outages of the components are shown by themselves
        {page.minOutage > 0 && ` once they are longer than ${formatDuration(page.minOutage * 1000)}`}. Turn
        one into an incident to write about it.
      </p>
      <Failure error={failure} />
      <Part {...list} id="open" title="Open" entries={open} none="No open incidents." />
      <Part {...list} id="ended" title="Ended" entries={ended} none="No ended incidents." />
    </View>
  );
}

function Actions({ pageId, mayWrite }: { pageId: string; mayWrite: boolean }) {
  return (
    <>
      <Link className="button" href={`/pages/${pageId}`}>
        {mayWrite ? "Edit the page" : "Show the page"}
      </Link>
      {mayWrite && (
        <Link className="button button-primary" href={`/pages/${pageId}/incidents/new`}>
          New incident
        </Link>
      )}
    </>
  );
}

interface PartProps {
  id: string;
  title: string;
  pageId: string;
  names: ReadonlyMap<string, string>;
  entries: readonly Entry[];
  /** The sentence without entries. */
  none: string;
}

function Part({ id, title, pageId, names, entries, none }: PartProps) {
  return (
    <section className="incidents-part" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <List
        items={entries}
        none={none}
        row={(entry) =>
          "incident" in entry ? (
            <IncidentRow key={entry.incident.id} pageId={pageId} names={names} incident={entry.incident} />
          ) : (
            <OutageRow key={entry.outage.id} pageId={pageId} names={names} outage={entry.outage} />
          )
        }
      />
    </section>
  );
}
