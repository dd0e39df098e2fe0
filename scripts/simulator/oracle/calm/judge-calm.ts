import { groupOf } from "../../../../src/domain/monitors/status.ts";
import type { Ledger, SimChannel, Violation } from "../../ledger.ts";
import type { SimResult } from "../check-results.ts";
import type { Decision } from "../confirmation.ts";
import type { OwnFaults } from "../own-faults.ts";
import { touches } from "../own-faults.ts";
import { judgeRhythms } from "../rhythms/judge-rhythms.ts";
import { judgeAllowed, judgeRepetitions } from "./allowed.ts";
import { judgeNoticed, judgeStale } from "./hidden-truth.ts";
import { judgeMarks, judgeMisses, judgeNotices } from "./in-windows.ts";
import { judgeOrder } from "./order.ts";
import { judgeReminders, judgeRequired, SETTLED, unreachable } from "./required.ts";
import { judgeSharedCauses } from "./shared-causes.ts";
import { type MonitorSituation, Situation } from "./situation.ts";
import { type Receiver, receiverOf, type Told } from "./told.ts";

/**
 * Finds faults of dependencies, windows, acknowledgements, delays and reminders. Every rule is stated here
 * from section 14 of docs/behavior, without the functions of the product that decide.
 */
export function findCalmViolations(
  ledger: Ledger,
  { faults, decisions }: { faults: OwnFaults; decisions: ReadonlyMap<SimResult, Decision> },
): Violation[] {
  const situation = new Situation(ledger, faults, decisions);
  const { monitors, channels } = ledger.scenario;
  const receivers = new Map(
    channels.map(({ name }) => [name, receiverOf(name, ledger, situation.disturbed)]),
  );
  const ofMonitors = monitors.flatMap((monitor) => {
    const one = situation.of(monitor);
    const toldOf = (channel: string) =>
      (receivers.get(channel)?.told ?? []).filter(({ delivery }) => delivery.monitor === monitor.name);
    return [
      ...channels.flatMap((channel) =>
        judgePair(one, channel, {
          receiver: receivers.get(channel.name),
          told: toldOf(channel.name),
          situation,
        }),
      ),
      ...judgeSharedCauses(one, situation, toldOf),
      ...judgeMarks(one, situation),
      ...(monitor.plan
        ? judgeRhythms(monitor, {
            ...{ results: ledger.results, windows: situation.runs, absent: faults.absent },
            span: ledger.scenario,
          })
        : judgeMisses(one, situation)),
      ...judgeOutcomes(one, situation),
    ];
  });
  const ofChannels = channels.flatMap((channel) =>
    judgeOrder(channel, ledger, receivers.get(channel.name)?.told ?? []),
  );
  return [...ofMonitors, ...ofChannels, ...judgeNotices(situation, faults)];
}

function judgePair(
  monitor: MonitorSituation,
  channel: SimChannel,
  {
    receiver,
    told,
    situation,
  }: { receiver: Receiver | undefined; told: readonly Told[]; situation: Situation },
): Violation[] {
  const { scenario } = situation.ledger;
  const span = { from: scenario.from - 60_000, to: scenario.to + 60_000 };
  if (!monitor.monitor.channelNames.includes(channel.name) || !receiver)
    return told.map(({ startedAt, status }) => ({
      rule: "only the channels of a monitor are notified",
      at: startedAt,
      monitor: monitor.monitor.name,
      channel: channel.name,
      text: `it was notified of ${status}`,
    }));
  const context = { situation: monitor, channel, receiver, told, disturbed: situation.disturbed };
  return [
    ...judgeAllowed(monitor, channel, { told, span, disturbed: situation.disturbed }),
    ...judgeStale(monitor, channel, { told, absent: situation.faults.absent }),
    ...judgeNoticed(monitor, situation, {
      ...{ channel, told, settled: SETTLED },
      unreachable: unreachable(channel, receiver),
    }),
    ...judgeRepetitions(monitor, channel, told),
    ...judgeRequired(context),
    ...judgeReminders(context),
  ];
}

/** A muted delivery waits for a monitor that is down, and a delivery that was cancelled was not sent. */
function judgeOutcomes({ monitor, muted }: MonitorSituation, { ledger, disturbed }: Situation): Violation[] {
  const { deliveries, attempts, scenario } = ledger;
  const sent = new Set(attempts.map(({ id }) => id));
  const end = { from: scenario.to - 90_000, to: scenario.to };
  const isMuted = touches(muted.possibly, end) || touches(disturbed, end);
  return deliveries
    .filter((delivery) => delivery.monitor === monitor.name)
    .flatMap(({ id, status, channel, newStatus, createdAtWall: at }): Violation[] => {
      const found = { at, monitor: monitor.name, channel, text: `${newStatus} is ${status}` };
      if ((status === "muted" || status === "withdrawn") && sent.has(id))
        return [{ ...found, rule: "what is muted or withdrawn was not sent" }];
      if (status === "muted" && (!isMuted || groupOf[newStatus] === "healthy"))
        return [{ ...found, rule: "a notification is muted as long as its cause lasts" }];
      return [];
    });
}
