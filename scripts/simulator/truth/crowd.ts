import { type Hours, WEEKDAYS, type Windows } from "../../../src/domain/alerts/hours.ts";
import type { MonitorConfig } from "../../../src/domain/monitors/monitor.ts";
import type {
  Fault,
  Patience,
  Scenario,
  SimMonitor,
  SimOnCall,
  SimOverride,
  SimRequest,
  SimSchedule,
} from "../ledger.ts";
import { turnsOf } from "../oracle/on-call/turns.ts";
import type { Stretch } from "../oracle/own-faults.ts";
import { createDraw, type Draw } from "./draw.ts";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];
const QUARTER = 15 * MINUTE;

const FIRST_DAYS = ["2026-01-05", "2026-03-23", "2026-06-15", "2026-09-28"] as const;

const ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"] as const;

/** Nothing happens before the end of a run. */
const CALM_END = DAY;

/** Nothing else happens so near to a report of a job, so that each is taken, except by chance; milliseconds. */
const APART = 2 * MINUTE;

/** The hours of layers are not at night, in which clocks change. */
const LAYER_HOURS: readonly [Windows, ...Windows[]] = [
  [{ days: [...WEEKDAYS], from: "18:00", to: "08:00" }],
  [{ days: ["mon", "tue", "wed", "thu", "fri"], from: "08:00", to: "18:00" }],
  [
    { days: ["sat", "sun"], from: "06:30", to: "22:00" },
    { days: ["fri"], from: "20:00", to: "24:00" },
  ],
];

interface Team {
  name: string;
  people: SimOnCall["people"];
  schedules: SimSchedule[];
  monitors: SimMonitor[];
  requests: SimRequest[];
}

/**
 * Hundreds of people for months: teams with schedules of their own, and jobs that report when they fail and when they run again, so that
 * trouble begins at the second that is drawn. Half of it is aimed at somebody who hands over. Operators acknowledge, and change people,
 * layers and overrides.
 */
export function drawCrowd({
  seed,
  people = 300,
  days = 365,
}: {
  seed: number;
  people?: number;
  days?: number;
}): Scenario {
  const draw = createDraw(`crowd ${seed}`);
  const from = Date.parse(draw.pick(FIRST_DAYS)) + draw.whole(0, 95) * QUARTER;
  const span = { from, to: from + days * DAY };
  const teams: Team[] = [];
  for (let left = people; left > 0; ) {
    const size = Math.min(left, draw.whole(4, 12));
    teams.push(drawTeam(draw.fork(`team ${teams.length}`), { name: `team-${teams.length}`, size, ...span }));
    left -= size;
  }
  const onCall = {
    people: teams.flatMap((team) => team.people),
    schedules: teams.flatMap(({ schedules }) => schedules),
    defaults: ["default-0", "default-1"],
  };
  const monitors = teams.flatMap((team) => team.monitors);
  const names = new Set([
    ...onCall.people.flatMap(({ channels }) => channels),
    ...teams.flatMap(({ name }) => [name, `${name}-new`]),
    ...onCall.defaults,
  ]);
  return {
    seed,
    ...span,
    retentionDays: 10 * 365,
    onCall,
    channels: [...names].map((name) => ({
      name,
      type: "WEBHOOK",
      notifyOn: ["down", "warning", "healthy"],
      receiver: [{ ...span, answers: "ok" }],
    })),
    monitors,
    requests: teams.flatMap(({ requests }) => requests).sort((a, b) => a.at - b.at),
    faults: drawFaults(draw.fork("faults"), { monitors, ...span }),
  };
}

