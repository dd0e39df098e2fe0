import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { Link } from "wouter";
import { useHasRole } from "../app/session.tsx";
import type { Discovery as Found } from "../data/api.ts";
import { rich } from "../languages/rich.tsx";
import { fill, plural, texts } from "../languages/texts.ts";
import { RowState, StatusMark } from "../status/status-mark.tsx";
import { List, ListRow } from "../ui/list.tsx";
import { Time, TimeSince } from "../ui/time.tsx";
import { View } from "../ui/view.tsx";
import { discoveryQuery } from "./discovery-query.ts";

type Source = Found["sources"][number];

/** A warning for each source in which something runs that no monitor watches (behavior 28.100). */
export function UnwatchedLines() {
  const { data } = useQuery(discoveryQuery);
  const lines = (data?.sources ?? []).filter(({ unwatched }) => unwatched > 0);
  if (lines.length === 0) return null;
  return (
    <ul className="unwatched-lines">
      {lines.map((source) => (
        <li key={source.source}>
          <Link className="button button-chip" href="/discovery">
            <StatusMark state="warning" size={14} />
            {describeUnwatched(source)}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Such as `12 of 40 containers are watched by nobody`. */
export function describeUnwatched({ source, unwatched, found }: Source): string {
  return plural(texts.discovery.unwatched[source], unwatched, { found });
}

/** The things that run where the server looks, and the part that no monitor watches (behavior 28.103). */
export function Discovery() {
  const { data, error } = useQuery(discoveryQuery);
  const { title, lead, none } = texts.discovery;
  if (!data) return <View title={title} error={error} />;
  if (data.sources.length === 0)
    return (
      <View title={title}>
        <p className="text-lead">{rich(none, { option: <code>--discover</code> })}</p>
      </View>
    );
  return (
    <View title={title}>
      <p className="text-lead">{lead}</p>
      <Sources sources={data.sources} />
      {data.faults.length > 0 && <Faults faults={data.faults} />}
      <Unwatched unwatched={data.unwatched} />
      <Gone entries={data.entries} />
    </View>
  );
}

function Sources({ sources }: Pick<Found, "sources">) {
  const { title, names } = texts.discovery.sources;
  return (
    <Part title={title}>
      <List
        label={title}
        items={sources}
        row={(source) => (
          <ListRow
            key={source.source}
            title={names[source.source]}
            details={source.readAt !== null && <Note>{describeFound(source)}</Note>}
          >
            <span className="text-muted">
              <LastRead at={source.readAt} />
            </span>
          </ListRow>
        )}
      />
    </Part>
  );
}

export function describeFound(source: Source): string {
  const { nothing, watched } = texts.discovery.sources;
  if (source.unwatched > 0) return describeUnwatched(source);
  return source.found > 0 ? plural(watched, source.found) : nothing;
}

function LastRead({ at }: { at: string | null }) {
  const { read, neverRead } = texts.discovery.sources;
  return at === null ? neverRead : rich(read, { ago: <TimeSince at={at} short /> });
}

/** The messages come from the server, in English. */
function Faults({ faults }: Pick<Found, "faults">) {
  const { title, lead } = texts.discovery.faults;
  return (
    <Part title={title}>
      <p className="text-muted">{lead}</p>
      <List
        label={title}
        items={faults}
        row={({ source, entry, message }) => (
          <ListRow
            key={`${source} ${entry} ${message}`}
            state={<RowState state="warning" label={texts.status.standing.warning} />}
            title={entry ?? texts.discovery.sources.names[source]}
            details={
              <span className="list-row-note" lang="en" dir="auto">
                {message}
              </span>
            }
          />
        )}
      />
    </Part>
  );
}

function Unwatched({ unwatched }: Pick<Found, "unwatched">) {
  const mayWrite = useHasRole("admin");
  const { title, none, watch, watchLabel } = texts.discovery.list;
  return (
    <Part title={title}>
      <List
        label={title}
        items={unwatched}
        none={none}
        row={({ source, name }) => (
          <ListRow
            key={`${source} ${name}`}
            title={name}
            details={<Note>{texts.discovery.sources.names[source]}</Note>}
          >
            {mayWrite && (
              <Link className="button" href={draftHref(source, name)} aria-label={fill(watchLabel, { name })}>
                {watch}
              </Link>
            )}
          </ListRow>
        )}
      />
    </Part>
  );
}

/** The form of a new monitor with the draft of something that nobody watches. */
export function draftHref(source: string, name: string): string {
  return `/monitors/new?${new URLSearchParams({ found: `${source}/${name}` })}`;
}

function Gone({ entries }: Pick<Found, "entries">) {
  const gone = entries.filter(({ goneAt }) => goneAt !== null);
  const { title, lead } = texts.discovery.gone;
  if (gone.length === 0) return null;
  return (
    <Part title={title}>
      <p className="text-muted">{lead}</p>
      <List
        label={title}
        items={gone}
        row={({ ref, name, monitorId, goneAt, deleteAt }) => (
          <ListRow
            key={ref}
            title={name}
            href={monitorId === null ? undefined : `/monitors/${monitorId}`}
            details={
              <Note>
                {goneAt !== null &&
                  deleteAt !== null &&
                  rich(texts.discovery.gone.since, {
                    since: <Time at={goneAt} only="minute" />,
                    until: <Time at={deleteAt} only="minute" />,
                  })}
              </Note>
            }
          />
        )}
      />
    </Part>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="discovery-part" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

function Note({ children }: { children: ReactNode }) {
  return <span className="list-row-note">{children}</span>;
}
