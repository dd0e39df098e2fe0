import { useMemo } from "react";
import { Link } from "wouter";
import type { Maintenance } from "../data/api.ts";
import { Card } from "../ui/card.tsx";
import { dateFormat, useClock } from "../ui/time.tsx";
import {
  type CalendarDay,
  type CalendarEntry,
  entriesOn,
  monthBeside,
  monthOf,
  shortList,
  weeksOf,
} from "./month.ts";

interface Props {
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
export function MonthCalendar({ maintenances, month, onMonth }: Props) {
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
