import { Type } from "@sinclair/typebox";
import type { Flags, Remote } from "../config.ts";
import type { Detail } from "../domain/checks/observation.ts";
import { briefReason } from "../domain/checks/reason-words.ts";
import { displayStateOf } from "../domain/monitors/display-state.ts";
import {
  attended,
  STANDINGS,
  type Standing,
  type StandingCounts,
  standingOf,
} from "../domain/monitors/standing.ts";
import type { Status } from "../domain/monitors/status.ts";
import { StatusSchema } from "../domain/monitors/status-schema.ts";
import { nullable } from "../domain/schemas/schema.ts";
import { createServerClient } from "./configuration-client.ts";
import { assertNoOrganization, ownOrganization, timeOf, warn, withStore } from "./options.ts";

/** The most monitors in trouble that are read, worst first. */
const MOST = 200;

/** The monitors of an organization. @property counts of all of them @property monitors in trouble, worst first, at most 200 */
export interface ServerStatus {
  counts: StandingCounts;
  monitors: TroubledMonitor[];
}

/**
 * @property since milliseconds since 1970
 * @property maintenance the title of its open window, or null @property acknowledgement of its outage, or null
 * @property reason in words, or empty
 */
export interface TroubledMonitor {
  id: string;
  name: string;
  status: Status;
  standing: Standing;
  since: number | null;
  maintenance: string | null;
  acknowledgement: { by: string; note: string | null } | null;
  reason: string;
}

/**
 * Uses the server if one is given, else the database.
 *
 * @throws UsageError, AppError, StorageFault
 */
export function readStatus({
  remote,
  flags,
  org,
}: {
  remote: Remote | undefined;
  flags: Flags;
  org: string | undefined;
}): Promise<ServerStatus> {
  if (!remote) return readStored(flags, org);
  assertNoOrganization(org);
  return readRemoteStatus(remote);
}

function readStored(flags: Flags, org: string | undefined): Promise<ServerStatus> {
  return withStore(flags, async (store) => {
    const organizationId = await ownOrganization(store, org);
    const now = await timeOf(store);
    const attendance = await store.outages.findAttendance(organizationId, now);
    const selection = { now, most: MOST, attendance };
    const { counts, standings } = await store.monitors.findWorst(organizationId, selection);
    return {
      counts,
      monitors: standings
        .map((one) => attended(one, attendance))
        .filter(isInTrouble)
        .map(troubled),
    };
  });
}

/** A part of the answer of the overview. */
const Overview = Type.Object({
  counts: Type.Object(
    Object.fromEntries(STANDINGS.map((standing) => [standing, Type.Integer()])) as Record<
      Standing,
      ReturnType<typeof Type.Integer>
    >,
  ),
  monitors: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      status: StatusSchema,
      enabled: Type.Boolean(),
      since: nullable(Type.String()),
      detail: nullable(Type.Object({})),
      maintenance: nullable(Type.Object({ title: Type.String() })),
      acknowledgement: nullable(Type.Object({ by: Type.String(), note: nullable(Type.String()) })),
    }),
  ),
});

async function readRemoteStatus(remote: Remote): Promise<ServerStatus> {
  const { request } = createServerClient(remote, warn);
  const { counts, monitors } = await request(`overview?first=${MOST}`, { data: Overview, method: "GET" });
  const found = monitors.filter(isInTrouble);
  return {
    counts,
    monitors: found.map((one) =>
      troubled({ ...one, since: one.since === null ? null : Date.parse(one.since) }),
    ),
  };
}

function isInTrouble(monitor: { status: Status; enabled: boolean }): boolean {
  const state = displayStateOf(monitor);
  return state === "down" || state === "warning";
}

interface ListedMonitor {
  id: string;
  name: string;
  status: Status;
  enabled: boolean;
  since: number | null;
  detail: Detail | null;
  maintenance: { title: string } | null;
  acknowledgement: { by: string; note: string | null } | null;
}

function troubled(monitor: ListedMonitor): TroubledMonitor {
  const { id, name, status, since, detail, maintenance, acknowledgement } = monitor;
  return {
    ...{ id, name, status, standing: standingOf(monitor), since },
    maintenance: maintenance?.title ?? null,
    acknowledgement: acknowledgement && { by: acknowledgement.by, note: acknowledgement.note },
    reason: reasonIn(detail),
  };
}

function reasonIn(detail: Detail | null): string {
  return typeof detail?.message === "string" ? detail.message : (briefReason(detail) ?? "");
}
