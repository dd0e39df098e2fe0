import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, Route, Switch, useLocation } from "wouter";
import { type IncidentStatus, incidentStatus } from "../../../domain/pages/incident.ts";
import { useHasRole } from "../app/session.tsx";
import { api, type Incident } from "../data/api.ts";
import { changedByPage } from "../data/query-keys.ts";
import { useChange, useWithoutHidden } from "../data/use-change.ts";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { OutageState } from "../outages/outage-page.tsx";
import { Card, Fact } from "../ui/card.tsx";
import { DeleteButton } from "../ui/clipboard.tsx";
import { Time } from "../ui/time.tsx";
import { deleteLate } from "../ui/undo.tsx";
import { View } from "../ui/view.tsx";
import { EditIncident, NewIncident, Rendered, UpdateFields } from "./incident-form.tsx";
import { Incidents } from "./incident-list.tsx";
import {
  incidentQuery,
  incidentsOf,
  listNames,
  renderedQuery,
  stateOf,
  updateFaults,
  updateIn,
  usePage,
} from "./incident-words.ts";

/** The views of incidents. */
export function IncidentViews() {
  return (
    <Switch>
      <Route path="/pages/:page/incidents">{({ page }) => <Incidents key={page} pageId={page} />}</Route>
      <Route path="/pages/:page/incidents/new">
        {({ page }) => <NewIncident key={page} pageId={page} />}
      </Route>
      <Route path="/pages/:page/incidents/:id">
        {({ page, id }) => <IncidentPage key={id} pageId={page} id={id} />}
      </Route>
      <Route path="/pages/:page/incidents/:id/edit">
        {({ page, id }) => <EditIncident key={id} pageId={page} id={id} />}
      </Route>
    </Switch>
  );
}

/** One incident with its updates (behavior 15.96). */
function IncidentPage({ pageId, id }: { pageId: string; id: string }) {
  const mayWrite = useHasRole("admin");
  const { page, names, error } = usePage(pageId);
  const incident = useQuery(incidentQuery(pageId, id));
  if (!page || !names || !incident.data) {
    return (
      <View title={texts.incidents.one.title} error={error ?? incident.error} back={incidentsOf(pageId)} />
    );
  }
  const words = texts.incidents.facts;
  return (
    <View
      title={incident.data.title}
      aside={mayWrite && <IncidentActions pageId={pageId} incident={incident.data} />}
    >
      <OutageState
        state={stateOf(incident.data)}
        label={texts.incidents.status[incidentStatus(incident.data)]}
        startedAt={incident.data.startedAt}
        endedAt={incident.data.resolvedAt}
      />
      <section className="card" aria-label={words.label}>
        <dl className="facts">
          <Fact name={words.page}>
            <Link href={`/pages/${pageId}/incidents`}>{page.title}</Link>
          </Fact>
          <Fact name={words.impact}>{texts.incidents.impact[incident.data.impact]}</Fact>
          <Fact name={words.components}>{listNames(incident.data.componentIds, names) || "–"}</Fact>
          <Fact name={words.started}>
            <Time at={incident.data.startedAt} />
          </Fact>
          <Fact name={words.resolved}>
            {incident.data.resolvedAt ? <Time at={incident.data.resolvedAt} /> : words.stillOpen}
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
  const change = useChange(...changedByPage);
  const path = `/pages/${pageId}/incidents`;
  const send = () => change(api.pages({ id: pageId }).incidents({ incidentId: id }).delete());
  const words = texts.incidents.one;
  const remove = async () => {
    deleteLate({
      ids: [id],
      pending: fill(words.deletePending, { title }),
      failed: fill(words.deleteFailed, { title }),
      send,
    });
    navigate(path, { replace: true });
  };
  return (
    <>
      <Link className="button" href={`${path}/${id}/edit`}>
        {words.edit}
      </Link>
      <DeleteButton name={title} onDelete={remove}>
        {words.deleteHint}
      </DeleteButton>
    </>
  );
}

/** The form that adds an update to an incident. It is empty again after each one. */
function PostUpdate({ pageId, incident }: { pageId: string; incident: Incident }) {
  const [posted, setPosted] = useState(0);
  return (
    <Card id="post-update" title={texts.incidents.updates.postTitle}>
      <UpdateForm
        key={posted}
        pageId={pageId}
        incident={incident}
        onPosted={() => setPosted((count) => count + 1)}
      />
      <p role="status" className="text-muted">
        {posted > 0 && texts.incidents.updates.posted}
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
  const words = texts.incidents.updates;
  return (
    <Form className="form form-fields" keepsDraft check={updateFaults} onSubmit={post} onSaved={onPosted}>
      <UpdateFields status={status} onStatus={setStatus} hint={words.postHint} />
      <FormFailure />
      <div className="actions">
        <SubmitButton>
          {status === "resolved" ? words.resolve : isReopened ? words.reopen : words.post}
        </SubmitButton>
      </div>
    </Form>
  );
}

const TONES = {
  investigating: "down",
  identified: "warning",
  monitoring: "sent",
  resolved: "healthy",
} as const;

type Update = Incident["updates"][number];

interface IncidentUpdatesProps {
  pageId: string;
  incident: Incident;
  mayWrite: boolean;
}

/** The updates of an incident, the newest first. Each can be edited and deleted (behavior 17.43). */
function IncidentUpdates({ pageId, incident, mayWrite }: IncidentUpdatesProps) {
  const { id } = incident;
  const updates = useWithoutHidden(incident.updates) ?? [];
  return (
    <Card id="updates" title={texts.incidents.updates.title}>
      {updates.length === 0 && <p className="text-muted">{texts.incidents.updates.none}</p>}
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
                <PostedUpdate update={update} />
              )}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function PostedUpdate({ update: { status, body, editedAt } }: { update: Update }) {
  const { data: html } = useQuery(renderedQuery(body));
  return (
    <>
      <p>
        <b>{texts.incidents.status[status]}</b>
        {editedAt && (
          <span className="text-muted">
            {" "}
            {rich(texts.incidents.updates.edited, { time: <Time at={editedAt} /> })}
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
  const label = texts.incidents.status[status];
  const words = texts.incidents.updates;
  const stored = api.pages({ id: pageId }).incidents({ incidentId }).updates({ updateId: id });
  const remove = async () =>
    deleteLate({
      ids: [id],
      pending: words.deletePending,
      failed: words.deleteFailed,
      send: () => change(stored.delete()),
    });
  const save = async (data: FormData) => {
    await change(stored.patch(updateIn(data)));
    setOpen(false);
  };
  if (isOpen) {
    return (
      <Form className="form form-fields" check={updateFaults} onSubmit={save}>
        <UpdateFields status={status} body={body} hint={words.editHint} />
        <FormFailure />
        <div className="actions">
          <SubmitButton>{words.save}</SubmitButton>
          <button type="button" onClick={() => setOpen(false)}>
            {words.cancel}
          </button>
        </div>
      </Form>
    );
  }
  return (
    <>
      <PostedUpdate update={update} />
      <div className="actions">
        <button
          type="button"
          className="button-quiet"
          aria-label={fill(words.editName, { status: label })}
          onClick={() => setOpen(true)}
        >
          {words.edit}
        </button>
        {!isOnly && (
          <DeleteButton
            name={label}
            question={words.deleteQuestion}
            label={fill(words.deleteName, { status: label })}
            onDelete={remove}
          >
            {words.deleteHint}
          </DeleteButton>
        )}
      </div>
    </>
  );
}