function drawTeam(draw: Draw, { name, size, ...span }: Stretch & { name: string; size: number }): Team {
  const people = Array.from({ length: size }, (_, number) => {
    const own = draw.fork(number);
    const person = `${name}-person-${number}`;
    const channels = Array.from({ length: own.pick([0, 1, 1, 1, 2]) }, (_, place) => `${person}-${place}`);
    // People may share a channel.
    if (own.chance(0.1)) channels.push(name);
    return { name: person, channels, isDisabled: own.chance(0.05) };
  });
  const names = people.map((person) => person.name);
  const schedules = Array.from({ length: draw.pick([1, 1, 2]) }, (_, number) =>
    drawSchedule(draw.fork(`schedule ${number}`), {
      ...{ name: `${name}-schedule-${number}`, people: names, ...span },
    }),
  );
  const changes = drawChanges(draw.fork("changes"), { name, people: names, schedules, ...span });
  const monitors = schedules.flatMap((schedule, number) =>
    drawMonitors(draw.fork(`monitors ${number}`), { name, schedule, schedules, people, changes, ...span }),
  );
  const acknowledgements = monitors.flatMap((monitor) =>
    drawAcknowledgements(draw.fork(monitor.name), monitor),
  );
  return { name, people, schedules, monitors, requests: [...changes, ...acknowledgements] };
}

type OfSchedule = Stretch & { name: string; people: string[] };

function drawSchedule(draw: Draw, { name, people, ...span }: OfSchedule): SimSchedule {
  const every = draw.pick<Every>([
    "week",
    "week",
    "week",
    "week",
    "week",
    "day",
    "day",
    12 * 3600,
    8 * 3600,
    3600,
  ]);
  const count = draw.pick([1, 1, 2, 3]);
  return {
    name,
    timezone: draw.pick(ZONES),
    layers: drawLayers(draw.fork("layers"), { people, every, count, at: span.from }),
    overrides: Array.from({ length: draw.whole(0, 3) }, (_, number) =>
      drawOverride(draw.fork(`override ${number}`), people, draw.between(span.from, span.to - 3 * DAY)),
    ),
  };
}

type Every = SimSchedule["layers"][number]["every"];

/** Only the first layers have hours, so that somebody is on call most of the time. */
function drawLayers(
  draw: Draw,
  { people, every, count, at }: { people: string[]; every: Every; count: number; at: number },
): SimSchedule["layers"] {
  return Array.from({ length: count }, (_, number) => {
    const own = draw.fork(number);
    const takers = people.filter(() => own.chance(0.8));
    return {
      people: takers.length > 0 ? takers : people,
      every: number === 0 ? every : own.pick<Every>(["day", "week", 12 * 3600]),
      startsAt: quarterOf(at + own.between(-20 * DAY, own.chance(0.2) ? 3 * DAY : 0)),
      ...(number < count - 1 && { hours: { windows: own.pick(LAYER_HOURS) } }),
    };
  });
}

function drawOverride(draw: Draw, people: string[], near: number): SimOverride {
  const startsAt = Math.round(near / MINUTE) * MINUTE;
  const length = Math.round(draw.spread(30, 2 * 24 * 60)) * MINUTE;
  return { person: pickOf(draw, people), startsAt, endsAt: startsAt + length };
}

function pickOf<One>(draw: Draw, [first, ...others]: readonly One[]): One {
  if (first === undefined) throw new Error("there is nothing to pick from");
  return draw.pick([first, ...others]);
}

function quarterOf(at: number): number {
  return Math.round(at / QUARTER) * QUARTER;
}

