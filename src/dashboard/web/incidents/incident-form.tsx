import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { IMPACTS, INCIDENT_STATUSES, type IncidentStatus } from "../../../domain/pages/incident.ts";
import { api, type Incident } from "../data/api.ts";
import { changedByPage } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { CheckList } from "../form/choices.tsx";
import { EditView } from "../form/edit-view.tsx";
import { Field, SelectField } from "../form/fields.tsx";
import { texts } from "../languages/texts.ts";
import { Failure } from "../ui/filters.tsx";
import { View } from "../ui/view.tsx";
import {
  changesFaults,
  changesIn,
  incidentQuery,
  incidentsOf,
  newIncidentFaults,
  newIncidentIn,
  renderedQuery,
  usePage,
} from "./incident-words.ts";

type Names = ReadonlyMap<string, string>;

export function NewIncident({ pageId }: { pageId: string }) {
  const { names, error } = usePage(pageId);
  if (names) return <NewForm pageId={pageId} names={names} />;
  return <View title={texts.form.newView.incident.title} error={error} back={incidentsOf(pageId)} />;
}

export function EditIncident({ pageId, id }: { pageId: string; id: string }) {
  const { names, error } = usePage(pageId);
  // Without updates by others, which would replace what the reader has entered.
  const incident = useQuery({ ...incidentQuery(pageId, id), staleTime: Number.POSITIVE_INFINITY });
  if (names && incident.data) return <EditForm pageId={pageId} names={names} stored={incident.data} />;
  return (
    <View title={texts.incidents.one.title} error={error ?? incident.error} back={incidentsOf(pageId)} />
  );
}

function NewForm({ pageId, names }: { pageId: string; names: Names }) {
  const [, navigate] = useLocation();
  const change = useChange(...changedByPage);
  const create = async (data: FormData) => {
    const { id } = await change(api.pages({ id: pageId }).incidents.post(newIncidentIn(data)));
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
      <UpdateFields status="investigating" hint={texts.incidents.updates.firstHint} />
    </EditView>
  );
}

function EditForm({ pageId, names, stored }: { pageId: string; names: Names; stored: Incident }) {
  const [, navigate] = useLocation();
  const change = useChange(...changedByPage);
  const path = `/pages/${pageId}/incidents/${stored.id}`;
  const save = async (data: FormData) => {
    await change(api.pages({ id: pageId }).incidents({ incidentId: stored.id }).patch(changesIn(data)));
    navigate(path, { replace: true });
  };
  return (
    <EditView noun="incident" name={stored.title} check={changesFaults} onSubmit={save} cancel={path}>
      <IncidentFields names={names} stored={stored} />
    </EditView>
  );
}

interface Props {
  /** The incident to edit. */
  stored?: Incident;
  /** The names of the components of the page, by ID. */
  names: ReadonlyMap<string, string>;
}

/** The title, the impact and the components of an incident. */
function IncidentFields({ stored, names }: Props) {
  const words = texts.incidents.fields;
  return (
    <>
      <Field name="title" label={words.title} hint={words.titleHint}>
        {(props) => <input {...props} dir="auto" defaultValue={stored?.title} autoComplete="off" />}
      </Field>
      <SelectField
        name="impact"
        label={words.impact}
        hint={words.impactHint}
        value={stored?.impact ?? "minor"}
        options={IMPACTS.map((value) => ({ value, label: texts.incidents.impact[value] }))}
        className="incident-select"
      />
      {names.size > 0 && (
        <CheckList
          legend={words.components}
          name="componentIds"
          options={[...names].map(([value, label]) => ({
            value,
            label: <bdi>{label}</bdi>,
            isChecked: stored?.componentIds.includes(value) ?? false,
          }))}
        />
      )}
    </>
  );
}

interface UpdateProps {
  /** The status that is selected at first. */
  status: IncidentStatus;
  onStatus?: (status: IncidentStatus) => void;
  /** The stored message of an update that is edited. */
  body?: string;
  hint: string;
}

/** The status and the message of an update. */
export function UpdateFields({ status, onStatus, body, hint }: UpdateProps) {
  return (
    <>
      <SelectField
        name="status"
        label={texts.incidents.fields.status}
        value={status}
        options={INCIDENT_STATUSES.map((value) => ({ value, label: texts.incidents.status[value] }))}
        className="incident-select"
        onChange={(value) => onStatus?.(value as IncidentStatus)}
      />
      <MarkdownField name="body" label={texts.incidents.fields.message} value={body} hint={hint} />
    </>
  );
}

/** Milliseconds without a change after which the preview is rendered. */
const PAUSE = 300;

interface MarkdownFieldProps {
  name: string;
  label: string;
  /** The text at first. Default: none. */
  value?: string | undefined;
  hint: string;
}

/** A text in Markdown, with a preview of what the public page makes of it. */
function MarkdownField({ name, label, value = "", hint }: MarkdownFieldProps) {
  const [text, setText] = useState(value);
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="markdown-field">
      <Field name={name} label={label} hint={hint}>
        {(props) => (
          <textarea
            {...props}
            dir="auto"
            rows={6}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
      </Field>
      <button
        type="button"
        className="button-quiet"
        aria-expanded={isOpen}
        onClick={() => setOpen((before) => !before)}
      >
        {isOpen ? texts.incidents.fields.hidePreview : texts.incidents.fields.preview}
      </button>
      {isOpen && <Preview text={text} />}
    </div>
  );
}

function Preview({ text }: { text: string }) {
  const settled = useSettled(text.trim() === "" ? "" : text);
  const { data, error } = useQuery({
    ...renderedQuery(settled),
    enabled: settled !== "",
    placeholderData: keepPreviousData,
  });
  const words = texts.incidents.fields;
  return (
    <section className="markdown-preview" aria-label={words.preview}>
      <Failure error={error} />
      {settled === "" ? <p className="text-muted">{words.nothingToShow}</p> : <Rendered html={data ?? ""} />}
    </section>
  );
}

/** @property html from the API, which has escaped everything that people wrote */
export function Rendered({ html }: { html: string }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const { body } = new DOMParser().parseFromString(html, "text/html");
    // Another tab, because the text is not saved yet.
    for (const link of body.querySelectorAll("a")) link.target = "_blank";
    element.current?.replaceChildren(...body.childNodes);
  }, [html]);
  return <div className="markdown" dir="auto" ref={element} />;
}

/** The latest text that did not change for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
