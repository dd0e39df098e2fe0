import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { INCIDENT_LABELS, incidentStatus } from "../../../domain/pages/incident.ts";
import { useHasRole } from "../app/session.tsx";
import { api, getData, type Incident } from "../data/api.ts";
import { OutageState } from "../outage/outage-state.tsx";
import { DeleteButton } from "../ui/dialog/delete-button.tsx";
import { Fact } from "../ui/fact.tsx";
import { Time } from "../ui/time/time.tsx";
import { View } from "../ui/view/view.tsx";
import { incidentQuery, refreshIncidents } from "./incident-queries.ts";
import { IncidentUpdates } from "./incident-updates.tsx";
import { impactLabels, listNames, stateOf } from "./incident-words.ts";
import { PostUpdate } from "./post-update.tsx";
import { incidentsOf, usePage } from "./use-page.ts";

/** One incident with its updates (behavior 15.96). */
export function IncidentPage({ pageId, id }: { pageId: string; id: string }) {
  const mayWrite = useHasRole("admin");
  const { page, names, error } = usePage(pageId);
  const incident = useQuery(incidentQuery(pageId, id));
  if (!page || !names || !incident.data) {
    return <View title="Incident" error={error ?? incident.error} back={incidentsOf(pageId)} />;
  }
  return (
    <View
      title={incident.data.title}
      aside={mayWrite && <IncidentActions pageId={pageId} incident={incident.data} />}
    >
      <OutageState
        state={stateOf(incident.data)}
        label={INCIDENT_LABELS[incidentStatus(incident.data)]}
        startedAt={incident.data.startedAt}
        endedAt={incident.data.resolvedAt}
      />
      <section className="card" aria-label="Facts">
        <dl className="facts">
          <Fact name="Page">
            <Link href={`/pages/${pageId}/incidents`}>{page.title}</Link>
          </Fact>
          <Fact name="Impact">{impactLabels[incident.data.impact]}</Fact>
          <Fact name="Components">{listNames(incident.data.componentIds, names) || "–"}</Fact>
          <Fact name="Started">
            <Time at={incident.data.startedAt} />
          </Fact>
          <Fact name="Resolved">
            {incident.data.resolvedAt ? <Time at={incident.data.resolvedAt} /> : "Still open"}
          </Fact>
        </dl>
      </section>
      {mayWrite && <PostUpdate pageId={pageId} incident={incident.data} />}
      <IncidentUpdates updates={incident.data.updates} />
    </View>
  );
}

function IncidentActions({ pageId, incident: { id, title } }: { pageId: string; incident: Incident }) {
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const path = `/pages/${pageId}/incidents`;
  const remove = async () => {
    await getData(api.pages({ id: pageId }).incidents({ incidentId: id }).delete());
    navigate(path, { replace: true });
    await refreshIncidents(queries);
  };
  return (
    <>
      <Link className="button" href={`${path}/${id}/edit`}>
        Edit
      </Link>
      <DeleteButton name={title} onDelete={remove}>
        The page no longer shows it and its updates. If it was an outage, the page shows that again. You
        cannot undo this.
      </DeleteButton>
    </>
  );
}
