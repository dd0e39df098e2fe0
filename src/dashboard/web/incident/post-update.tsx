import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type IncidentStatus, incidentStatus } from "../../../domain/pages/incident.ts";
import { api, getData, type Incident } from "../data/api.ts";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { refreshIncidents } from "./incident-queries.ts";
import { updateFaults, updateIn } from "./incident-values.ts";
import { UpdateFields } from "./update-fields.tsx";

/** The form that adds an update to an incident. It is empty again after each one. */
export function PostUpdate({ pageId, incident }: { pageId: string; incident: Incident }) {
  const [posted, setPosted] = useState(0);
  return (
    <section className="card" aria-labelledby="post-update">
      <h2 id="post-update">Post an update</h2>
      <UpdateForm
        key={posted}
        pageId={pageId}
        incident={incident}
        onPosted={() => setPosted((count) => count + 1)}
      />
      <p role="status" className="text-muted">
        {posted > 0 && "The update is posted."}
      </p>
    </section>
  );
}

interface Props {
  pageId: string;
  incident: Incident;
  onPosted: () => void;
}

function UpdateForm({ pageId, incident, onPosted }: Props) {
  const queries = useQueryClient();
  // What the reader selects stays while others add updates.
  const [status, setStatus] = useState<IncidentStatus>(() => incidentStatus(incident));
  const post = async (data: FormData) => {
    const updates = api.pages({ id: pageId }).incidents({ incidentId: incident.id }).updates;
    await getData(updates.post(updateIn(data)));
    await refreshIncidents(queries);
    onPosted();
  };
  const isReopened = incident.resolvedAt !== null && status !== "resolved";
  return (
    <Form className="form form-fields" check={updateFaults} onSubmit={post}>
      <UpdateFields
        status={status}
        onStatus={setStatus}
        hint="Markdown. Subscribers get it by e-mail, and it cannot be changed later."
      />
      <FormFailure />
      <div className="actions">
        <SubmitButton>
          {status === "resolved" ? "Resolve incident" : isReopened ? "Open again" : "Post update"}
        </SubmitButton>
      </div>
    </Form>
  );
}
