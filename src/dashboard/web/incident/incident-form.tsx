import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useLocation } from "wouter";
import { api, getData, type Incident } from "../data/api.ts";
import { FormView } from "../form/form-view.tsx";
import { Failure } from "../ui/failure.tsx";
import { View } from "../ui/view/view.tsx";
import { IncidentFields } from "./incident-fields.tsx";
import { incidentQuery, refreshIncidents } from "./incident-queries.ts";
import { changesFaults, changesIn, newIncidentFaults, newIncidentIn } from "./incident-values.ts";
import { UpdateFields } from "./update-fields.tsx";
import { usePage } from "./use-page.ts";

type Names = ReadonlyMap<string, string>;

export function NewIncident({ pageId }: { pageId: string }) {
  const { names, error } = usePage(pageId);
  if (names) return <NewForm pageId={pageId} names={names} />;
  return <Waiting pageId={pageId} title="New incident" error={error} />;
}

export function EditIncident({ pageId, id }: { pageId: string; id: string }) {
  const { names, error } = usePage(pageId);
  // Without updates by others, which would replace what the reader has entered.
  const incident = useQuery({ ...incidentQuery(pageId, id), staleTime: Number.POSITIVE_INFINITY });
  if (names && incident.data) return <EditForm pageId={pageId} names={names} stored={incident.data} />;
  return <Waiting pageId={pageId} title="Incident" error={error ?? incident.error} />;
}

function Waiting({ pageId, title, error }: { pageId: string; title: string; error: unknown }) {
  return (
    <View title={title}>
      <Failure error={error} />
      {Boolean(error) && <Link href={`/pages/${pageId}/incidents`}>Back to the incidents</Link>}
    </View>
  );
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
    <FormView
      noun="incident"
      name={undefined}
      check={newIncidentFaults}
      onSubmit={create}
      cancel={<Cancel href={`/pages/${pageId}/incidents`} />}
    >
      <IncidentFields names={names} />
      <UpdateFields
        status="investigating"
        hint="Optional. Markdown. Subscribers get it by e-mail, and it cannot be changed later."
      />
    </FormView>
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
    <FormView
      noun="incident"
      name={stored.title}
      check={changesFaults}
      onSubmit={save}
      cancel={<Cancel href={path} />}
    >
      <IncidentFields names={names} stored={stored} />
    </FormView>
  );
}

function Cancel({ href }: { href: string }) {
  return (
    <Link className="button" replace href={href}>
      Cancel
    </Link>
  );
}
