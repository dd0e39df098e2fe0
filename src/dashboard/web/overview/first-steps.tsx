import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { Link } from "wouter";
import { MONITOR_KINDS } from "../../../domain/monitors/kinds/kinds.ts";
import { base } from "../app/base.ts";
import { useHasRole, useSession } from "../app/session.tsx";
import { api, type Channel, getData, type Server } from "../data/api.ts";
import { channelsQuery, peopleQuery, queryKeys, serverQuery } from "../data/query-keys.ts";
import { UnwatchedLines } from "../discovery/discovery.tsx";
import { rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { isOtherOrigin } from "../server/server-view.tsx";
import { StatusMark } from "../status/status-mark.tsx";
import { View } from "../ui/view.tsx";
import { areStepsOver, endSteps, isChannelTested } from "./steps-memory.ts";

/** Only the browser that sent a test knows its outcome. A notification that was delivered proves the same. */
const testedQuery = queryOptions({
  queryKey: queryKeys.testedChannel,
  queryFn: async ({ client }) => {
    const [channel] = await client.fetchQuery(channelsQuery);
    if (isChannelTested() || !channel) return isChannelTested();
    const latest = await getData(api.alerts({ id: channel.id }).deliveries.get({ query: { limit: "1" } }));
    return latest.some(({ status }) => status === "delivered");
  },
});

/** Fetches what the steps show before the first view is rendered, so that it does not move. */
export async function prefetchSteps(queries: QueryClient): Promise<void> {
  await Promise.all([
    queries.prefetchQuery(serverQuery),
    queries.prefetchQuery(testedQuery),
    queries.prefetchQuery(peopleQuery),
  ]);
}

/** The first steps with a new server, until all are done or the reader hides them. @property monitors how many there are */
export function FirstSteps({ monitors }: { monitors: number }) {
  const { data: server } = useQuery(serverQuery);
  const { data: channels } = useQuery(channelsQuery);
  const { data: isTested } = useQuery(testedQuery);
  const { data: people } = useQuery(peopleQuery);
  const mayInvite = useHasRole("owner");
  const [isOver, setOver] = useState(areStepsOver);
  const isKnown = server && channels && people && isTested !== undefined;
  const hasPeople = mayInvite ? people?.some(({ state }) => state === "active") : undefined;
  const steps = isKnown
    ? stepsOf({ monitors, channels, isTested, server, hasPeople, origin: location.origin })
    : [];
  const isDone = steps.length > 0 && steps.every((step) => step.isDone);
  useEffect(() => {
    if (isDone || isOver) endSteps();
  }, [isDone, isOver]);
  if (!isKnown || isDone || isOver) return null;
  const words = texts.steps;
  const todo = todoOf(server.baseUrl, channels[0]?.id);
  const hide = (
    <button type="button" className="button-quiet button-small" onClick={() => setOver(true)}>
      {words.hide}
    </button>
  );
  const done = steps.filter((step) => step.isDone).length;
  return (
    <section className="steps" aria-label={words.title}>
      {hide}
      <details open={monitors <= FEW}>
        <summary>
          {words.title}{" "}
          <span className="text-muted steps-done">{fill(words.progress, { done, total: steps.length })}</span>
        </summary>
        <ul className="first-steps">
          {steps.map(({ name, isDone }) => (
            <li key={name}>
              <StatusMark state={isDone ? "healthy" : "waiting"} size={14} />
              <span className="visually-hidden">{isDone ? words.marks.done : words.marks.open} </span>
              {isDone ? (
                <span className="text-muted">{words.list[name].done}</span>
              ) : (
                <span>{todo[name]()}</span>
              )}
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}

/** With more monitors, the first steps are one line, so that the list is near the top of the screen. */
const FEW = 3;

/** The instruction of each step. */
function todoOf(baseUrl: string, channelId: string | undefined): Record<Step["name"], () => ReactNode> {
  const { person, monitor, channel, test, mail, address, backup } = texts.steps.list;
  const linkTo = (href: string) => ({ link: (text: string) => <Link href={href}>{text}</Link> });
  return {
    person: () => rich(person.open, linkTo("/settings/people")),
    monitor: () => rich(monitor.open, linkTo("/monitors/new")),
    channel: () => rich(channel.open, linkTo("/channels/new")),
    test: () => rich(test.open, channelId ? linkTo(`/channels/${channelId}`) : { link: (text) => text }),
    mail: () => rich(mail.open, { url: <code>--smtp-url</code>, from: <code>--smtp-from</code> }),
    address: () =>
      rich(address.open, {
        baseUrl: <code>{baseUrl}</code>,
        origin: <code>{location.origin}</code>,
        option: <code>--base-url {location.origin + base}</code>,
      }),
    backup: () => rich(backup.open, { command: <code>stillup backup FILE</code> }),
  };
}

interface Step {
  name: "person" | "monitor" | "channel" | "test" | "mail" | "address" | "backup";
  isDone: boolean;
}

export interface StepFacts {
  monitors: number;
  channels: readonly Pick<Channel, "type">[];
  /** Whether a test or a notification was delivered. */
  isTested: boolean;
  server: Pick<Server, "baseUrl" | "mail" | "database">;
  /** Whether anybody can sign in without a key; undefined if the reader may invite nobody. */
  hasPeople: boolean | undefined;
  /** The origin in the address bar. */
  origin: string;
}

/**
 * The first steps with a new server (behavior 16.340, 19.86). E-mail counts only if a channel needs it, and backups only if the server
 * knows of them.
 */
export function stepsOf({ monitors, channels, isTested, server, hasPeople, origin }: StepFacts): Step[] {
  const { baseUrl, mail, database } = server;
  const needsMail = channels.some(({ type }) => type === "EMAIL");
  return [
    ...(hasPeople === undefined ? [] : [{ name: "person", isDone: hasPeople } as const]),
    { name: "monitor", isDone: monitors > 0 },
    { name: "channel", isDone: channels.length > 0 },
    { name: "test", isDone: isTested },
    ...(needsMail ? [{ name: "mail", isDone: mail.configured } as const] : []),
    { name: "address", isDone: !isOtherOrigin(baseUrl, origin) },
    ...(database?.engine === "sqlite"
      ? [{ name: "backup", isDone: database.lastBackupAt !== null } as const]
      : []),
  ];
}

/** The overview of an organization without monitors. */
export function FirstMonitor() {
  const mayWrite = useHasRole("admin");
  const discovers = useSession()?.discovery;
  const words = texts.steps.firstMonitor;
  return (
    <View title={words.title}>
      {discovers && <UnwatchedLines />}
      {mayWrite ? (
        <>
          <p className="text-lead">{words.question}</p>
          <ul className="first-monitor-types">
            {MONITOR_KINDS.map((kind) => (
              <li key={kind}>
                <Link href={`/monitors/new?type=${kind}`}>
                  <b>{texts.common.kinds[kind]}</b>
                  <small>{texts.steps.purposes[kind]}</small>
                </Link>
              </li>
            ))}
          </ul>
          <p className="text-muted">
            {rich(words.import, {
              import: <code>stillup import</code>,
              apply: <code>stillup apply</code>,
            })}
          </p>
          {!areStepsOver() && <FirstSteps monitors={0} />}
        </>
      ) : (
        <p className="text-lead">{words.readers}</p>
      )}
    </View>
  );
}
