import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, Route, Switch, useLocation } from "wouter";
import { LANGUAGES } from "../../../domain/pages/reader-locale.ts";
import type { NewReportMail } from "../../../domain/reports/report-mail.ts";
import type { SaidFault } from "../../../domain/schemas/validation.ts";
import { useHasRole } from "../app/session.tsx";
import { api, type Channel, getData, type ReportMail } from "../data/api.ts";
import { channelsQuery, queryKeys } from "../data/query-keys.ts";
import { useChange, useWithoutHidden } from "../data/use-change.ts";
import { CheckList } from "../form/choices.tsx";
import { EditView } from "../form/edit-view.tsx";
import { checkedValues, textOf } from "../form/field-errors.ts";
import { Field, NameField, SelectField } from "../form/fields.tsx";
import { ZoneField } from "../form/monitor-picker.tsx";
import { pageFault } from "../form/page-fault.ts";
import { SelectorFields, selectorFaults, selectorIn } from "../maintenance/selector-fields.tsx";
import { DeleteButton } from "../ui/clipboard.tsx";
import { describeError } from "../ui/filters.tsx";
import { ListRow, ListView } from "../ui/list.tsx";
import { Time } from "../ui/time.tsx";
import { deleteLate } from "../ui/undo.tsx";
import { View } from "../ui/view.tsx";

const LIST = "/reports/mails";

/** The views of reports by mail (behavior 23.79). */
export function ReportMails() {
  return (
    <Switch>
      <Route path={LIST} component={ReportList} />
      <Route path={`${LIST}/new`}>{() => <ReportForm />}</Route>
      <Route path={`${LIST}/:id/edit`}>{({ id }) => <EditReport key={id} id={id} />}</Route>
      <Route path={`${LIST}/:id/:day`} component={ShownByServer} />
    </Switch>
  );
}

/** The server shows a report, to whoever is signed in. */
function ShownByServer() {
  useEffect(() => location.reload(), []);
  return null;
}

const kinds = { day: "Each day", week: "Each Monday", month: "On the first of each month" } as const;

function ReportList() {
  const { data: all, error } = useQuery({
    queryKey: queryKeys.reportMails,
    queryFn: () => getData(api.reports.mails.get()),
  });
  return (
    <ListView
      title="Reports by mail"
      lead="Each is about the day, week or month before: uptime, outages, missed runs, and certificates that end soon."
      items={useWithoutHidden(all)}
      error={error}
      none="No reports by mail yet."
      row={(report) => <ReportRow key={report.id} report={report} />}
      create={{ role: "admin", label: "New report", href: `${LIST}/new` }}
    />
  );
}

function ReportRow({ report }: { report: ReportMail }) {
  const { id, title, kind, at, timezone, to, channelIds, ref, nextAt } = report;
  const mayWrite = useHasRole("admin");
  const count = channelIds?.length ?? 0;
  return (
    <ListRow
      className="report-row"
      title={title}
      href={mayWrite ? `${LIST}/${id}/edit` : undefined}
      details={
        <>
          <span className="list-row-note">
            {kinds[kind]} at {at}, {timezone}, next <Time at={nextAt} only="minute" />
          </span>
          <span className="list-row-note">
            {to ? to.join(", ") : `${count} ${count === 1 ? "channel" : "channels"}`}
          </span>
          {ref && <span className="list-row-note">Managed by a configuration file (ref {ref})</span>}
        </>
      }
    >
      {mayWrite && <ReportActions report={report} />}
    </ListRow>
  );
}

function ReportActions({ report: { id, title } }: { report: ReportMail }) {
  const change = useChange(queryKeys.reportMails);
  const [said, setSaid] = useState("");
  const send = async () => {
    setSaid("Sending…");
    try {
      const { status, mails } = await getData(api.reports.mails({ id }).send.post());
      const error = mails.find((mail) => mail.error)?.error;
      setSaid(status === "delivered" ? "Sent" : (error ?? "It has no recipient"));
    } catch (error) {
      setSaid(describeError(error));
    }
  };
  const remove = () => change(api.reports.mails({ id }).delete());
  return (
    <div className="actions">
      <button type="button" aria-label={`Send now: ${title}`} onClick={send}>
        Send now
      </button>
      <Link className="button" href={`${LIST}/${id}/edit`} aria-label={`Edit ${title}`}>
        Edit
      </Link>
      <DeleteButton
        name={title}
        label={`Delete ${title}`}
        onDelete={async () =>
          deleteLate({
            ids: [id],
            pending: `The report “${title}” will be deleted.`,
            failed: `The report “${title}” could not be deleted`,
            send: remove,
          })
        }
      >
        Mails of it that wait are not sent. You can undo this for ten seconds.
      </DeleteButton>
      <span role="status">{said}</span>
    </div>
  );
}

