import type { SimChannel, SimRequest } from "../../ledger.ts";
import type { Draw } from "../draw.ts";
import { drawScope } from "./maintenances.ts";
import type { Span } from "./scenario.ts";
import type { Target } from "./targets.ts";

const [SECOND, MINUTE] = [1000, 60_000];

/** @property unit milliseconds: an operator does something every few of them */
interface Context extends Span {
  unit: number;
  targets: readonly Target[];
  channels: readonly SimChannel[];
}

/** Requests of operators because of the troubles, and without a reason. */
export function drawRequests(draw: Draw, context: Context): SimRequest[] {
  const end = context.to - 10 * MINUTE;
  return [
    ...context.targets.flatMap((target) => drawAcknowledgements(draw.fork(`ack ${target.name}`), target)),
    ...context.targets
      .filter(({ isPausable }) => isPausable)
      .flatMap((target) => drawPauses(draw.fork(`pause ${target.name}`), target, context)),
    ...drawEdits(draw.fork("edits"), context),
    ...drawDeployments(draw.fork("deployments"), context),
  ]
    .filter(({ at }) => at < end)
    .sort((a, b) => a.at - b.at);
}

function drawAcknowledgements(draw: Draw, { name: monitor, troubles }: Target): SimRequest[] {
  return troubles.flatMap(({ from, to }): SimRequest[] => {
    if (!draw.chance(0.3)) return [];
    const at = Math.round(from + draw.spread(30 * SECOND, Math.max(MINUTE, to - from)));
    const back = Math.round(at + draw.spread(10 * SECOND, 20 * MINUTE));
    const acknowledge: SimRequest = { at, kind: "acknowledge", monitor };
    return draw.chance(0.4) ? [acknowledge, { at: back, kind: "take back", monitor }] : [acknowledge];
  });
}

function drawPauses(
  draw: Draw,
  { name: monitor, troubles }: Target,
  { from, to, unit }: Context,
): SimRequest[] {
  const requests: SimRequest[] = [];
  let at = from + draw.spread(0.2, 3) * unit;
  while (at < to) {
    // Most often during trouble, because nothing happens otherwise.
    const trouble = troubles.find((one) => one.to > at && one.to - one.from > 2 * MINUTE);
    const start = Math.round(trouble && draw.chance(0.7) ? draw.between(trouble.from, trouble.to) : at);
    const end = Math.round(start + draw.spread(20 * SECOND, unit / 3));
    if (start >= at)
      requests.push({ at: start, kind: "pause", monitor }, { at: end, kind: "resume", monitor });
    at = Math.max(at, end) + draw.spread(0.5, 3) * unit;
  }
  return requests;
}

/** A monitor depends on earlier ones only, so that there is no cycle. */
function drawEdits(draw: Draw, { targets, from, to }: Context): SimRequest[] {
  return Array.from({ length: draw.whole(0, 3) }, (): SimRequest => {
    const place = draw.whole(1, targets.length - 1);
    const on = targets.slice(0, place).filter(() => draw.chance(0.4));
    return {
      at: Math.round(draw.between(from + 5 * MINUTE, to)),
      kind: "depend",
      monitor: targets[place]?.name ?? "",
      on: on.slice(0, 8).map(({ name }) => name),
    };
  });
}

/** As a deploy script does: a window from now on, which ends early unless the script dies. */
function drawDeployments(draw: Draw, { targets, channels, from, to }: Context): SimRequest[] {
  return Array.from({ length: draw.whole(0, 3) }, (_, number) => {
    const at = Math.round(draw.between(from + 5 * MINUTE, to));
    const endsAt = at + Math.round(draw.spread(2 * MINUTE, 40 * MINUTE));
    const maintenance = {
      ...drawScope(draw.fork(number), `deployment ${number}`, { monitors: targets, channels }),
      window: { startsAt: at, endsAt },
    };
    const create: SimRequest = { at, kind: "create maintenance", maintenance };
    const early = Math.round(draw.between(at + 30 * SECOND, endsAt));
    if (draw.chance(0.3)) return [create];
    const kind = draw.pick(["end window", "end window", "delete maintenance"] as const);
    return [create, { at: early, kind, maintenance: maintenance.name } satisfies SimRequest];
  }).flat();
}
