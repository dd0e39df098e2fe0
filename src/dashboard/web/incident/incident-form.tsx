import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { api, getData, type Incident } from "../data/api.ts";
import { EditView } from "../form/edit-view.tsx";
import { View } from "../ui/view/view.tsx";
import { IncidentFields } from "./incident-fields.tsx";
import { incidentQuery, refreshIncidents } from "./incident-queries.ts";
import { changesFaults, changesIn, newIncidentFaults, newIncidentIn } from "./incident-values.ts";
import { UpdateFields } from "./update-fields.tsx";
import { incidentsOf, usePage } from "./use-page.ts";

type Names = ReadonlyMap<string, string>;

export function NewIncident({ pageId }: { pageId: string }) {
  const { names, error } = usePage(pageId);
  if (names) return <NewForm pageId={pageId} names={names} />;
  return <View title="New incident" error={error} back={incidentsOf(pageId)} />;
}

export function EditIncident({ pageId, id }: { pageId: string; id: string }) {
  const { names, error } = usePage(pageId);
  // Without updates by others, which would replace what the reader has entered.
  const incident = useQuery({ ...incidentQuery(pageId, id), staleTime: Number.POSITIVE_INFINITY });
  if (names && incident.data) return <EditForm pageId={pageId} names={names} stored={incident.data} />;
  return <View title="Incident" error={error ?? incident.error} back={incidentsOf(pageId)} />;
}

function NewForm({ pageId, names }: { pageId: string; names: Names }) {
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const create = async (data: FormData) => {
    const { id } = await getData(api.pages({ id: pageId }).incidents.post(newIncidentIn(data)));
    await refreshIncidents(queries);
    navigate(`/pages/${pageId}/incidents/${id}`, { replace: true });
  };
  return (
    <EditView
      noun="incident"
      name={undefined}
      check={newIncidentFaults}
      onSubmit={create}
      cancel={`/pages/${pageId}/incidents`}
    >
      <IncidentFields names={names} />
      <UpdateFields
        status="investigating"
        hint="Optional. Markdown. Subscribers get it by e-mail, and it cannot be changed later."
      />
    </EditView>
  );
}

function EditForm({ pageId, names, stored }: { pageId: string; names: Names; stored: Incident }) {
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const path = `/pages/${pageId}/incidents/${stored.id}`;
  const save = async (data: FormData) => {
    await getData(api.pages({ id: pageId }).incidents({ incidentId: stored.id }).patch(changesIn(data)));
    await refreshIncidents(queries);
    navigate(path, { replace: true });
  };
  return (
    <EditView noun="incident" name={stored.title} check={changesFaults} onSubmit={save} cancel={path}>
      <IncidentFields names={names} stored={stored} />
    </EditView>
  );
}
