import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { INCIDENT_LABELS } from "../../../domain/pages/incident.ts";
import { api, type Incident } from "../data/api.ts";
import { changedByPage } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { Card } from "../ui/card.tsx";
import { DeleteButton } from "../ui/item-actions.tsx";
import { Time } from "../ui/time.tsx";
import { UpdateFields } from "./incident-form.tsx";
import { renderedQuery } from "./incident-queries.ts";
import { updateFaults, updateIn } from "./incident-values.ts";
import { Rendered } from "./markdown-field.tsx";

const TONES = {
  investigating: "down",
  identified: "warning",
  monitoring: "sent",
  resolved: "healthy",
} as const;

type Update = Incident["updates"][number];

interface Props {
  pageId: string;
  incident: Incident;
  mayWrite: boolean;
}

/** The updates of an incident, the newest first, as they were written. Each can be edited and deleted (behavior 17.43). */
export function IncidentUpdates({ pageId, incident, mayWrite }: Props) {
  const { id, updates } = incident;
  return (
    <Card id="updates" title="Updates">
      {updates.length === 0 && <p className="text-muted">No updates yet.</p>}
      <ol className="timeline">
        {updates.map((update) => (
          <li key={update.id} className={`timeline-entry timeline-${TONES[update.status]}`}>
            <p className="timeline-time">
              <Time at={update.createdAt} />
            </p>
            <div className="timeline-content">
              {mayWrite ? (
                <EditableUpdate
                  pageId={pageId}
                  incidentId={id}
                  update={update}
                  isOnly={updates.length === 1}
                />
              ) : (
                <PostedUpdate update={update} mayWrite={false} />
              )}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function PostedUpdate({
  update: { status, body, editedAt },
  mayWrite,
}: {
  update: Update;
  mayWrite: boolean;
}) {
  // Only writers may render Markdown. Others read it as it was written.
  const { data: html } = useQuery({ ...renderedQuery(body), enabled: mayWrite });
  return (
    <>
      <p>
        <b>{INCIDENT_LABELS[status]}</b>
        {editedAt && (
          <span className="text-muted">
            {" "}
            · edited <Time at={editedAt} />
          </span>
        )}
      </p>
      {html === undefined ? (
        <p className="incident-body" dir="auto">
          {body}
        </p>
      ) : (
        <Rendered html={html} />
      )}
    </>
  );
}

interface EditableProps {
  pageId: string;
  incidentId: string;
  update: Update;
  /** The only update can't be deleted. */
  isOnly: boolean;
}

function EditableUpdate({ pageId, incidentId, update, isOnly }: EditableProps) {
  const change = useChange(...changedByPage);
  const [isOpen, setOpen] = useState(false);
  const { id, status, body } = update;
  const label = INCIDENT_LABELS[status];
  const stored = api.pages({ id: pageId }).incidents({ incidentId }).updates({ updateId: id });
  const save = async (data: FormData) => {
    await change(stored.patch(updateIn(data)));
    setOpen(false);
  };
  if (isOpen) {
    return (
      <Form className="form form-fields" check={updateFaults} onSubmit={save}>
        <UpdateFields
          status={status}
          body={body}
          hint="Markdown. The page says that it was edited. Subscribers get no e-mail."
        />
        <FormFailure />
        <div className="actions">
          <SubmitButton>Save</SubmitButton>
          <button type="button" onClick={() => setOpen(false)}>
            Cancel
          </button>
        </div>
      </Form>
    );
  }
  return (
    <>
      <PostedUpdate update={update} mayWrite />
      <div className="actions">
        <button
          type="button"
          className="button-quiet"
          aria-label={`Edit the update: ${label}`}
          onClick={() => setOpen(true)}
        >
          Edit
        </button>
        {!isOnly && (
          <DeleteButton
            name={label}
            what="the update"
            label={`Delete the update: ${label}`}
            onDelete={() => change(stored.delete())}
          >
            The page no longer shows it. The latest of the other updates decides the status of the incident.
          </DeleteButton>
        )}
      </div>
    </>
  );
}
