import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import { NotifyOn } from "../../../domain/alerts/notify.ts";
import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import type { Selector } from "../../../domain/monitors/selector.ts";
import type { ReplayChanges, ReplayRequest } from "../../../domain/replay/changes.ts";
import type { Figure } from "../../../domain/replay/outcome.ts";
import { faults, type SaidFault } from "../../../domain/schemas/validation.ts";
// The script of the forms: without it, what both share would be in many small ones.
import "../app/form-views.ts";
import { NotifyOnPicker } from "../alerts/channel-fields.tsx";
import type { Replay } from "../data/api.ts";
import { monitorNamesQuery, tagsIn } from "../data/monitor-lists.ts";
import { checkedValues, numberOf, textOf, withoutEmpty } from "../form/field-errors.ts";
import { DurationField, Field, SelectField, secondsIn, TextField } from "../form/fields.tsx";
import { Form, FormFailure, SubmitButton, useForm } from "../form/form.tsx";
import { ZoneInput } from "../form/monitor-picker.tsx";
import { Disclosure } from "../form/sections.tsx";
import { fill, plural, texts } from "../languages/texts.ts";
import { SelectorFields, selectorFaults, selectorIn } from "../maintenance/selector-fields.tsx";
import { offeredAfter, offeredEvery } from "../monitors/alerts/alert-fields.tsx";
import { HoursFields, hoursIn } from "../monitors/alerts/hours-fields.tsx";
import { ConfirmationFields, describeVotes, offeredVotes } from "../monitors/confirmation-fields.tsx";
import { RowState } from "../status/status-mark.tsx";
import { Card, Fact } from "../ui/card.tsx";
import { dayOf, startOf } from "../ui/days.ts";
import { List, ListRow } from "../ui/list.tsx";
import { formatNumber } from "../ui/numbers.ts";
import { Time } from "../ui/time.tsx";
import { View } from "../ui/view.tsx";
import { figureWords, lengthWords, shiftWords } from "./outcome-words.ts";
import {
  describeReplay,
  hindsightParams,
  hrefOf,
  lengthOf,
  type Replayed,
  replayQuery,
} from "./replay-line.tsx";

const DAYS = [7, 14, 30, 60, 90];

/** Tries other settings of alerting on the results of the last days (behavior 25.53). */
export function Hindsight() {
  const [params, setParams] = useSearchParams();
  const [stored] = useState(() => ({ selector: selectorOf(params), days: params.get("days") ?? 30 }));
  const [found, setFound] = useState<Replayed>();
  const queries = useQueryClient();
  const result = useRef<HTMLDivElement>(null);
  // On a phone, it is below the fields.
  useEffect(() => (found ? result.current?.scrollIntoView({ block: "nearest" }) : undefined), [found]);
  const submit = async (data: FormData) => {
    const request = requestIn(data);
    setParams(hindsightParams(request.selector, request.days), { replace: true });
    setFound(await queries.fetchQuery(replayQuery(request)));
  };
  const words = texts.hindsight;
  const days = DAYS.map((value) => ({ value, label: plural(words.days, value) }));
  return (
    <View title={words.title}>
      <p className="text-lead">{words.lead}</p>
      <Form className="form-columns hindsight" check={faultsOf} onSubmit={submit}>
        <div className="form card">
          <SelectorFields stored={stored.selector} />
          <SelectField name="days" label={words.range} value={stored.days} options={days} />
          <ChangeFields />
          <FormFailure />
          <div className="actions">
            <SubmitButton>{words.replay}</SubmitButton>
            <Progress />
          </div>
        </div>
        <div className="hindsight-result" ref={result}>
          {found && <Outcome {...found} />}
        </div>
      </Form>
    </View>
  );
}

function Progress() {
  return <span role="status">{useForm().busy && texts.hindsight.replaying}</span>;
}

/** The monitors in the address; without any, all. */
function selectorOf(params: URLSearchParams): Selector {
  const monitorIds = (params.get("monitors") ?? "").split(",").filter(Boolean);
  const tags = tagsIn(params.get("tag")?.replaceAll(",", " ") ?? "");
  if (monitorIds.length + tags.length === 0) return { all: true };
  return { ...(monitorIds.length > 0 && { monitorIds }), ...(tags.length > 0 && { tags }) };
}

