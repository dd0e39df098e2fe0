import { WEEKDAYS } from "../../../../src/domain/alerts/hours.ts";
import type { NotifyOn } from "../../../../src/domain/alerts/notify.ts";
import type { Patience, ReceiverPhase, Scenario, SimChannel, SimMonitor } from "../../ledger.ts";
import { createDraw, type Draw } from "../draw.ts";
import { drawCalmFaults } from "./faults.ts";
import { drawMaintenances } from "./maintenances.ts";
import { drawRequests } from "./requests.ts";
import { CALM_TEMPO, drawTargets, type Target } from "./targets.ts";

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

/** Two nights in which clocks change in Berlin, and one in which they don't. */
const STARTS = ["2026-03-28T23:00Z", "2026-10-24T22:30Z", "2026-06-10T00:00Z"] as const;

const NOTIFY_ON: readonly [NotifyOn, ...NotifyOn[]] = [
  ["down", "warning", "healthy"],
  ["down", "warning", "healthy"],
  ["down", "healthy"],
  ["down", "warning"],
  ["down"],
];

export interface Span {
  from: number;
  to: number;
}

/**
 * The hidden truth of some hours in which monitors depend on one another and fail with one another, with windows, delays,
 * reminders and operators; it follows from the seed.
 */
export function drawCalm({
  seed,
  hours = 6,
  monitors = 8,
  nights = false,
}: {
  seed: number;
  hours?: number;
  monitors?: number;
  /** Whether channels have hours, in some of which they are not notified. */
  nights?: boolean;
}): Scenario {
  const draw = createDraw(`calm ${seed}`);
  const from = Date.parse(draw.pick(STARTS)) + Math.round(draw.fraction() * HOUR);
  const span = { from, to: from + Math.round(hours * HOUR) };
  const channels = Array.from({ length: draw.whole(2, 3) }, (_, number) =>
    drawChannel(draw.fork(`channel ${number}`), { number, ...span }),
  );
  const targets = drawTargets(draw.fork("targets"), {
    ...{ count: monitors, tempo: CALM_TEMPO, common: drawCommonTroubles(draw.fork("common"), channels) },
    ...{ isFlat: draw.fork("flat").chance(0.3), ...span },
  });
  const drawn = targets.map((target) => {
    const monitor = drawMonitor(draw.fork(target.name), target, channels);
    return nights ? withHours(draw.fork(`hours of ${target.name}`), monitor, span) : monitor;
  });
  return {
    seed,
    ...span,
    calm: true,
    channels,
    monitors: drawn,
    maintenances: drawMaintenances(draw.fork("maintenances"), {
      monitors: drawn,
      channels,
      unit: HOUR,
      ...span,
    }),
    requests: drawRequests(draw.fork("requests"), { targets, channels, unit: HOUR, ...span }),
    faults: drawCalmFaults(draw.fork("faults"), { unit: HOUR, monitors: drawn, ...span }),
  };
}

/** Most targets fail at once while a chat gets nothing, so that it gets many notifications together. */
function drawCommonTroubles(draw: Draw, channels: readonly SimChannel[]): Span[] {
  const silences = channels
    .filter(({ type }) => type === "SLACK")
    .flatMap(({ receiver }) =>
      receiver.filter(({ answers, from, to }) => answers !== "ok" && to - from > MINUTE),
    );
  return silences
    .filter(() => draw.chance(0.7))
    .map(({ from }) => ({
      from: Math.round(from - draw.between(0, 30 * SECOND)),
      to: Math.round(from + draw.spread(2 * MINUTE, 20 * MINUTE)),
    }));
}

function drawChannel(draw: Draw, { number, ...span }: Span & { number: number }): SimChannel {
  return {
    name: `channel-${number}`,
    type: draw.chance(0.4) ? "SLACK" : "WEBHOOK",
    notifyOn: number === 0 ? ["down", "warning", "healthy"] : draw.pick(NOTIFY_ON),
    receiver: draw.chance(0.6) ? [{ ...span, answers: "ok" }] : drawReceiver(draw, { unit: HOUR, ...span }),
  };
}

/** One that is reliable most of the time, so that the times of its notifications say when they were released. */
export function drawReceiver(draw: Draw, { from, to, unit }: Span & { unit: number }): ReceiverPhase[] {
  const phases: ReceiverPhase[] = [];
  let at = from;
  const push = (phase: Pick<ReceiverPhase, "answers" | "retryAfterMs">, length: number) => {
    const end = Math.min(to, Math.round(at + length));
    if (at < to) phases.push({ from: at, to: end, ...phase });
    at = end;
  };
  while (at < to) {
    push({ answers: "ok" }, draw.spread(0.5, 4) * unit);
    const answers = draw.pick(["temporary", "hang", "permanent"] as const);
    const retryAfterMs = Math.round(draw.spread(2, 600)) * SECOND;
    const asksForDelay = answers === "temporary" && draw.chance(0.5);
    push({ answers, ...(asksForDelay && { retryAfterMs }) }, draw.spread(5 * SECOND, unit / 15));
  }
  return phases;
}

function drawMonitor(draw: Draw, target: Target, channels: readonly SimChannel[]): SimMonitor {
  const { name, dependsOn, isPausable, truth } = target;
  const channelNames = channels
    .filter((_, at) => at === 0 || draw.chance(0.7))
    .map((channel) => channel.name);
  const patience = channelNames.map((channel) => [channel, drawPatience(draw)] as const);
  return {
    name,
    channelNames,
    dependsOn,
    tags: ["a", "b", "c"].filter(() => draw.chance(0.35)),
    patience: Object.fromEntries(patience),
    ...(!isPausable && draw.chance(0.4) && { confirmations: draw.whole(0, 2), recoveries: draw.whole(0, 1) }),
    ...truth,
  };
}

function drawPatience(draw: Draw): Patience {
  return {
    after: draw.pick([0, 0, 0, 60, 300, 900] as const),
    every: draw.pick([0, 0, 300, 420, 900] as const),
  };
}

/** Berlin changes its clocks in some of these nights, and the others are behind and ahead of it. */
const ZONES = ["Europe/Berlin", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"] as const;

/** Most channels of a monitor have hours that open and close within the scenario. */
function withHours(draw: Draw, monitor: SimMonitor, span: Span): SimMonitor {
  const patience = Object.entries(monitor.patience ?? {}).map(([channel, times]): [string, Patience] => {
    const own = draw.fork(channel);
    return [channel, own.chance(0.3) ? times : { ...times, hours: drawHours(own, span) }];
  });
  return { ...monitor, patience: Object.fromEntries(patience) };
}

function drawHours(draw: Draw, span: Span): NonNullable<Patience["hours"]> {
  const timezone = draw.pick(ZONES);
  const windows = Array.from({ length: draw.whole(1, 3) }, () => {
    const start = draw.between(span.from - HOUR / 2, span.to);
    const times = [start, start + draw.spread(10 * MINUTE, 2 * HOUR)].map((at) => clockAt(at, timezone));
    const [from = "00:00", to = "24:00"] = times;
    // The same time would be a whole day.
    return { days: [...WEEKDAYS], from, to: from === to ? "24:00" : to };
  });
  return { timezone, windows, outside: draw.chance(0.75) ? "hold" : "drop" };
}

/** The time of day that a clock shows, as `HH:MM`. */
function clockAt(at: number, timeZone: string): string {
  const format = { timeZone, hourCycle: "h23", hour: "2-digit", minute: "2-digit" } as const;
  return new Intl.DateTimeFormat("en-GB", format).format(at);
}