/** Who is where changes: about once a month in a team. */
function drawChanges(
  draw: Draw,
  { name, people, schedules, from, to }: OfSchedule & { schedules: readonly SimSchedule[] },
): SimRequest[] {
  const requests: SimRequest[] = [];
  const gone = new Set<string>();
  const end = to - CALM_END - 3 * DAY;
  for (let at = from + draw.spread(DAY, 30 * DAY); at < end; at += draw.spread(2 * DAY, 60 * DAY)) {
    const own = draw.fork(Math.round(at));
    const left = people.filter((person) => !gone.has(person));
    const person = pickOf(own, left);
    const { name: schedule, layers, overrides } = pickOf(own, schedules);
    const time = Math.round(at);
    const later = Math.round(at + own.spread(HOUR, 3 * DAY));
    const override = drawOverride(own, left, at + own.between(-HOUR, 2 * DAY));
    const drawn = own.fork("kind").pick<() => SimRequest[]>([
      () => [
        { at: time, kind: "disable person", person },
        { at: later, kind: "enable person", person },
      ],
      () => {
        if (left.length < 4) return [];
        gone.add(person);
        return [{ at: time, kind: "delete person", person }];
      },
      () => {
        const channels = own.pick([[], [name], [`${name}-new`], [name, `${name}-new`]]);
        return [{ at: time, kind: "own channels", person, channels }];
      },
      () => {
        const every = own.pick([layers[0]?.every ?? "week", "day", "week"]);
        const changed = drawLayers(own, { people: left, every, count: own.whole(1, 3), at });
        return [{ at: time, kind: "change layers", schedule, layers: changed }];
      },
      () => [{ at: time, kind: "create override", schedule, override }],
      () => [
        { at: time, kind: "create override", schedule, override },
        { at: later, kind: "delete override", schedule, override },
      ],
      () => {
        const [known] = overrides;
        return known ? [{ at: time, kind: "delete override", schedule, override: known }] : [];
      },
    ]);
    requests.push(...drawn());
  }
  return requests;
}

interface OfMonitors extends Stretch {
  name: string;
  schedule: SimSchedule;
  schedules: readonly SimSchedule[];
  people: SimOnCall["people"];
  /** Requests that change the people and the schedules of the team. */
  changes: readonly SimRequest[];
}

/** Two jobs for each schedule: one fails before a handover, and the other one after it. */
function drawMonitors(
  draw: Draw,
  { name, schedule, schedules, people, changes, ...span }: OfMonitors,
): SimMonitor[] {
  const edges = edgesOf(schedule, changes).filter((at) => at > span.from && at < span.to - CALM_END);
  const handovers = [...edges, ...handoversOf(schedule, people, span)];
  const own = Array.from({ length: 2 }, (_, number): SimMonitor => {
    const each = draw.fork(number);
    const others = schedules.filter((one) => one !== schedule && each.chance(0.5));
    const bound = [schedule, ...others].map((one): [string, Patience] => {
      return [one.name, drawPatience(each.fork(one.name), one === schedule)];
    });
    const isDirect = each.chance(0.25);
    return {
      name: `${schedule.name}-${number}`,
      type: "SCHEDULED",
      config: { interval: 300, period: 31_536_000 } as MonitorConfig,
      channelNames: isDirect ? [name] : [],
      patience: { [name]: drawPatience(each.fork("direct"), false) },
      schedules: Object.fromEntries(bound),
    };
  });
  const [first, second] = own;
  if (first && second && draw.chance(0.2)) second.dependsOn = [first.name];
  return own.map((monitor, number) => {
    const { after } = monitor.schedules?.[schedule.name] ?? { after: 0 };
    const lead = number === 0 ? -1 : 1;
    const aims = handovers
      .filter((_, place) => place < edges.length || draw.fork(`aim ${place}`).chance(0.5))
      .map((at) => at + lead * draw.fork(`${number} at ${at}`).whole(3, 55) * SECOND - after * SECOND);
    return { ...monitor, checkins: drawReports(draw.fork(`reports ${number}`), { aims, ...span }) };
  });
}

function drawPatience(draw: Draw, isFirst: boolean): Patience {
  const every = draw.pick([0, 0, 0, 3600, 3600, 3600, 14_400, 14_400, 14_400, 600] as const);
  if (isFirst && draw.chance(0.6)) return { after: 0, every };
  const hours: Hours = {
    timezone: draw.pick(ZONES),
    windows: draw.pick(LAYER_HOURS),
    outside: draw.chance(0.7) ? "hold" : "drop",
  };
  return { after: draw.pick([0, 60, 900, 3600] as const), every, ...(draw.chance(0.4) && { hours }) };
}

