import { Link } from "wouter";
import { formatDuration } from "../../../domain/duration.ts";
import type { DisplayState } from "../../../domain/monitors/display-state.ts";
import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import { INCIDENT_LABELS, incidentStatus } from "../../../domain/pages/incident.ts";
import { useHasRole } from "../app/session.tsx";
import type { Incident, PageOutage } from "../data/api.ts";
import { StatusMark } from "../status/status-mark.tsx";
import { Badge } from "../ui/badge.tsx";
import { Time, TimeSince } from "../ui/time/time.tsx";
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
    <li className="list-row incident-row">
      <State
        state={stateOf(incident)}
        label={INCIDENT_LABELS[incidentStatus(incident)]}
        startedAt={startedAt}
        endedAt={resolvedAt}
      />
      <div className="list-row-name">
        <Link href={`/pages/${pageId}/incidents/${id}`}>{title}</Link>
        <span className="list-row-detail">
          <Badge>{impactLabels[impact]}</Badge> <Time at={startedAt} only="minute" />
          {componentIds.length > 0 && <> · {listNames(componentIds, names)}</>}
        </span>
        {latest && (
          <span className="list-row-detail" dir="auto">
            {latest.body}
          </span>
        )}
      </div>
    </li>
  );
}

export function OutageRow({ pageId, names, outage }: RowProps & { outage: PageOutage }) {
  const { id, status, startedAt, endedAt } = outage;
  const mayWrite = useHasRole("admin");
  const { title } = describeOutage(outage, names);
  return (
    <li className="list-row incident-row">
      <State
        state={endedAt === null ? displayStateOfStatus(status) : "healthy"}
        label={endedAt === null ? "Open" : "Ended"}
        startedAt={startedAt}
        endedAt={endedAt}
      />
      <div className="list-row-name">
        <Link href={`/outages/${id}`}>{title}</Link>
        <span className="list-row-detail">
          <Badge>Outage</Badge> <Time at={startedAt} only="minute" />
        </span>
      </div>
      {mayWrite && <TurnIntoIncident pageId={pageId} names={names} outage={outage} label={title} />}
    </li>
  );
}

interface StateProps {
  state: DisplayState;
  label: string;
  startedAt: string;
  endedAt: string | null;
}

function State({ state, label, startedAt, endedAt }: StateProps) {
  return (
    <div className="incident-state">
      <StatusMark state={state} />
      <span>
        <span className={`status-text state-${state}`}>{label}</span>
        <span className="incident-since">
          {endedAt === null ? (
            <>
              for <TimeSince at={startedAt} short />
            </>
          ) : (
            `after ${formatDuration(Date.parse(endedAt) - Date.parse(startedAt))}`
          )}
        </span>
      </span>
    </div>
  );
}
