import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { INCIDENT_LABELS, type IncidentStatus, incidentStatus } from "../../../domain/pages/incident.ts";
import { useHasRole } from "../app/session.tsx";
import { api, getData, type Incident } from "../data/api.ts";
import { changedByPage, invalidate } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { OutageState } from "../outages/outage-state.tsx";
import { Card, Fact } from "../ui/card.tsx";
import { DeleteButton } from "../ui/item-actions.tsx";
import { Time } from "../ui/time.tsx";
import { View } from "../ui/view.tsx";
import { UpdateFields } from "./incident-form.tsx";
import { incidentQuery, incidentsOf, usePage } from "./incident-queries.ts";
import { IncidentUpdates } from "./incident-updates.tsx";
import { updateFaults, updateIn } from "./incident-values.ts";
import { impactLabels, listNames, stateOf } from "./incident-words.ts";

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
      <IncidentUpdates pageId={pageId} incident={incident.data} mayWrite={mayWrite} />
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
    await invalidate(queries, changedByPage);
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

/** The form that adds an update to an incident. It is empty again after each one. */
function PostUpdate({ pageId, incident }: { pageId: string; incident: Incident }) {
  const [posted, setPosted] = useState(0);
  return (
    <Card id="post-update" title="Post an update">
      <UpdateForm
        key={posted}
        pageId={pageId}
        incident={incident}
        onPosted={() => setPosted((count) => count + 1)}
      />
      <p role="status" className="text-muted">
        {posted > 0 && "The update is posted."}
      </p>
    </Card>
  );
}

interface Props {
  pageId: string;
  incident: Incident;
  onPosted: () => void;
}

function UpdateForm({ pageId, incident, onPosted }: Props) {
  const change = useChange(...changedByPage);
  // The selection stays while others add updates.
  const [status, setStatus] = useState<IncidentStatus>(() => incidentStatus(incident));
  const post = async (data: FormData) => {
    const updates = api.pages({ id: pageId }).incidents({ incidentId: incident.id }).updates;
    await change(updates.post(updateIn(data)));
  };
  const isReopened = incident.resolvedAt !== null && status !== "resolved";
  return (
    <Form className="form form-fields" keepsDraft check={updateFaults} onSubmit={post} onSaved={onPosted}>
      <UpdateFields status={status} onStatus={setStatus} hint="Markdown. Subscribers get it by e-mail." />
      <FormFailure />
      <div className="actions">
        <SubmitButton>
          {status === "resolved" ? "Resolve incident" : isReopened ? "Open again" : "Post update"}
        </SubmitButton>
      </div>
    </Form>
  );
}
