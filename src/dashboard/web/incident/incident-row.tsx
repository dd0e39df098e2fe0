import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import { INCIDENT_LABELS, incidentStatus } from "../../../domain/pages/incident.ts";
import { useHasRole } from "../app/session.tsx";
import type { Incident, PageOutage } from "../data/api.ts";
import { Lasting } from "../outage/outage-state.tsx";
import { RowState } from "../status/row-state.tsx";
import { Badge } from "../ui/badge.tsx";
import { ListRow } from "../ui/list/list.tsx";
import { Time } from "../ui/time/time.tsx";
import { describeOutage, impactLabels, listNames, stateOf } from "./incident-words.ts";
import { TurnIntoIncident } from "./turn-into-incident.tsx";

interface RowProps {
  pageId: string;
  /** The names of the components of the page, by ID. */
  names: ReadonlyMap<string, string>;
}

export function IncidentRow({ pageId, names, incident }: RowProps & { incident: Incident }) {
  const { id, title, impact, componentIds, startedAt, resolvedAt } = incident;
  const [latest] = incident.updates;
  return (
    <ListRow
      state={
        <RowState state={stateOf(incident)} label={INCIDENT_LABELS[incidentStatus(incident)]}>
          <Lasting startedAt={startedAt} endedAt={resolvedAt} short />
        </RowState>
      }
      title={title}
      href={`/pages/${pageId}/incidents/${id}`}
      details={
        <>
          <span className="list-row-detail">
            <Badge>{impactLabels[impact]}</Badge> <Time at={startedAt} only="minute" />
            {componentIds.length > 0 && <> · {listNames(componentIds, names)}</>}
          </span>
          {latest && (
            <span className="list-row-detail" dir="auto">
              {latest.body}
            </span>
          )}
        </>
      }
    />
  );
}

export function OutageRow({ pageId, names, outage }: RowProps & { outage: PageOutage }) {
  const { id, status, startedAt, endedAt } = outage;
  const mayWrite = useHasRole("admin");
  const { title } = describeOutage(outage, names);
  return (
    <ListRow
      state={
        <RowState
          state={endedAt === null ? displayStateOfStatus(status) : "healthy"}
          label={endedAt === null ? "Open" : "Ended"}
        >
          <Lasting startedAt={startedAt} endedAt={endedAt} short />
        </RowState>
      }
      title={title}
      href={`/outages/${id}`}
      details={
        <span className="list-row-detail">
          <Badge>Outage</Badge> <Time at={startedAt} only="minute" />
        </span>
      }
    >
      {mayWrite && <TurnIntoIncident pageId={pageId} names={names} outage={outage} label={title} />}
    </ListRow>
  );
}
