import type { Violation } from "../../ledger.ts";
import { has, remaining, united } from "../calm/stretches.ts";
import { extended, type Stretch } from "../own-faults.ts";
import type { Inbox } from "./received.ts";
import { found, type Subject, type Whole } from "./whole.ts";

/** How long the end of an incident may take; milliseconds. */
const SETTLED = 60_000;

/** An incident that a receiver keeps until a `resolve` with its key. @property to the end of the run, if nothing ends it */
interface Incident extends Stretch {
  key: string;
  /** When it ends by itself. */
  until: number;
}

/** Each incident of a receiver ends with its cause: the trouble, its monitor, or its binding (behavior 16.150). */
export function judgeIncidents(inbox: Inbox, { subjects, ledger, disturbed }: Whole): Violation[] {
  if (!inbox.channel.format) return [];
  return [...subjects.values()].flatMap((subject) => {
    const unheard = unheardEnds(inbox, subject.monitor.name);
    const reachable = remaining([subject.span], [...notAnswering(inbox), ...unheard, ...disturbed]);
    const idle = united([...withoutCause(subject, inbox.channel.name)]);
    const incidents = incidentsOf(inbox, subject.monitor.name, ledger.scenario.to);
    const short = incidents
      .filter(({ until, to }) => until < to)
      .flatMap((one) => judgeEnd(one, subject, inbox));
    return incidents
      .flatMap((incident): Violation[] => {
        const wrong = remaining(idle, remaining([subject.span], reachable)).find((stretch) => {
          const from = Math.max(stretch.from, incident.from);
          return Math.min(stretch.to, incident.to) - from > SETTLED;
        });
        if (!wrong) return [];
        const at = Math.max(wrong.from, incident.from) + SETTLED;
        const text = `the incident ${incident.key} is still open`;
        return [
          found("an incident ends with its cause", at, {
            monitor: subject.monitor,
            channel: inbox.channel.name,
            text,
          }),
        ];
      })
      .concat(short);
  });
}

/** An incident that ended by itself, although its trouble lasts. */
function judgeEnd({ key, until }: Incident, { monitor, sight }: Subject, { channel }: Inbox): Violation[] {
  if (!has(sight.must("down"), until)) return [];
  const text = `the incident ${key} ended by itself`;
  return [found("an incident lasts as long as its trouble", until, { monitor, channel: channel.name, text })];
}

/** How long it takes at most until a recovery is sent again that its receiver did not take (behavior 5.41); milliseconds. */
const REPEATED = 61 * 60_000;

function unheardEnds({ received }: Inbox, monitor: string): Stretch[] {
  return received
    .filter((one) => one.monitor === monitor && one.group === "healthy" && !one.isDelivered)
    .map(({ startedAt, endedAt }) => ({ from: startedAt, to: endedAt + REPEATED }));
}

function notAnswering({ channel, busy }: Inbox): Stretch[] {
  const wrong = channel.receiver.filter(({ answers }) => answers !== "ok");
  return extended([...wrong, ...busy.filter(({ from, to }) => to - from > 2000)], 1000);
}

/** When nothing is wrong for certain: the monitor is healthy, not bound, or deleted. */
function withoutCause({ sight, until, span, bound }: Subject, channel: string): Stretch[] {
  const deleted = until < span.to ? [{ from: until, to: span.to }] : [];
  const unbound = remaining([span], bound(channel).possibly);
  return [...sight.must("healthy"), ...deleted, ...unbound];
}

function incidentsOf({ received }: Inbox, monitor: string, end: number): Incident[] {
  const open = new Map<string, Incident>();
  const all: Incident[] = [];
  for (const { incident, deliveredAt, isDelivered, isRejected, startedAt, monitor: of } of received) {
    if (!incident || of !== monitor) continue;
    // Nobody can end an incident whose receiver rejects its end.
    if (isRejected && incident.action === "resolve") {
      const refused = open.get(incident.key);
      if (refused) refused.to = startedAt;
      open.delete(incident.key);
    }
    if (!isDelivered) continue;
    const known = open.get(incident.key);
    if (incident.action === "resolve") {
      if (known) known.to = deliveredAt;
      open.delete(incident.key);
    } else if (known) {
      known.until = incident.until ?? end;
    } else {
      const opened = { key: incident.key, from: deliveredAt, to: end, until: incident.until ?? end };
      open.set(incident.key, opened);
      all.push(opened);
    }
  }
  return all;
}
