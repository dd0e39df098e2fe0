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
import { rich } from "../languages/rich.tsx";
import { fill, plural, texts } from "../languages/texts.ts";
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

function ReportList() {
  const { data: all, error } = useQuery({
    queryKey: queryKeys.reportMails,
    queryFn: () => getData(api.reports.mails.get()),
  });
  const words = texts.reports.mails;
  return (
    <ListView
      title={words.title}
      lead={words.lead}
      items={useWithoutHidden(all)}
      error={error}
      none={words.none}
      row={(report) => <ReportRow key={report.id} report={report} />}
      create={{ role: "admin", label: words.create, href: `${LIST}/new` }}
    />
  );
}

function ReportRow({ report }: { report: ReportMail }) {
  const { id, title, kind, at, timezone, to, channelIds, ref, nextAt } = report;
  const mayWrite = useHasRole("admin");
  const words = texts.reports.mails;
  return (
    <ListRow
      className="report-row"
      title={title}
      href={mayWrite ? `${LIST}/${id}/edit` : undefined}
      details={
        <>
          <span className="list-row-note">
            {rich(words.times[kind], { at, timezone, next: <Time at={nextAt} only="minute" /> })}
          </span>
          <span className="list-row-note">
            {to ? to.join(texts.common.comma) : plural(words.channels, channelIds?.length ?? 0)}
          </span>
          {ref && <span className="list-row-note">{fill(words.managed, { ref })}</span>}
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
  const words = texts.reports.mails;
  const send = async () => {
    setSaid(words.sending);
    try {
      const { status, mails } = await getData(api.reports.mails({ id }).send.post());
      const error = mails.find((mail) => mail.error)?.error;
      setSaid(status === "delivered" ? words.sent : (error ?? words.noRecipient));
    } catch (error) {
      setSaid(describeError(error));
    }
  };
  const remove = () => change(api.reports.mails({ id }).delete());
  return (
    <div className="actions">
      <button type="button" aria-label={fill(words.sendName, { title })} onClick={send}>
        {words.send}
      </button>
      <Link className="button" href={`${LIST}/${id}/edit`} aria-label={fill(words.editName, { title })}>
        {words.editButton}
      </Link>
      <DeleteButton
        name={title}
        label={fill(words.deleteName, { title })}
        onDelete={async () =>
          deleteLate({
            ids: [id],
            pending: fill(words.deletePending, { title }),
            failed: fill(words.deleteFailed, { title }),
            send: remove,
          })
        }
      >
        {words.deleteHint}
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
  return <View title={texts.reports.mails.one} error={error} back={{ href: LIST, to: "reportMails" }} />;
}

function ReportForm({ stored }: { stored?: ReportMail }) {
  const channels = useQuery(channelsQuery);
  const { edit, create } = texts.reports.mails;
  if (channels.data) return <CompleteForm stored={stored} channels={channels.data} />;
  return <View title={stored ? fill(edit, { title: stored.title }) : create} error={channels.error} />;
}

const KINDS = ["day", "week", "month"] as const;

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
  const { fields: words, kinds } = texts.reports.mails;
  return (
    <EditView
      noun="report"
      name={stored?.title}
      reference={stored?.ref}
      check={(data) => faultsOf(valuesIn(data))}
      onSubmit={save}
      cancel={LIST}
    >
      <NameField name="title" label={words.title} value={stored?.title} />
      <SelectField
        name="kind"
        label={words.kind}
        value={kind}
        options={KINDS.map((value) => ({ value, label: kinds[value] }))}
      />
      <Field name="at" label={words.at}>
        {(props) => <input {...props} type="time" defaultValue={at} />}
      </Field>
      <ZoneField value={stored ? timezone : Intl.DateTimeFormat().resolvedOptions().timeZone} />
      <SelectField
        name="language"
        label={words.language}
        value={language}
        options={LANGUAGES.map((value) => ({ value, label: nameOf(value) }))}
      />
      <SelectorFields stored={stored ? stored.selector : { all: true }} />
      <Field
        name="to"
        label={words.addresses}
        hint={mails.length > 0 ? words.addressesOrChannelsHint : words.addressesHint}
      >
        {(props) => <textarea {...props} rows={3} defaultValue={stored?.to?.join("\n")} />}
      </Field>
      {mails.length > 0 && (
        <CheckList
          legend={words.channels}
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
