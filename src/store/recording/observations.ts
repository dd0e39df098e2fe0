import {
  addSequence,
  afterBatch,
  containsSequence,
  isKeyShared,
  type Observed,
  type ProbeStreams,
  type SequenceRanges,
} from "../../domain/locations/protocol.ts";
import { isLate } from "../../domain/locations/silence.ts";
import type { Recorded, Recording } from "../../domain/monitors/recording-plan.ts";
import type { Status } from "../../domain/monitors/status.ts";
import type { StoredSubjects } from "./stored-subject.ts";

/**
 * An `ObservationBatch` of the probe of a location, after its evidence is validated.
 *
 * @property location its number
 * @property stream identifies the database of the probe
 * @property receivedAt milliseconds since 1970
 */
export interface ReceivedObservations {
  location: number;
  stream: string;
  observations: readonly Observed[];
  receivedAt: number;
}

/**
 * @property recorded for each observation; null if it was sent before, or if its monitor was deleted, was changed since the
 *   check began, or is not checked from this location
 * @property repeated how many were sent before
 * @property isNewlyShared whether the batch shows that several probes use the key of the location, which was not known
 */
export interface RecordedObservations {
  recorded: (Recorded | null)[];
  repeated: number;
  isNewlyShared: boolean;
}

/** Which observations were taken of the database of a probe, as a location stores it. */
export interface TakenObservations extends ProbeStreams {
  acknowledged: SequenceRanges | null;
}

/** @property events null for an observation that was sent before @property taken with the observations of the batch */
export interface NewObservations {
  events: (Recording | null)[];
  taken: TakenObservations;
  isNewlyShared: boolean;
}

/** Leaves out the observations that were taken before (behavior 13.27). Another database of the probe begins again. */
export function newObservations(
  taken: TakenObservations,
  { location, stream, observations, receivedAt }: ReceivedObservations,
): NewObservations {
  let acknowledged: SequenceRanges = taken.stream === stream ? (taken.acknowledged ?? []) : [];
  const events = observations.map(({ sequence, ...observed }): Recording | null => {
    if (containsSequence(acknowledged, sequence)) return null;
    acknowledged = addSequence(acknowledged, sequence);
    return { kind: "check", ...observed, location, receivedAt };
  });
  const streams = afterBatch(taken, stream, receivedAt);
  const isNewlyShared = isKeyShared(streams, receivedAt) && !isKeyShared(taken, receivedAt);
  return { events, taken: { ...streams, acknowledged }, isNewlyShared };
}

/** The outcome of a batch of a deleted location. */
export function nothingRecorded({ observations }: ReceivedObservations): RecordedObservations {
  return { recorded: observations.map(() => null), repeated: 0, isNewlyShared: false };
}

/** @param recorded for each event that is not null */
export function recordedObservations(
  { events, isNewlyShared }: Pick<NewObservations, "events" | "isNewlyShared">,
  recorded: readonly (Recorded | null)[],
): RecordedObservations {
  let next = 0;
  return {
    recorded: events.map((event) => (event ? (recorded[next++] ?? null) : null)),
    repeated: events.filter((event) => event === null).length,
    isNewlyShared,
  };
}

/** A late check whose result enters the history with the status of its time. @property position in the list of events */
export interface LateCheck {
  position: number;
  monitorPk: number;
  at: number;
}

/** The late checks among some events (behavior 13.8). */
export function lateChecks(events: readonly Recording[], subjects: StoredSubjects): LateCheck[] {
  const latest = new Map<string, number>();
  const late: LateCheck[] = [];
  for (const [position, event] of events.entries()) {
    if (event.kind !== "check" || !event.location) continue;
    const { monitorId, location, at } = event;
    const subject = subjects.get(monitorId);
    if (!subject?.state.places) continue;
    const key = `${location} ${monitorId}`;
    const known = latest.get(key) ?? Number.NEGATIVE_INFINITY;
    latest.set(key, Math.max(known, at));
    const before = subject.state.places.get(location)?.latest ?? null;
    if (isLate(event, before, subject.config.interval) || at <= known)
      late.push({ position, monitorPk: subject.pk, at });
  }
  return late;
}

/** @param statuses of the outages that were open at the time of the late checks; null if none was */
export function withStatusThen(
  events: readonly Recording[],
  late: readonly LateCheck[],
  statuses: readonly (Status | null)[],
): readonly Recording[] {
  const then = new Map(late.map(({ position }, at) => [position, statuses[at] ?? null]));
  return events.map((event, position) => {
    const statusThen = then.get(position);
    return event.kind === "check" && statusThen !== undefined ? { ...event, statusThen } : event;
  });
}