/** The settings to try: each one is as it was at first. */
function ChangeFields() {
  const { sections, fields, same } = texts.hindsight;
  // The option that changes nothing.
  const unchanged = { value: "", label: same };
  return (
    <div className="form-sections">
      <Disclosure summary={sections.confirmation} isOpen>
        <ConfirmationFields type="HTTP" unchanged={unchanged} />
      </Disclosure>
      <Disclosure summary={sections.notifications}>
        <SelectField
          name="after"
          label={fields.after}
          value={undefined}
          options={[unchanged, ...offeredAfter(0)]}
        />
        <SelectField
          name="every"
          label={fields.every}
          value={undefined}
          options={[unchanged, ...offeredEvery(0)]}
        />
        <fieldset className="form-fields">
          <legend>{fields.hours}</legend>
          <HoursFields name="hours" label={fields.hoursOfAll} hours={undefined} none={same} />
        </fieldset>
        <NotifyOnPicker notifyOn={[]}>
          <p className="text-hint">{fields.notifyOnHint}</p>
        </NotifyOnPicker>
      </Disclosure>
      <Disclosure summary={sections.checks}>
        <SelectField
          name="changes.downWhen"
          label={fields.downWhen}
          value=""
          options={[
            unchanged,
            ...offeredVotes(0, "majority").map((value) => ({ value, label: describeVotes(value) })),
          ]}
        />
        <TextField name="changes.expect.within" label={fields.within} kind="numeric" />
        <TextField name="changes.warnDays" label={fields.warnDays} kind="numeric" />
      </Disclosure>
      <Disclosure summary={sections.maintenance}>
        <TextField
          name="changes.maintenance.cron"
          label={fields.cron}
          example="0 2 * * 0"
          hint={fields.cronHint}
        />
        <Field name="changes.maintenance.timezone" label={fields.timezone}>
          {(props) => (
            <ZoneInput {...props} defaultValue={Intl.DateTimeFormat().resolvedOptions().timeZone} />
          )}
        </Field>
        <DurationField name="changes.maintenance.duration" label={fields.duration} seconds={3600} />
      </Disclosure>
    </div>
  );
}

/** The server checks the rest. */
function faultsOf(data: FormData): SaidFault[] {
  const notifyOn = checkedValues(data, "notifyOn");
  return [
    ...selectorFaults(selectorIn(data)),
    ...(notifyOn.length > 0 ? faults(NotifyOn, notifyOn, "notifyOn") : []),
  ];
}

function requestIn(data: FormData): ReplayRequest {
  const cron = textOf(data, "changes.maintenance.cron");
  const notifyOn = checkedValues(data, "notifyOn");
  const [amount = "", unit = ""] = checkedValues(data, "changes.maintenance.duration");
  const changes = {
    ...Object.fromEntries(
      ["confirmations", "recoveries", "after", "every"].map((name) => [name, numberOf(data, name)]),
    ),
    hours: hoursIn(data.get("hours")),
    notifyOn: notifyOn.length > 0 ? notifyOn : undefined,
    downWhen: textOf(data, "changes.downWhen"),
    warnDays: numberOf(data, "changes.warnDays"),
    "expect.within": numberOf(data, "changes.expect.within"),
    maintenance: cron && {
      cron,
      timezone: textOf(data, "changes.maintenance.timezone"),
      duration: Number(secondsIn(amount, unit)),
    },
  };
  return {
    selector: selectorIn(data),
    days: Number(data.get("days")),
    // The server validates them.
    changes: withoutEmpty(changes) as ReplayChanges,
  };
}

