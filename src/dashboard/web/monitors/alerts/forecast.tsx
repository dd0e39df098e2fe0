import { queryOptions } from "@tanstack/react-query";
import { Link } from "wouter";
import { api, getData, type NotificationForecast } from "../../data/api.ts";
import { queryKeys } from "../../data/query-keys.ts";
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

const PARTS = ["Now", "Within 15 minutes", "Later", "Not"];

/** Who is notified now, in 15 minutes, later, and not, if the monitor fails now (behavior 23.46). */
export function Forecast({ forecast: { at, outageId, receivers } }: { forecast: NotificationForecast }) {
  const now = Date.parse(at);
  const partOf = (receiver: Receiver) => {
    if (receiver.at === null) return 3;
    const wait = Date.parse(receiver.at) - now;
    return wait <= 0 ? 0 : wait <= SOON ? 1 : 2;
  };
  return (
    <Card
      id="forecast"
      title={outageId ? "Who is notified if this lasts" : "Who is notified if it fails now"}
    >
      <dl className="facts">
        {PARTS.map((name, part) => {
          const some = receivers.filter((receiver) => partOf(receiver) === part);
          if (some.length === 0 && part > 1) return null;
          return (
            <Fact key={name} name={name}>
              {some.length === 0 && (part === 0 ? "nobody" : "nobody else")}
              <ul className="forecast">
                {some.map((receiver) => (
                  <li key={receiver.alertChannelId ?? receiver.scheduleId}>
                    <ReceiverText receiver={receiver} isTimed={part === 1 || part === 2} />
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
  const { alertChannelId, name, at, why, mutedBy, person, channels = [], areDefaults } = receiver;
  const notes = [
    areDefaults && (person ? "has no channel that is enabled: the default channels" : "the default channels"),
    why && whyWords[why],
  ].filter((note) => note);
  return (
    <>
      <Link href={alertChannelId ? `/channels/${alertChannelId}` : "/on-call"}>{name}</Link>
      {person !== undefined && (
        <>
          : <bdi>{person ?? "nobody is on call"}</bdi>
        </>
      )}
      <span className="text-muted">
        {channels.length > 0 && ` (${channels.join(", ")})`}
        {isTimed && at && (
          <>
            {" at "}
            <Time at={at} only="minute" />
          </>
        )}
        {notes.length > 0 && ` – ${notes.join(", ")}`}
        {mutedBy && (
          <>
            {" "}
            <Link href={`/monitors/${mutedBy.id}`}>{mutedBy.name}</Link>
          </>
        )}
      </span>
    </>
  );
}

const whyWords: Record<NonNullable<Receiver["why"]>, string> = {
  delay: "",
  hours: "outside its hours",
  maintenance: "in maintenance",
  muted: "muted by",
  paused: "the monitor is paused",
  acknowledged: "acknowledged",
  ended: "withdrawn",
  superseded: "withdrawn",
  disabled: "disabled",
  notifyOn: "not for this status",
  twice: "notified already",
  nobody: "reaches nobody: no default channel is enabled",
  notified: "notified already",
  failed: "the notification failed",
  bound: "chosen after the trouble began",
};
