import { useQueries, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { Link, Route, Switch, useSearchParams } from "wouter";
import { useHasRole } from "../app/session.tsx";
import { api, type Person, type Schedule } from "../data/api.ts";
import { channelsQuery, peopleQuery, queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { ShownOnceDialog } from "../form/edit-view.tsx";
import { Form, FormFailure, SubmitButton } from "../form/form.tsx";
import { hidden, named, rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { Card } from "../ui/card.tsx";
import { CopyableText, DeleteButton } from "../ui/clipboard.tsx";
import { type CalendarDay, dayOf, startOf, weekAt } from "../ui/days.ts";
import { DialogActions, DialogButton } from "../ui/dialog.tsx";
import { Failure } from "../ui/filters.tsx";
import { dateFormat, Time, useClock } from "../ui/time.tsx";
import { View } from "../ui/view.tsx";
import { Overrides, TakeOver, useMayOverride } from "./override.tsx";
import { nameById } from "./person-name.ts";
import { EditSchedule, NewSchedule } from "./schedule-form.tsx";
import { type DayTurn, onCallQuery, schedulesQuery, type Turn, turnsOn, turnsQuery } from "./schedules.ts";

/** The views of schedules. */
export function OnCallViews() {
  return (
    <Switch>
      <Route path="/on-call" component={OnCall} />
      <Route path="/on-call/new" component={NewSchedule} />
      <Route path="/on-call/edit/:id">{({ id }) => <EditSchedule key={id} id={id} />}</Route>
    </Switch>
  );
}

/** Who is on call now, and in a week (behavior 23.41). */
function OnCall() {
  const mayWrite = useHasRole("admin");
  const schedules = useQuery(schedulesQuery);
  const people = useQuery(peopleQuery);
  const [params, setParams] = useSearchParams();
  const today = useClock(dayOf);
  const week = weekAt(startOf(params.get("week") ?? "") ?? startOf(today) ?? 0);
  const create = (
    <Link className="button button-primary" href="/on-call/new">
      {texts.onCall.create}
    </Link>
  );
  const stretch = stretchOf(week);
  const turns = useQueries({ queries: (schedules.data ?? []).map(({ id }) => turnsQuery(id, stretch)) });
  // All of it at once, so that nothing moves. Another week leaves the schedules where they are.
  const isReady = useRef(false);
  isReady.current ||= schedules.data !== undefined && turns.every(({ isPending }) => !isPending);
  if (!schedules.data || !people.data || !isReady.current)
    return <View title={texts.onCall.title} error={schedules.error ?? people.error} />;
  return (
    <View title={texts.onCall.title} aside={mayWrite && create}>
      <p className="text-lead">{texts.onCall.lead}</p>
      {schedules.data.length === 0 ? (
        <p className="view-empty">{texts.onCall.none}</p>
      ) : (
        <WeekButtons week={week} onWeek={(day) => setParams({ week: day }, { replace: true })} />
      )}
      {schedules.data.map((schedule) => (
        <ScheduleCard key={schedule.id} schedule={schedule} people={people.data} week={week} />
      ))}
    </View>
  );
}

/** The time of a week. */
function stretchOf(week: CalendarDay[]) {
  return { start: week[0]?.start ?? 0, end: week.at(-1)?.end ?? 0 };
}

const rangeFormat = dateFormat({ year: "numeric", month: "short", day: "numeric" });

interface WeekProps {
  week: CalendarDay[];
  /** Called with a day of another week. */
  onWeek: (day: string) => void;
}

function WeekButtons({ week, onWeek }: WeekProps) {
  const [first, last] = [week[0]?.start ?? 0, week.at(-1)?.start ?? 0];
  const beside = (days: number) => dayOf(startOf(dayOf(first), days) ?? 0);
  return (
    <div className="on-call-week">
      <h2>
        {fill(texts.onCall.week.range, { from: rangeFormat.format(first), to: rangeFormat.format(last) })}
      </h2>
      <div className="actions">
        <button type="button" onClick={() => onWeek(beside(-7))}>
          {rich(texts.onCall.week.previous, { hidden })}
        </button>
        <button type="button" onClick={() => onWeek(dayOf(Date.now()))}>
          {texts.onCall.week.present}
        </button>
        <button type="button" onClick={() => onWeek(beside(7))}>
          {rich(texts.onCall.week.next, { hidden })}
        </button>
      </div>
    </div>
  );
}

interface Props {
  schedule: Schedule;
  people: Person[];
  week: CalendarDay[];
}

/** Turns that are loading leave their place empty, so that nothing moves. */
function ScheduleCard({ schedule, people, week }: Props) {
  const { id, name, timezone, ref } = schedule;
  const mayWrite = useHasRole("admin");
  const mayOverride = useMayOverride();
  const { data: turns = [], error } = useQuery(turnsQuery(id, stretchOf(week)));
  return (
    <Card
      id={`schedule-${id}`}
      title={name}
      aside={
        <div className="actions">
          {mayOverride() && (
            <DialogButton
              label={texts.onCall.actions.takeOver}
              name={fill(texts.onCall.actions.takeOverLabel, { name })}
              className="button-primary"
            >
              {(onClose) => <TakeOver schedule={schedule} people={people} onClose={onClose} />}
            </DialogButton>
          )}
          {mayWrite && <ScheduleActions schedule={schedule} />}
        </div>
      }
    >
      <Now schedule={schedule} people={people} />
      <Failure error={error} />
      <Week schedule={schedule} people={people} week={week} turns={turns} />
      <p className="text-hint">
        {fill(texts.onCall.zone, { timezone })} {ref && fill(texts.onCall.managed, { ref })}
      </p>
      <Overrides schedule={schedule} people={people} />
    </Card>
  );
}

/** Who is on call now, and until when. */
function Now({ schedule: { id }, people }: Pick<Props, "schedule" | "people">) {
  const { data, error } = useQuery(onCallQuery(id));
  const { data: channels } = useQuery(channelsQuery);
  if (data === undefined) return error ? <Failure error={error} /> : <p className="on-call-now">…</p>;
  const person = people.find((one) => one.id === data?.personId);
  const isReached =
    !channels || channels.some(({ id, enabled }) => enabled && person?.alertChannelIds?.includes(id));
  return (
    <>
      <p className="on-call-now" role="status">
        {data ? <Present name={data.name} until={data.until} /> : <strong>{texts.onCall.now.nobody}</strong>}
      </p>
      {!(data && isReached) && (
        <p className="warning">
          {data
            ? rich(texts.onCall.now.unreached, { name: <bdi>{data.name}</bdi>, link: settingsLink })
            : rich(texts.onCall.now.defaults, { link: settingsLink })}
        </p>
      )}
    </>
  );
}

const settingsLink = (text: string) => <Link href="/settings">{text}</Link>;

function Present({ name, until }: { name: string; until: string | null }) {
  const person = (
    <strong>
      <bdi>{name}</bdi>
    </strong>
  );
  if (until === null) return rich(texts.onCall.now.alone, { name: person });
  return rich(texts.onCall.now.until, { name: person, time: <Time at={until} only="minute" /> });
}

const weekdayFormat = dateFormat({ weekday: "short", day: "numeric" });
const dayFormat = dateFormat({ weekday: "long", month: "long", day: "numeric" });

interface WeekTableProps extends Props {
  turns: Turn[];
}

function Week({ schedule, people, week, turns }: WeekTableProps) {
  const today = useClock(dayOf);
  return (
    <table className="calendar on-call-calendar">
      <caption className="visually-hidden">
        {fill(texts.onCall.week.caption, { name: schedule.name })}
      </caption>
      <thead>
        <tr>
          {week.map(({ start }) => (
            <th key={start} scope="col">
              {weekdayFormat.format(start)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          {week.map((day) => (
            <td
              key={day.start}
              className="calendar-day"
              {...(dayOf(day.start) === today && { "aria-current": "date" })}
            >
              <span className="on-call-date">{dayFormat.format(day.start)}</span>
              <ul>
                {turnsOn(day, turns).map((turn) => (
                  <li key={turn.startsAt}>
                    <TurnButton {...{ schedule, people, turn, day }} />
                  </li>
                ))}
              </ul>
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  );
}

const timeFormat = dateFormat({ hour: "2-digit", minute: "2-digit" });

interface TurnProps extends Pick<Props, "schedule" | "people"> {
  turn: DayTurn;
  day: CalendarDay;
}

/** A turn on a day, which a reader can take over unless it is past. */
function TurnButton({ schedule, people, turn, day }: TurnProps) {
  const mayOverride = useMayOverride();
  const isPast = useClock((now) => turn.endsAt <= now);
  const name = nameById(turn.personId, people);
  const isWhole = turn.startsAt === day.start && turn.endsAt === day.end;
  const span = isWhole
    ? texts.onCall.turn.allDay
    : rich(texts.onCall.turn.range, {
        from: timeFormat.format(turn.startsAt),
        to: timeFormat.format(turn.endsAt),
        rest: (text) => <span>{text}</span>,
      });
  const color = turn.personId === null ? "nobody" : people.findIndex(({ id }) => id === turn.personId) % 6;
  const className = `on-call-turn on-call-turn-${color}`;
  const content = (
    <>
      <bdi>{name}</bdi> <span className="visually-hidden">{dayFormat.format(day.start)},</span>{" "}
      <span className="on-call-span">{span}</span>
    </>
  );
  if (isPast || !mayOverride()) return <span className={className}>{content}</span>;
  return (
    <DialogButton label={content} className={className}>
      {(onClose) => <TakeOver schedule={schedule} people={people} turn={turn} onClose={onClose} />}
    </DialogButton>
  );
}

function ScheduleActions({ schedule: { id, name } }: Pick<Props, "schedule">) {
  const change = useChange(queryKeys.schedules);
  return (
    <>
      <DialogButton
        label={texts.onCall.actions.calendar}
        name={fill(texts.onCall.actions.calendarLabel, { name })}
      >
        {(onClose) => <CalendarLink id={id} name={name} onClose={onClose} />}
      </DialogButton>
      <Link
        className="button"
        href={`/on-call/edit/${id}`}
        aria-label={fill(texts.onCall.actions.editLabel, { name })}
      >
        {texts.onCall.actions.edit}
      </Link>
      <DeleteButton
        name={name}
        label={fill(texts.onCall.actions.deleteLabel, { name })}
        onDelete={() => change(api.schedules({ id }).delete())}
      >
        {texts.onCall.actions.deleteText}
      </DeleteButton>
    </>
  );
}

interface CalendarProps {
  id: string;
  name: string;
  onClose: () => void;
}

/** The address of the calendar, which is shown once. A new one ends the previous one. */
function CalendarLink({ id, name, onClose }: CalendarProps) {
  return (
    <ShownOnceDialog<{ url: string }>
      title={named(texts.onCall.calendar.title, name)}
      createdTitle={() => named(texts.onCall.calendar.createdTitle, name)}
      queryKey={queryKeys.audit}
      form={(create) => (
        <Form check={() => []} onSubmit={() => create(api.schedules({ id }).calendar.post())}>
          <p>{texts.onCall.calendar.text}</p>
          <FormFailure />
          <DialogActions onClose={onClose}>
            <SubmitButton>{texts.onCall.calendar.submit}</SubmitButton>
          </DialogActions>
        </Form>
      )}
      onClose={onClose}
    >
      {({ url }) => (
        <>
          <p>{rich(texts.onCall.calendar.shownOnce, { b: (text) => <b>{text}</b> })}</p>
          <CopyableText text={url} label={texts.onCall.calendar.copy} />
        </>
      )}
    </ShownOnceDialog>
  );
}