function Outcome({ request, replay }: Replayed) {
  const { from, to, monitorCount, present, changed, later } = replay;
  const isChanged = Object.keys(request.changes).length > 0;
  const words = texts.hindsight.outcome;
  const row = (key: keyof typeof words.rows, format = formatNumber) => (
    <tr>
      <th scope="row">{words.rows[key]}</th>
      <td>{figureWords(present[key], format)}</td>
      <td>{figureWords(changed[key], format)}</td>
    </tr>
  );
  const days = plural(texts.hindsight.days, request.days ?? 0);
  return (
    <>
      <Card id="outcome" title={plural(words.title, monitorCount, { days })}>
        <p role="status">{isChanged ? describeReplay({ request, replay }) : words.nothingChanged}</p>
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">{words.columns.figure}</span>
              </th>
              <th scope="col">{words.columns.before}</th>
              <th scope="col">{words.columns.after}</th>
            </tr>
          </thead>
          <tbody>
            {row("outages")}
            {row("notifications")}
            {row("downSeconds", lengthWords)}
          </tbody>
        </table>
        <dl className="facts">
          <Delay name={words.medianDelay} seconds={later.medianSeconds} />
          <Delay name={words.longestDelay} seconds={later.maxSeconds} />
        </dl>
        {!replay.exact && <p className="text-hint">{words.notExact}</p>}
      </Card>
      <Days from={Date.parse(from)} to={Date.parse(to)} gone={replay.gone} missed={replay.missed} />
      <Listed name="gone" outages={replay.gone}>
        {texts.hindsight.noneGone}
      </Listed>
      <Listed name="missed" outages={replay.missed}>
        {texts.hindsight.noneMissed}
      </Listed>
    </>
  );
}

function Delay({ name, seconds }: { name: string; seconds: Figure }) {
  return <Fact name={name}>{shiftWords(seconds) || texts.hindsight.outcome.noDelay}</Fact>;
}

type Outages = Replay["gone"];

const WIDTH = 10;
const HEIGHT = 40;

/** Both lists of outages by the day of their start: outages that would not have been are above the line, outages without a message below it. */
function Days({
  from,
  to,
  gone,
  missed,
}: { from: number; to: number } & Record<keyof typeof texts.replay.lists, Outages>) {
  const days: number[] = [];
  for (let at = from; at < to; at = startOf(dayOf(from), days.length) ?? to) days.push(at);
  const counts = (outages: Outages) => {
    const byDay = Map.groupBy(outages, ({ startedAt }) => dayOf(Date.parse(startedAt)));
    return days.map((day) => byDay.get(dayOf(day))?.length ?? 0);
  };
  const [above, below] = [counts(gone), counts(missed)];
  const { title, chart, hint } = texts.hindsight.byDay;
  const height = (count: number) => (HEIGHT * count) / Math.max(1, ...above, ...below);
  return (
    <Card id="days" title={title}>
      <svg
        className="hindsight-days"
        viewBox={`0 0 ${WIDTH * days.length} ${2 * HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={fill(chart, { gone: gone.length, missed: missed.length })}
      >
        {days.map((day, at) => (
          <g key={day}>
            <rect
              x={WIDTH * at + 1}
              y={HEIGHT - height(above[at] ?? 0)}
              width={WIDTH - 2}
              height={height(above[at] ?? 0)}
            />
            <rect
              className="hindsight-missed"
              x={WIDTH * at + 1}
              y={HEIGHT}
              width={WIDTH - 2}
              height={height(below[at] ?? 0)}
            />
          </g>
        ))}
        <path d={`M0 ${HEIGHT}H${WIDTH * days.length}`} />
      </svg>
      <p className="hindsight-ends">
        <Time at={new Date(from).toISOString()} only="date" />
        <Time at={new Date(to).toISOString()} only="date" />
      </p>
      <p className="text-hint">{hint}</p>
    </Card>
  );
}

/** The most outages of a list of the API. */
const MAX_LISTED = 50;

/** @property children the sentence without any */
function Listed({
  name,
  outages,
  children,
}: {
  name: keyof typeof texts.replay.lists;
  outages: Outages;
  children: ReactNode;
}) {
  const { data: names } = useQuery(monitorNamesQuery(outages.map(({ monitorId }) => monitorId)));
  return (
    <Card id={name} title={texts.replay.lists[name]}>
      {outages.length === 0 ? (
        <p className="text-muted">{children}</p>
      ) : (
        <List
          label={texts.replay.lists[name]}
          items={outages}
          row={(outage) => (
            <ListRow
              key={outage.monitorId + outage.startedAt}
              state={
                <RowState
                  state={displayStateOfStatus(outage.status)}
                  label={texts.status.label[outage.status]}
                >
                  {lengthOf(outage)}
                </RowState>
              }
              title={names?.get(outage.monitorId) ?? "…"}
              href={hrefOf(outage)}
              details={
                <span className="list-row-note">
                  <Time at={outage.startedAt} only="minute" />
                </span>
              }
            />
          )}
        />
      )}
      {outages.length === MAX_LISTED && <p className="text-hint">{texts.hindsight.further}</p>}
    </Card>
  );
}
