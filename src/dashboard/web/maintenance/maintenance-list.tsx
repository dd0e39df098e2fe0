import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link, useSearchParams } from "wouter";
import { useHasRole } from "../app/session.tsx";
import { api, getData, type Maintenance } from "../data/api.ts";
import { monitorNamesQuery } from "../data/monitor-lists.ts";
import { changedByMaintenance, queryKeys } from "../data/query-keys.ts";
import { useChange, useWithoutHidden } from "../data/use-change.ts";
import { named } from "../languages/rich.tsx";
import { MaintenanceMark } from "../status/status-mark.tsx";
import { Card } from "../ui/card.tsx";
import { DeleteButton } from "../ui/clipboard.tsx";
import { type CalendarDay, monthBeside, monthOf, parseMonth, weeksOf } from "../ui/days.ts";
import { ConfirmButton } from "../ui/dialog.tsx";
import { ListRow, ListView } from "../ui/list.tsx";
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
  stateLabels,
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
      title="Maintenance"
      lead="In maintenance, checks go on, but do not count for the uptime, and nobody is notified of trouble."
      label="Maintenances"
      items={data?.toSorted(byState)}
      error={error}
      none="No maintenances yet."
      row={(maintenance) => (
        <MaintenanceRow key={maintenance.id} maintenance={maintenance} names={names ?? NO_NAMES} />
      )}
      create={{ role: "admin", label: "New maintenance", href: "/maintenances/new" }}
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
            <span className="status-text">{stateLabels[state]}</span>
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
          {ref && <span className="list-row-note">Managed by a configuration file (ref {ref})</span>}
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
  return (
    <span className="list-row-since">
      {state === "active" ? "until " : "next "}
      <Time at={state === "active" ? nextEndsAt : nextStartsAt} only="minute" />
    </span>
  );
}

function MaintenanceActions({ maintenance: { id, title, state } }: { maintenance: Maintenance }) {
  const change = useChange(...changedByMaintenance);
  const end = () => change(api.maintenances({ id }).end.post());
  const send = () => change(api.maintenances({ id }).delete(), queryKeys.maintenance(id));
  const remove = async () =>
    deleteLate({
      ids: [id],
      pending: `The maintenance “${title}” will be deleted.`,
      failed: `The maintenance “${title}” could not be deleted`,
      send,
    });
  return (
    <div className="actions">
      {state === "active" && (
        <ConfirmButton
          label="End now"
          name={`End now: ${title}`}
          title={named("End “{name}”?", title)}
          onConfirm={end}
        >
          Trouble that lasts, and was not notified before, is notified now. Later windows stay.
        </ConfirmButton>
      )}
      <Link className="button" href={`/maintenances/${id}/edit`} aria-label={`Edit ${title}`}>
        Edit
      </Link>
      <DeleteButton name={title} label={`Delete ${title}`} onDelete={remove}>
        {state === "active" && "It ends. "}
        It has no further windows. You can undo this for ten seconds.
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
  return (
    <Card
      id="calendar"
      title={name}
      aside={
        <div className="actions">
          <button type="button" onClick={() => onMonth(monthBeside(month, -1))}>
            Previous <span className="visually-hidden">month</span>
          </button>
          <button type="button" onClick={() => onMonth(monthOf(Date.now()))}>
            This month
          </button>
          <button type="button" onClick={() => onMonth(monthBeside(month, 1))}>
            Next <span className="visually-hidden">month</span>
          </button>
        </div>
      }
    >
      <table className="calendar">
        <caption className="visually-hidden">Maintenances in {name}</caption>
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
        <span aria-hidden="true">{new Date(day.start).getDate()}</span>
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
  const starts = startsAt >= day.start;
  const ends = endsAt <= day.end;
  const from = timeFormat.format(startsAt);
  const to = timeFormat.format(endsAt);
  const span = starts ? (ends ? `${from} – ${to}` : `from ${from}`) : ends ? `until ${to}` : "all day";
  const brief = starts ? from : span;
  return (
    <Link href={`/maintenances/${id}/edit`} className="calendar-entry" title={`${span} ${title}`}>
      <span className="calendar-time">{brief}</span> {title}
    </Link>
  );
}
