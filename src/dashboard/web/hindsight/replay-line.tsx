import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { Link } from "wouter";
import type { Hours } from "../../../domain/alerts/hours.ts";
import type { DownWhen } from "../../../domain/locations/location.ts";
import type { Confirmation } from "../../../domain/monitors/confirmation.ts";
import type { Selector } from "../../../domain/monitors/selector.ts";
import type { ReplayChanges, ReplayRequest } from "../../../domain/replay/changes.ts";
import { ApiError, api, type Config, getData, type Monitor, type Replay } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { useSettled } from "../data/use-settled.ts";
import { useFormData } from "../form/form.tsx";
import { fill, plural, texts } from "../languages/texts.ts";
import type { Binding } from "../monitors/alerts/alert-fields.tsx";
import { Failure } from "../ui/filters.tsx";
import { Time } from "../ui/time.tsx";
import { lengthWords, outcomeWords } from "./outcome-words.ts";

export interface Replayed {
  request: ReplayRequest;
  replay: Replay;
}

/** Milliseconds after a 429, and how long an answer is used again. */
const [RETRY, FRESH] = [1000, 60_000];

/** Ends with the latest request. */
let latest: Promise<unknown> = Promise.resolve();

/** A replay. One runs at a time: a request waits for the one before, and is not sent if nobody wants it any more (behavior 25.52). */
export function replayQuery(request: ReplayRequest) {
  return queryOptions({
    queryKey: queryKeys.replay(request),
    queryFn({ signal }) {
      const asked = latest.then(async (): Promise<Replayed> => {
        signal.throwIfAborted();
        return { request, replay: await getData(api.replay.post(request)) };
      });
      latest = asked.catch(() => {});
      return asked;
    },
    // Another reader has one.
    retry: (_, error) => error instanceof ApiError && error.status === 429,
    retryDelay: RETRY,
    staleTime: FRESH,
  });
}

const DAYS = 30;

interface Props {
  id: string;
  /** The changes of alerting in the form. */
  changesIn: (data: FormData) => ReplayChanges;
}

/** Says how the changes in the form of a monitor would have changed the last days (behavior 25.50). */
export function ReplayLine({ id, changesIn }: Props) {
  const element = useRef<HTMLDivElement>(null);
  const data = useFormData(element);
  const changes = data ? changesIn(data) : {};
  const settled = useSettled(changes);
  const isWanted = [changes, settled].every((one) => Object.keys(one).length > 0);
  const { data: found, error } = useQuery({
    ...replayQuery({ selector: { monitorIds: [id] }, days: DAYS, changes: settled }),
    enabled: isWanted,
    placeholderData: keepPreviousData,
  });
  const shown = isWanted && found;
  return (
    <div className="replay" ref={element}>
      <p role="status">{shown && describeReplay(shown)}</p>
      <Failure error={isWanted && error} />
      {shown && <Lists {...shown.replay} id={id} />}
    </div>
  );
}

/** A replay in a sentence, such as `With 2: 3 messages instead of 41 in 30 days; the 3 outages 38 s later`. */
export function describeReplay({ request: { changes, days = DAYS }, replay }: Replayed): string {
  const { sentence } = texts.replay;
  return fill(sentence, { change: describeChange(changes), outcome: outcomeWords(replay, days) });
}

/** The value of the only change. */
function describeChange(changes: ReplayChanges): string {
  const [[name, value] = [], ...others] = Object.entries(changes);
  const words = texts.replay.change;
  if (others.length > 0) return words.several;
  if (name === "after" || name === "every") return lengthWords(Number(value));
  if (name === "expect.within") return fill(words.milliseconds, { count: String(value) });
  if (name === "warnDays") return plural(words.days, Number(value));
  return typeof value === "number" && name !== "downWhen" ? String(value) : words.other;
}