/** When overrides begin and end, and when operators change people and schedules. */
function edgesOf({ name, overrides }: SimSchedule, changes: readonly SimRequest[]): number[] {
  const created = changes.flatMap((request) =>
    request.kind === "create override" && request.schedule === name ? [request.override] : [],
  );
  const edges = [...overrides, ...created].flatMap(({ startsAt, endsAt }) => [startsAt, endsAt]);
  return [...edges, ...changes.map(({ at }) => at)];
}

/** When somebody hands over if nobody changes the schedule. At most some hundreds. */
function handoversOf(schedule: SimSchedule, people: SimOnCall["people"], { from, to }: Stretch): number[] {
  const personAt = turnsOf(schedule, people, { from, to });
  const all: number[] = [];
  for (let at = from + QUARTER; at < to - CALM_END; at += QUARTER)
    if (personAt(at) !== personAt(at - QUARTER)) all.push(at);
  const most = 18;
  const share = Math.max(1, Math.floor(all.length / most));
  return all.filter((_, at) => at % share === 0);
}

/** A job that runs reports so at its start, when it fails, and when it runs again. @param aims when it is to fail */
function drawReports(
  draw: Draw,
  { aims, from, to }: Stretch & { aims: readonly number[] },
): { at: number; status: "ok" | "fail" }[] {
  const by = from + MINUTE;
  const chance = Array.from({ length: Math.round((to - from) / (60 * DAY)) }, (_, number) =>
    Math.round(draw.fork(number).between(from + HOUR, to - CALM_END)),
  );
  const reports: { at: number; status: "ok" | "fail" }[] = [{ at: by, status: "ok" }];
  let free = by + APART;
  for (const at of [...aims, ...chance].sort((a, b) => a - b)) {
    const own = draw.fork(`length ${at}`);
    const end = Math.round(at + own.spread(3 * MINUTE, own.chance(0.1) ? 2 * DAY : 5 * HOUR));
    if (at < free || end > to - CALM_END / 2) continue;
    reports.push({ at, status: "fail" }, { at: end, status: "ok" });
    free = end + APART;
  }
  return reports;
}

/** A quarter of the troubles is acknowledged, and some acknowledgements are taken back. */
function drawAcknowledgements(draw: Draw, { name, checkins = [] }: SimMonitor): SimRequest[] {
  return checkins.flatMap(({ at, status }, place): SimRequest[] => {
    const end = checkins[place + 1]?.at;
    const own = draw.fork(at);
    if (status !== "fail" || end === undefined || !own.chance(0.25)) return [];
    const acknowledged = Math.round(own.between(at + 30 * SECOND, end - 30 * SECOND));
    const takenBack = Math.round(own.between(acknowledged + MINUTE, end));
    const takes = own.chance(0.5) && takenBack < end - MINUTE;
    return [
      { at: acknowledged, kind: "acknowledge", monitor: name },
      ...(takes ? [{ at: takenBack, kind: "take back" as const, monitor: name }] : []),
    ];
  });
}

/** The server dies or restarts about every two weeks, while no job reports. */
function drawFaults(
  draw: Draw,
  { monitors, from, to }: Stretch & { monitors: readonly SimMonitor[] },
): Fault[] {
  const reports = monitors.flatMap(({ checkins = [] }) => checkins.map(({ at }) => at));
  const faults: Fault[] = [];
  for (
    let at = from + draw.spread(HOUR, 10 * DAY);
    at < to - CALM_END;
    at += draw.spread(2 * DAY, 40 * DAY)
  ) {
    const [begin, end] = [Math.round(at), Math.round(at + draw.spread(SECOND, 20 * MINUTE))];
    if (reports.some((time) => begin - APART < time && time < end + APART)) continue;
    if (draw.chance(0.7))
      faults.push({ kind: "kill", at: begin, step: draw.whole(1, 40), downMs: end - begin });
    else faults.push({ kind: "restart", from: begin, to: end });
  }
  return faults;
}
