import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import { incidentStatus } from "../../../domain/pages/incident.ts";
import { useHasRole } from "../app/session.tsx";
import type { Incident, PageOutage } from "../data/api.ts";
import { useWithoutHidden } from "../data/use-change.ts";
import { fill, texts } from "../languages/texts.ts";
import { Lasting } from "../outages/outage-page.tsx";
import { PAGES } from "../pages/page-fields.tsx";
import { RowState } from "../status/status-mark.tsx";
import { formatDuration } from "../ui/durations.ts";
import { Failure } from "../ui/filters.tsx";
import { List, ListRow } from "../ui/list.tsx";
import { Time } from "../ui/time.tsx";
import { Badge, View } from "../ui/view.tsx";
import {
  describeOutage,
  type Entry,
  entriesOf,
  incidentsQuery,
  listNames,
  pageOutagesQuery,
  stateOf,
  usePage,
} from "./incident-words.ts";
import { TurnIntoIncident } from "./public-outage.tsx";

/** The incidents of a page, and the outages that it shows by itself (behavior 15.95). */
export function Incidents({ pageId }: { pageId: string }) {
  const mayWrite = useHasRole("admin");
  const { page, names, error } = usePage(pageId);
  const incidents = useQuery(incidentsQuery(pageId));
  const kept = useWithoutHidden(incidents.data);
  const outages = useQuery(pageOutagesQuery(pageId));
  const failure = error ?? incidents.error ?? outages.error;
  if (!page || !names || !kept || !outages.data) {
    return <View title={texts.incidents.title} error={failure} back={PAGES} />;
  }
  const { open, ended } = entriesOf(kept, outages.data);
  const list = { pageId, names };
  const words = texts.incidents;
  const duration = formatDuration(page.minOutage * 1000);
  return (
    <View
      title={fill(words.titleOf, { page: page.title })}
      aside={<Actions pageId={pageId} mayWrite={mayWrite} />}
    >
      <p className="text-lead">
        {page.minOutage > 0 ? fill(words.leadWithMinimum, { duration }) : words.lead}
      </p>
      <Failure error={failure} />
      <Part {...list} id="open" title={words.open.title} entries={open} none={words.open.none} />
      <Part {...list} id="ended" title={words.ended.title} entries={ended} none={words.ended.none} />
    </View>
  );
}

function Actions({ pageId, mayWrite }: { pageId: string; mayWrite: boolean }) {
  return (
    <>
      <Link className="button" href={`/pages/${pageId}`}>
        {mayWrite ? texts.incidents.editPage : texts.incidents.showPage}
      </Link>
      {mayWrite && (
        <Link className="button button-primary" href={`/pages/${pageId}/incidents/new`}>
          {texts.incidents.create}
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

interface RowProps {
  pageId: string;
  /** The names of the components of the page, by ID. */
  names: ReadonlyMap<string, string>;
}

function IncidentRow({ pageId, names, incident }: RowProps & { incident: Incident }) {
  const { id, title, impact, componentIds, startedAt, resolvedAt } = incident;
  const [latest] = incident.updates;
  return (
    <ListRow
      state={
        <RowState state={stateOf(incident)} label={texts.incidents.status[incidentStatus(incident)]}>
          <Lasting startedAt={startedAt} endedAt={resolvedAt} short />
        </RowState>
      }
      title={title}
      href={`/pages/${pageId}/incidents/${id}`}
      details={
        <>
          <span className="list-row-detail">
            <Badge>{texts.incidents.impact[impact]}</Badge> <Time at={startedAt} only="minute" />
            {componentIds.length > 0 && <> · {listNames(componentIds, names)}</>}
          </span>
          {latest && (
            <span className="list-row-detail" dir="auto">
              {plainText(latest.body)}
            </span>
          )}
        </>
      }
    />
  );
}

function OutageRow({ pageId, names, outage }: RowProps & { outage: PageOutage }) {
  const { id, status, startedAt, endedAt } = outage;
  const mayWrite = useHasRole("admin");
  const { title } = describeOutage(outage, names);
  const words = texts.incidents.outage;
  return (
    <ListRow
      state={
        <RowState
          state={endedAt === null ? displayStateOfStatus(status) : "healthy"}
          label={endedAt === null ? words.open : words.ended}
        >
          <Lasting startedAt={startedAt} endedAt={endedAt} short />
        </RowState>
      }
      title={title}
      href={`/outages/${id}`}
      details={
        <span className="list-row-detail">
          <Badge>{words.badge}</Badge> <Time at={startedAt} only="minute" />
        </span>
      }
    >
      {mayWrite && (
        <TurnIntoIncident
          pageId={pageId}
          names={names}
          outage={outage}
          label={fill(words.turnName, { title })}
        />
      )}
    </ListRow>
  );
}

/** The words of a Markdown text in one line, without its marks (behavior 17.3). */
export function plainText(markdown: string): string {
  return (
    markdown
      .replace(/^ {0,3}(?:[#>]+|[-*+]|\d+[.)]) +/gm, "")
      .replace(/^ {0,3}(?:`{3,}.*|~{3,}.*|(?:[-*_] *){3,})$/gm, "")
      .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replace(/<((?:https?|mailto):[^>\s]*)>/g, "$1")
      // Escaped marks are kept: they become private characters meanwhile.
      .replace(/\\([*_~`[\]\\])/g, (_, mark: string) => String.fromCharCode(0xe000 + mark.charCodeAt(0)))
      .replace(/(?<!\s)\*+|\*+(?!\s)|~~|`+/g, "")
      // An underscore within a word is a part of it.
      .replace(/(?<!\w)_+|_+(?!\w)/g, "")
      .replace(/[\ue000-\ue07f]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - 0xe000))
      .replace(/\s+/g, " ")
      .trim()
  );
}