function EditReport({ id }: { id: string }) {
  const { data, error } = useQuery({
    queryKey: queryKeys.reportMail(id),
    queryFn: () => getData(api.reports.mails({ id }).get()),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data) return <ReportForm stored={data} />;
  return <View title="Report by mail" error={error} back={{ href: LIST, to: "reports by mail" }} />;
}

function ReportForm({ stored }: { stored?: ReportMail }) {
  const channels = useQuery(channelsQuery);
  if (channels.data) return <CompleteForm stored={stored} channels={channels.data} />;
  return <View title={stored ? `Edit ${stored.title}` : "New report"} error={channels.error} />;
}

function CompleteForm({ stored, channels }: { stored: ReportMail | undefined; channels: Channel[] }) {
  const [, navigate] = useLocation();
  const change = useChange(queryKeys.reportMails, queryKeys.audit);
  const mails = channels.filter(({ type }) => type === "EMAIL");
  const save = async (data: FormData) => {
    const values = valuesIn(data);
    const sent = stored ? api.reports.mails({ id: stored.id }).patch(values) : api.reports.mails.post(values);
    await change(sent as ReturnType<typeof api.reports.mails.post>);
    navigate(LIST, { replace: true });
  };
  const {
    kind = "week",
    at,
    timezone,
    language,
  } = { at: "08:00", language: "en", timezone: "UTC", ...stored };
  return (
    <EditView
      noun="report"
      name={stored?.title}
      reference={stored?.ref}
      check={(data) => faultsOf(valuesIn(data))}
      onSubmit={save}
      cancel={LIST}
    >
      <NameField name="title" label="Title" value={stored?.title} />
      <SelectField
        name="kind"
        label="When"
        value={kind}
        options={Object.entries(kinds).map(([value, label]) => ({ value, label }))}
      />
      <Field name="at" label="At">
        {(props) => <input {...props} type="time" defaultValue={at} />}
      </Field>
      <ZoneField value={stored ? timezone : Intl.DateTimeFormat().resolvedOptions().timeZone} />
      <SelectField
        name="language"
        label="Language"
        value={language}
        options={LANGUAGES.map((value) => ({ value, label: nameOf(value) }))}
      />
      <SelectorFields stored={stored ? stored.selector : { all: true }} />
      <Field
        name="to"
        label="E-mail addresses"
        hint={mails.length > 0 ? "One in each line. Or choose channels below." : "One in each line."}
      >
        {(props) => <textarea {...props} rows={3} defaultValue={stored?.to?.join("\n")} />}
      </Field>
      {mails.length > 0 && (
        <CheckList
          legend="E-mail channels"
          name="channelIds"
          options={mails.map(({ id, name }) => ({
            value: id,
            label: name,
            isChecked: stored?.channelIds?.includes(id) ?? false,
          }))}
        />
      )}
    </EditView>
  );
}

function nameOf(language: string): string {
  return new Intl.DisplayNames(language, { type: "language" }).of(language) ?? language;
}

/** Values that are wrong stay as they are, so that the validation refuses them. */
function valuesIn(data: FormData): NewReportMail {
  const to = (textOf(data, "to") ?? "").split(/[\s,;]+/).filter(Boolean);
  const channelIds = checkedValues(data, "channelIds");
  return {
    title: textOf(data, "title") ?? "",
    ...({ kind: textOf(data, "kind"), language: textOf(data, "language") } as Pick<
      NewReportMail,
      "kind" | "language"
    >),
    ...{ at: textOf(data, "at") ?? "", timezone: textOf(data, "timezone") ?? "UTC" },
    selector: selectorIn(data),
    ...(to.length > 0 && { to }),
    ...(channelIds.length > 0 && { channelIds }),
  };
}

/** The API refuses the rest. */
function faultsOf({ selector, title }: NewReportMail): SaidFault[] {
  return [...selectorFaults(selector), ...(title === "" ? [pageFault("title", "title", {})] : [])];
}
