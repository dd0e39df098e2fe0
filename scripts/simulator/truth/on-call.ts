import { WEEKDAYS, type Windows } from "../../../src/domain/alerts/hours.ts";
import type { MonitorConfig } from "../../../src/domain/monitors/monitor.ts";
import type { Fault, Patience, Scenario, Segment, SimMonitor, SimOnCall, SimSchedule } from "../ledger.ts";
import type { Stretch } from "../oracle/own-faults.ts";
import { createDraw, type Draw, hash, noise } from "./draw.ts";
import { failure } from "./endpoints.ts";
import { segmentFinder } from "./incidents.ts";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

/** Clocks change within two weeks of most of these days: in Berlin, New York, on Lord Howe Island, or in two of them. */
const STARTS = ["2026-03-01", "2026-03-23", "2026-10-19", "2026-09-28", "2026-06-10"] as const;

const ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"] as const;

/** The last faults and troubles end before it, so that everything is sent. */
const CALM_END = 2 * HOUR;

const EVERYTHING = ["down", "warning", "healthy"] as const;

/**
 * The hidden truth of some days in which people take turns: schedules with layers, hours and overrides, people with and without
 * channels of their own, monitors that notify whoever is on call, and a server that dies. All turns change at whole minutes.
 */
export function drawOnCall({
  seed,
  days = 14,
  monitors = 4,
}: {
  seed: number;
  days?: number;
  monitors?: number;
}): Scenario {
  const draw = createDraw(`on call ${seed}`);
  const from = Date.parse(draw.pick(STARTS)) + draw.whole(0, 23 * 60) * MINUTE;
  const span = { from, to: from + days * DAY };
  const onCall = drawPeople(draw.fork("people"), span);
  const names = new Set([...onCall.people.flatMap(({ channels }) => channels), ...onCall.defaults]);
  return {
    seed,
    ...span,
    onCall,
    channels: [...names].map((name) => ({
      name,
      type: "WEBHOOK",
      notifyOn: [...EVERYTHING],
      receiver: [{ ...span, answers: "ok" }],
    })),
    monitors: Array.from({ length: monitors }, (_, number) =>
      drawMonitor(draw.fork(`monitor ${number}`), { number, schedules: onCall.schedules, ...span }),
    ),
    faults: drawFaults(draw.fork("faults"), span),
  };
}

function drawPeople(draw: Draw, span: Stretch): SimOnCall {
  const people = Array.from({ length: draw.whole(4, 6) }, (_, number) => {
    const own = draw.fork(number);
    const count = own.pick([0, 1, 1, 2, 2] as const);
    const channels = Array.from({ length: count }, (_, place) => `person-${number}-${place}`);
    // People may share a channel.
    if (own.chance(0.2)) channels.push("team");
    return { name: `person-${number}`, channels, isDisabled: own.chance(0.15) };
  });
  const names = people.map(({ name }) => name);
  const schedules = Array.from({ length: draw.whole(2, 3) }, (_, number) =>
    drawSchedule(draw.fork(`schedule ${number}`), { name: `schedule-${number}`, people: names, ...span }),
  );
  return { people, schedules, defaults: draw.chance(0.5) ? ["default-0"] : ["default-0", "default-1"] };
}

type Drawn = Stretch & { people: string[] };

function drawSchedule(draw: Draw, { name, ...context }: Drawn & { name: string }): SimSchedule {
  return {
    name,
    timezone: draw.pick(ZONES),
    layers: Array.from({ length: draw.whole(1, 3) }, (_, number) => drawLayer(draw.fork(number), context)),
    overrides: Array.from({ length: draw.whole(0, 6) }, (_, number) =>
      drawOverride(draw.fork(`override ${number}`), context),
    ),
  };
}