function Lists({ id, ...replay }: Replay & { id: string }) {
  const names = (["gone", "missed"] as const).filter((name) => replay[name].length > 0);
  if (names.length === 0) return null;
  const words = texts.replay;
  return (
    <details className="disclosure">
      <summary>
        {names.map((name) => fill(words.counts[name], { count: replay[name].length })).join(" · ")}
      </summary>
      {names.map((name) => (
        <section key={name}>
          <h3>{words.lists[name]}</h3>
          <ul>
            {replay[name].map((outage) => (
              <li key={outage.startedAt}>
                <Link href={hrefOf(outage)}>
                  <Time at={outage.startedAt} only="minute" />
                </Link>{" "}
                <span className="text-muted">
                  {texts.status.label[outage.status]} {lengthOf(outage)}
                </span>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <Link href={`/hindsight?${hindsightParams({ monitorIds: [id] })}`}>{words.more}</Link>
    </details>
  );
}

type ReplayedOutage = Replay["gone"][number];

/** The recorded outages of the monitor at that time. */
export function hrefOf({ monitorId, startedAt, endedAt }: ReplayedOutage): string {
  const times = { from: startedAt, ...(endedAt && { to: endedAt }) };
  return `/outages?${new URLSearchParams({ monitor: monitorId, ...times })}`;
}

/** Such as `for 5 min`. */
export function lengthOf({ startedAt, endedAt }: ReplayedOutage): string {
  if (!endedAt) return "";
  const duration = lengthWords((Date.parse(endedAt) - Date.parse(startedAt)) / 1000);
  return fill(texts.replay.lasted, { duration });
}

/** The address of the view that tries more changes of these monitors, without its path. */
export function hindsightParams({ all, monitorIds = [], tags = [] }: Selector, days = DAYS): URLSearchParams {
  const named = { monitors: monitorIds.join(), tag: tags.join(), days: days === DAYS ? "" : String(days) };
  const given = Object.entries(all ? { days: named.days } : named).filter(([, value]) => value !== "");
  return new URLSearchParams(given);
}

/** The alerting of a monitor as its form has it, or as it is stored. @property bindings undefined if the form does not offer any */
interface Values extends Confirmation {
  config: object;
  downWhen?: DownWhen;
  bindings: Binding[] | undefined;
}

/** Hours that are open at all times: a replay has no other way to say that there are none. */
const ALWAYS: Hours = {
  timezone: "UTC",
  outside: "hold",
  windows: [{ days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], from: "00:00", to: "24:00" }],
};

/** The changes of a form that a replay knows (behavior 25.51). Fields that cannot be valid are left out. */
export function changesBetween(
  { type }: Pick<Monitor, "type">,
  stored: Values,
  entered: Values,
): ReplayChanges {
  const before = alertingOf(type, stored, stored);
  const changes = Object.entries(alertingOf(type, entered, stored)).filter(
    ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  return Object.fromEntries(changes);
}

function alertingOf(type: Monitor["type"], values: Values, stored: Values): Config {
  const { confirmations, recoveries, downWhen, bindings = [] } = values;
  const { warnDays, expect }: Config = { ...values.config };
  return {
    confirmations,
    recoveries,
    ...(type !== "SCHEDULED" && { downWhen }),
    ...(type === "TLS" && { warnDays: countIn(warnDays ?? 14) }),
    // The largest one is the same as none: a check does not take longer.
    ...(type === "HTTP" && { "expect.within": countIn((expect as Config | undefined)?.within ?? 60_000) }),
    ...(receiversOf(bindings) === receiversOf(stored.bindings ?? []) && {
      after: sharedOf(bindings.map(({ after }) => after)),
      every: sharedOf(bindings.map(({ every }) => every)),
      hours: sharedOf(bindings.map(({ hours = ALWAYS }) => hours)),
    }),
  };
}

function receiversOf(bindings: readonly Binding[]): string {
  return bindings
    .map(({ alertChannelId, scheduleId }) => alertChannelId ?? scheduleId)
    .sort()
    .join();
}

/** The value of all channels, because a change replaces it for all; undefined if they differ. */
function sharedOf<Value>(values: readonly Value[]): Value | undefined {
  return new Set(values.map((value) => JSON.stringify(value))).size === 1 ? values[0] : undefined;
}

function countIn(value: unknown): number | undefined {
  return Number.isInteger(value) && Number(value) > 0 ? Number(value) : undefined;
}
