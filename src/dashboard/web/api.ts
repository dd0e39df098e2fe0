import type { ChannelType } from "../../domain/channel.ts";
import type { AlertOutcome, DeliveryStatus } from "../../domain/delivery.ts";
import type { Range } from "../../domain/history.ts";
import type { MonitorType } from "../../domain/monitor.ts";
import type { NotifyOn } from "../../domain/notify.ts";
import type { Plan, Subscription } from "../../domain/organization.ts";
import type { Role } from "../../domain/role.ts";
import type { Status } from "../../domain/status.ts";

/* What the API answers with; times are ISO 8601. */

export interface Session {
  keyId: string;
  role: Role;
  expiresAt: string | null;
}

export type Config = Record<string, unknown>;

export interface Monitor {
  id: string;
  name: string;
  type: MonitorType;
  config: Config;
  status: Status;
  enabled: boolean;
}

export interface Standing extends Monitor {
  since: string | null;
  latest: { status: Status; latencyMs: number | null; createdAt: string } | null;
  uptime?: string | null;
  /** One character for each bucket: the place of the status among those of the type, or `-`. */
  history?: string;
}

export interface Overview {
  monitors: Standing[];
  buckets?: string[];
}

export interface BoundMonitor extends Monitor {
  createdAt: string;
  alertBindings: { monitorId: string; alertChannelId: string }[];
}

export interface Report {
  since: string | null;
  checkinUrl: string;
  uptime: Record<Range, string | null>;
  buckets: string[];
  history: string;
  latencies: { start: string; mean: number; shortest: number; longest: number }[];
  degradedAbove: number | null;
  outages: { start: string; end: string | null; status: Status; detail: Config | null }[];
  lastCheckinAt: string | null;
  deadline: string | null;
}

export interface Result {
  id: string;
  monitorId: string;
  status: Status;
  latencyMs: number | null;
  detail: Config | null;
  alertOutcome: AlertOutcome | null;
  createdAt: string;
}

export interface Event extends Result {
  monitor: { id: string; name: string; type: MonitorType };
}

export interface Page<Item> {
  data: Item[];
  cursor: string | null;
}

export interface Channel {
  id: string;
  name: string;
  type: ChannelType;
  config: Config;
  enabled: boolean;
  notifyOn: NotifyOn;
  bindings: { monitorId: string }[];
}

export interface Delivery {
  id: string;
  monitor: { id: string; name: string; type: MonitorType };
  previousStatus: Status;
  newStatus: Status;
  status: DeliveryStatus;
  attempts: number;
  nextAttemptAt: string | null;
  deliveredAt: string | null;
  answer: string | null;
  error: string | null;
  createdAt: string;
}

export interface ApiKey {
  id: string;
  name: string;
  keyPrefix: string;
  role: Role;
  expiresAt: string | null;
  lastUsedAt: string | null;
  createdAt: string;
}

export interface Organization {
  id: string;
  name: string;
  plan: Plan;
  subscription: Subscription;
  defaultAlertChannelIds: string[];
}

/** What the server refused, in its words. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** @throws Refusal, or a TypeError where the server can't be reached */
export async function call<Answer>(method: Method, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`/api/v1${path}`, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  const answer = await response.json();
  if (!response.ok) throw new Refusal(response.status, answer.error);
  return answer;
}

/** What stands in `data`. */
export async function ask<Data>(method: Method, path: string, body?: object): Promise<Data> {
  return (await call<{ data: Data }>(method, path, body)).data;
}
