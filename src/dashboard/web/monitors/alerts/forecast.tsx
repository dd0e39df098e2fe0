import { queryOptions } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { api, getData, type NotificationForecast } from "../../data/api.ts";
import { queryKeys } from "../../data/query-keys.ts";
import { rich } from "../../languages/rich.tsx";
import { listOf, texts } from "../../languages/texts.ts";
import { Card, Fact } from "../../ui/card.tsx";
import { Time } from "../../ui/time.tsx";

/** Milliseconds between two fetches: hours open, and turns end, without a report of the server. */
const INTERVAL = 30_000;

/** Who would be notified if a monitor failed now. */
export function forecastQuery(id: string) {
  return queryOptions({
    queryKey: [...queryKeys.monitor(id), "forecast"],
    queryFn: () => getData(api.monitors({ id }).forecast.get()),
    refetchInterval: INTERVAL,
  });
}

type Receiver = NotificationForecast["receivers"][number];

/** Milliseconds. */
const SOON = 15 * 60_000;

const PARTS = ["now", "soon", "later", "not"] as const;

/** Who is notified now, in 15 minutes, later, and not, if the monitor fails now (behavior 23.46). */
export function Forecast({ forecast: { at, outageId, receivers } }: { forecast: NotificationForecast }) {
  const now = Date.parse(at);
  const partOf = (receiver: Receiver) => {
    if (receiver.at === null) return "not";
    const wait = Date.parse(receiver.at) - now;
    return wait <= 0 ? "now" : wait <= SOON ? "soon" : "later";
  };
  const words = texts.monitors.forecast;
  return (
    <Card id="forecast" title={outageId ? words.titleDown : words.title}>
      <dl className="facts">
        {PARTS.map((part) => {
          const some = receivers.filter((receiver) => partOf(receiver) === part);
          if (some.length === 0 && (part === "later" || part === "not")) return null;
          return (
            <Fact key={part} name={words.parts[part]}>
              {some.length === 0 && (part === "now" ? words.nobody : words.nobodyElse)}
              <ul className="forecast">
                {some.map((receiver) => (
                  <li key={receiver.alertChannelId ?? receiver.scheduleId}>
                    <ReceiverText receiver={receiver} isTimed={part === "soon" || part === "later"} />
                  </li>
                ))}
              </ul>
            </Fact>
          );
        })}
      </dl>
    </Card>
  );
}

function ReceiverText({ receiver, isTimed }: { receiver: Receiver; isTimed: boolean }) {
  const { alertChannelId, name, at, person, channels = [] } = receiver;
  const words = texts.monitors.forecast;
  const link = <Link href={alertChannelId ? `/channels/${alertChannelId}` : "/on-call"}>{name}</Link>;
  const notes = describeNotes(receiver);
  return (
    <>
      {person === undefined
        ? link
        : rich(words.onCall, { schedule: link, person: <bdi>{person ?? words.nobodyOnCall}</bdi> })}
      <span className="text-muted">
        {channels.length > 0 && ` (${listOf(channels, "unit")})`}
        {isTimed && at && <> {rich(words.at, { time: <Time at={at} only="minute" /> })}</>}
        {notes && <> – {notes}</>}
      </span>
    </>
  );
}

/** Why a receiver is in its part, and which channels of a person it uses. */
function describeNotes({ why, mutedBy, person, areDefaults }: Receiver): ReactNode {
  const words = texts.monitors.forecast;
  const first = areDefaults && (person ? words.defaultsOfPerson : words.defaults);
  const second = why && why !== "delay" ? (mutedBy ? describeMuting(mutedBy) : words.why[why]) : undefined;
  return first && second ? rich(words.notes, { first, second }) : first || second;
}

function describeMuting({ id, name }: NonNullable<Receiver["mutedBy"]>): ReactNode {
  return rich(texts.monitors.forecast.mutedBy, { monitor: <Link href={`/monitors/${id}`}>{name}</Link> });
}