/** The hours are not at night, in which clocks change: a test of its own is about these. */
const HOURS: readonly [Windows, ...Windows[]] = [
  [{ days: [...WEEKDAYS], from: "18:00", to: "08:00" }],
  [{ days: ["mon", "tue", "wed", "thu", "fri"], from: "08:00", to: "18:00" }],
  [
    { days: ["sat", "sun"], from: "06:30", to: "22:00" },
    { days: ["fri"], from: "20:00", to: "24:00" },
  ],
];

function drawLayer(draw: Draw, { people, from }: Drawn): SimSchedule["layers"][number] {
  const takers = people.filter(() => draw.chance(0.6));
  return {
    people: takers.length > 0 ? takers : people,
    every: draw.pick(["day", "day", "week", 8 * 3600, 12 * 3600, 3600] as const),
    startsAt: minuteOf(from + draw.between(-10 * DAY, 3 * DAY)),
    ...(draw.chance(0.35) && { hours: { windows: draw.pick(HOURS) } }),
  };
}

function drawOverride(draw: Draw, { people, from, to }: Drawn): SimSchedule["overrides"][number] {
  const startsAt = minuteOf(draw.between(from - DAY, to - DAY));
  const [first = "", ...others] = people;
  return {
    person: draw.pick([first, ...others]),
    startsAt,
    endsAt: minuteOf(startsAt + draw.spread(30 * MINUTE, 2 * DAY)),
  };
}

function minuteOf(at: number): number {
  return Math.round(at / MINUTE) * MINUTE;
}

function drawMonitor(
  draw: Draw,
  { number, schedules, from, to }: Stretch & { number: number; schedules: readonly SimSchedule[] },
): SimMonitor {
  const name = `monitor-${number}`;
  const interval = draw.pick([300, 900, 1800] as const);
  const [first, ...others] = schedules.map((schedule) => schedule.name);
  const bound = [draw.pick([first ?? "", ...others]), ...others.filter(() => draw.chance(0.3))];
  const segments = drawSegments(draw.fork("segments"), { least: 3 * interval * SECOND, from, to });
  const kindAt = segmentFinder(segments);
  const key = hash(name);
  return {
    name,
    type: "TCP",
    config: { host: `${name}.example`, port: 443, interval } as MonitorConfig,
    channelNames: [],
    schedules: Object.fromEntries(bound.map((schedule) => [schedule, drawPatience(draw.fork(schedule))])),
    segments,
    sample: (at) =>
      kindAt(at).kind === "down"
        ? failure("refused", { share: noise(key, at), interval })
        : { observation: { outcome: "reached", latencyMs: 20, detail: {} }, tookMs: 20 },
  };
}

function drawPatience(draw: Draw): Patience {
  return {
    after: draw.pick([0, 0, 60, 900, 3600] as const),
    every: draw.pick([0, 600, 3600, 3600, 14_400] as const),
  };
}

/** Troubles of minutes to a day, so that turns end while they last. @param least the shortest time between them; milliseconds */
function drawSegments(draw: Draw, { least, from, to }: Stretch & { least: number }): Segment[] {
  const segments: Segment[] = [];
  let at = from;
  const push = (kind: Segment["kind"], length: number) => {
    const end = Math.round(Math.min(at + length, to));
    if (end > at) segments.push({ kind, from: at, to: end });
    at = end;
  };
  while (at < to) {
    push("good", least + draw.spread(20 * MINUTE, DAY));
    if (at < to - DAY - CALM_END) push("down", draw.spread(MINUTE, DAY));
    else push("good", to - at);
  }
  return segments;
}

function drawFaults(draw: Draw, { from, to }: Stretch): Fault[] {
  const faults: Fault[] = [];
  let at = from;
  for (;;) {
    at += Math.round(draw.spread(2 * HOUR, 3 * DAY));
    const end = at + Math.round(draw.spread(SECOND, 20 * MINUTE));
    if (end > to - CALM_END) return faults;
    if (draw.chance(0.7)) faults.push({ kind: "kill", at, step: draw.whole(1, 40), downMs: end - at });
    else faults.push({ kind: "restart", from: at, to: end });
    at = end;
  }
}
