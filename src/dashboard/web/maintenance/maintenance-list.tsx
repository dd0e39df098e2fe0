import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link, useSearchParams } from "wouter";
import { useHasRole } from "../app/session.tsx";
import { api, getData, type Maintenance } from "../data/api.ts";
import { monitorNamesQuery } from "../data/monitor-lists.ts";
import { changedByMaintenance, queryKeys } from "../data/query-keys.ts";
import { useChange, useWithoutHidden } from "../data/use-change.ts";
import { hidden, named, rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { MaintenanceMark } from "../status/status-mark.tsx";
import { Card } from "../ui/card.tsx";
import { DeleteButton } from "../ui/clipboard.tsx";
import { type CalendarDay, monthBeside, monthOf, parseMonth, weeksOf } from "../ui/days.ts";
import { ConfirmButton } from "../ui/dialog.tsx";
import { ListRow, ListView } from "../ui/list.tsx";
import { formatNumber } from "../ui/numbers.ts";
import { dateFormat, Time, useClock } from "../ui/time.tsx";
import { deleteLate } from "../ui/undo.tsx";
import {
  byState,
  type CalendarEntry,
  describeSelector,
  describeTimes,
  entriesOn,
  MAX_NAMES,
  shortList,
} from "./maintenance-words.ts";

/** Milliseconds between two fetches. A window begins and ends without a report of the server. */
const INTERVAL = 10_000;

/** The maintenances of the organization, as a list and in the calendar of a month (behavior 14.95). */
export function Maintenances() {
  const { data: all, error } = useQuery({
    queryKey: queryKeys.maintenances,
    queryFn: () => getData(api.maintenances.get()),
    refetchInterval: INTERVAL,
  });
  const data = useWithoutHidden(all);
  const { data: names } = useQuery(monitorNamesQuery(shownIds(data ?? [])));
  const [params, setParams] = useSearchParams();
  const month = parseMonth(params.get("month")) ?? monthOf(Date.now());
  return (
    <ListView
      title={texts.maintenance.list.title}
      lead={texts.maintenance.list.lead}
      label={texts.maintenance.list.label}
      items={data?.toSorted(byState)}
      error={error}
      none={texts.maintenance.list.none}
      row={(maintenance) => (
        <MaintenanceRow key={maintenance.id} maintenance={maintenance} names={names ?? NO_NAMES} />
      )}
      create={{ role: "admin", label: texts.maintenance.list.create, href: "/maintenances/new" }}
    >
      {data && data.length > 0 && (
        <MonthCalendar
          maintenances={data}
          month={month}
          onMonth={(next) => setParams({ month: next }, { replace: true })}
        />
      )}
    </ListView>
  );
}

interface Props {
  maintenance: Maintenance;
  /** The names of monitors by ID, as far as they are known. */
  names: ReadonlyMap<string, string>;
}

const NO_NAMES: ReadonlyMap<string, string> = new Map();

/** The monitors that the sentences about these maintenances name. */
function shownIds(maintenances: readonly Maintenance[]): string[] {
  return maintenances.flatMap(({ selector }) => selector.monitorIds?.slice(0, MAX_NAMES) ?? []);
}

export function MaintenanceRow({ maintenance, names }: Props) {
  const { id, title, message, selector, state, ref } = maintenance;
  const mayWrite = useHasRole("admin");
  return (
    <ListRow
      className="maintenance-row"
      state={
        <div className={`list-row-state maintenance-state maintenance-${state}`}>
          <MaintenanceMark size={16} />
          <span>
            <span className="status-text">{texts.maintenance.state[state]}</span>
            <Next maintenance={maintenance} />
          </span>
        </div>
      }
      title={title}
      href={mayWrite ? `/maintenances/${id}/edit` : undefined}
      details={
        <>
          <span className="list-row-note">{describeSelector(selector, names)}</span>
          <span className="list-row-note">{describeTimes(maintenance)}</span>
          {ref && (
            <span className="list-row-note">{fill(texts.maintenance.managedBy, { reference: ref })}</span>
          )}
          {message && <span className="list-row-note maintenance-message">{message}</span>}
        </>
      }
    >
      {mayWrite && <MaintenanceActions maintenance={maintenance} />}
    </ListRow>
  );
}

/** The end of the open window, or the start of the next one. */
function Next({ maintenance: { state, nextStartsAt, nextEndsAt } }: Pick<Props, "maintenance">) {
  if (state === "ended" || nextStartsAt === null || nextEndsAt === null) return null;
  const { until, next } = texts.maintenance.window;
  const isActive = state === "active";
  const time = <Time at={isActive ? nextEndsAt : nextStartsAt} only="minute" />;
  return <span className="list-row-since">{rich(isActive ? until : next, { time })}</span>;
}

function MaintenanceActions({ maintenance: { id, title, state } }: { maintenance: Maintenance }) {
  const change = useChange(...changedByMaintenance);
  const end = () => change(api.maintenances({ id }).end.post());
  const send = () => change(api.maintenances({ id }).delete(), queryKeys.maintenance(id));
  const remove = async () =>
    deleteLate({
      ids: [id],
      pending: fill(texts.maintenance.remove.pending, { title }),
      failed: fill(texts.maintenance.remove.failed, { title }),
      send,
    });
  return (
    <div className="actions">
      {state === "active" && (
        <ConfirmButton
          label={texts.maintenance.actions.end}
          name={fill(texts.maintenance.actions.endLabel, { title })}
          title={named(texts.maintenance.end.question, title)}
          onConfirm={end}
        >
          {texts.maintenance.end.text}
        </ConfirmButton>
      )}
      <Link
        className="button"
        href={`/maintenances/${id}/edit`}
        aria-label={fill(texts.maintenance.actions.editLabel, { title })}
      >
        {texts.maintenance.actions.edit}
      </Link>
      <DeleteButton
        name={title}
        label={fill(texts.maintenance.actions.deleteLabel, { title })}
        onDelete={remove}
      >
        {state === "active" ? texts.maintenance.remove.textInProgress : texts.maintenance.remove.text}
      </DeleteButton>
    </div>
  );
}

interface MonthCalendarProps {
  maintenances: Maintenance[];
  /** Such as `2026-11`. */
  month: string;
  onMonth: (month: string) => void;
}

const monthFormat = dateFormat({ year: "numeric", month: "long" });
const weekdayFormat = dateFormat({ weekday: "short" });
const dayFormat = dateFormat({ weekday: "long", month: "long", day: "numeric" });
const timeFormat = dateFormat({ hour: "2-digit", minute: "2-digit" });

/** The windows of a month, in the reader's zone. */
function MonthCalendar({ maintenances, month, onMonth }: MonthCalendarProps) {
  const weeks = useMemo(() => weeksOf(month), [month]);
  const today = useClock((now) => new Date(now).toDateString());
  const [firstWeek = []] = weeks;
  const name = monthFormat.format(weeks[1]?.[0]?.start ?? 0);
  const words = texts.maintenance.calendar;
  return (
    <Card
      id="calendar"
      title={name}
      aside={
        <div className="actions">
          <button type="button" onClick={() => onMonth(monthBeside(month, -1))}>
            {rich(words.previous, { hidden })}
          </button>
          <button type="button" onClick={() => onMonth(monthOf(Date.now()))}>
            {words.thisMonth}
          </button>
          <button type="button" onClick={() => onMonth(monthBeside(month, 1))}>
            {rich(words.next, { hidden })}
          </button>
        </div>
      }
    >
      <table className="calendar">
        <caption className="visually-hidden">{fill(words.caption, { month: name })}</caption>
        <thead>
          <tr>
            {firstWeek.map(({ start }) => (
              <th key={start} scope="col">
                {weekdayFormat.format(start)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]?.start}>
              {week.map((day) => (
                <Day
                  key={day.start}
                  day={day}
                  maintenances={maintenances}
                  isToday={new Date(day.start).toDateString() === today}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

interface DayProps {
  day: CalendarDay;
  maintenances: Maintenance[];
  isToday: boolean;
}

const MAX_SHOWN = 3;

function Day({ day, maintenances, isToday }: DayProps) {
  const entries = useMemo(() => entriesOn(day, maintenances), [day, maintenances]);
  const { shown, rest } = shortList(entries, MAX_SHOWN);
  const classes = [
    "calendar-day",
    !day.isInMonth && "calendar-other",
    entries.length === 0 && "calendar-free",
  ];
  return (
    <td className={classes.filter(Boolean).join(" ")} {...(isToday && { "aria-current": "date" })}>
      <time className="calendar-date" dateTime={new Date(day.start).toISOString()}>
        <span aria-hidden="true">{formatNumber(new Date(day.start).getDate())}</span>
        <span className="calendar-long">{dayFormat.format(day.start)}</span>
      </time>
      {entries.length > 0 && (
        <ul>
          {shown.map((entry) => (
            <li key={`${entry.id} ${entry.startsAt}`}>
              <Entry entry={entry} day={day} />
            </li>
          ))}
          {rest && <li className="calendar-more">{rest}</li>}
        </ul>
      )}
    </td>
  );
}

function Entry({ entry: { id, title, startsAt, endsAt }, day }: { entry: CalendarEntry; day: CalendarDay }) {
  const words = texts.maintenance.calendar;
  const starts = startsAt >= day.start;
  const ends = endsAt <= day.end;
  const start = timeFormat.format(startsAt);
  const end = timeFormat.format(endsAt);
  const from = ends ? fill(words.span, { start, end }) : fill(words.from, { start });
  const span = starts ? from : ends ? fill(words.until, { end }) : words.allDay;
  const brief = starts ? start : span;
  return (
    <Link href={`/maintenances/${id}/edit`} className="calendar-entry" title={`${span} ${title}`}>
      <span className="calendar-time">{brief}</span> {title}
    </Link>
  );
}
