import { fault } from "../faults/fault.ts";

export const PLANS = ["starter", "pro", "enterprise"] as const;
export type Plan = (typeof PLANS)[number];

export const SUBSCRIPTIONS = ["active", "inactive"] as const;
export type Subscription = (typeof SUBSCRIPTIONS)[number];

export interface Organization {
  id: string;
  name: string;
  plan: Plan;
  subscription: Subscription;
}

/** The name of the first organization, until an owner gives it another. It says nothing to anybody. */
export const FIRST_NAME = "Default";

/** Where somebody is invited, for a sentence about it: for example `Shop`, or `stillup` if the organization has no name of its own. */
export function placeOf({ name }: Pick<Organization, "name">): string {
  return name === FIRST_NAME ? "stillup" : name;
}

interface PlanLimits {
  monitors: number;
  channels: number;
  /** Seconds. */
  minimumInterval: number;
}

/** The limits of each plan (behavior 7.29). */
export const planLimits: Record<Plan, PlanLimits> = {
  starter: { monitors: 10, channels: 1, minimumInterval: 300 },
  pro: { monitors: 50, channels: 5, minimumInterval: 60 },
  enterprise: { monitors: Number.POSITIVE_INFINITY, channels: Number.POSITIVE_INFINITY, minimumInterval: 1 },
};

/** Whether the plans of a server say anything: if the only organization may do everything, its operator has no plan. */
export function usesPlans(organizations: readonly Pick<Organization, "plan" | "subscription">[]): boolean {
  const isFree = ({ plan, subscription }: Pick<Organization, "plan" | "subscription">) =>
    plan === "enterprise" && subscription === "active";
  return organizations.length > 1 || !organizations.every(isFree);
}

/** Behavior 7.6. @throws AppError `no_subscription` if the subscription of an organization is not active */
export function assertSubscribed({ subscription }: { subscription: Subscription }): void {
  if (subscription !== "active")
    throw fault("noSubscription", {}, { kind: "no_subscription", errorCode: "no_subscription" });
}

/** @param existing how many monitors the organization has @throws AppError `limit_reached` if the plan allows no more */
export function assertMonitorLimit(plan: Plan, existing: number): void {
  if (existing >= planLimits[plan].monitors) throw fault("monitorLimit", {}, { kind: "limit_reached" });
}

/** @param existing how many channels the organization has @throws AppError `limit_reached` if the plan allows no more */
export function assertChannelLimit(plan: Plan, existing: number): void {
  if (existing >= planLimits[plan].channels) throw fault("channelLimit", {}, { kind: "limit_reached" });
}

/** The lengths of sessions, in milliseconds (behavior 8.11, 8.100). */
const HOUR = 60 * 60 * 1000;
const LENGTH = 12 * HOUR;
const KEPT_LENGTH = 30 * 24 * HOUR;

/**
 * The end of a session that begins now: after 12 hours, or 30 days if the reader wants to keep it, or with its key if that ends
 * earlier. Milliseconds since 1970.
 */
export function sessionEnd(key: { expiresAt: number | null }, isKept: boolean, now: number): number {
  return Math.min(now + (isKept ? KEPT_LENGTH : LENGTH), key.expiresAt ?? Number.POSITIVE_INFINITY);
}

/** The headers with which a browser says where a request comes from. A page cannot forge them. */
interface RequestSource {
  /** The header `Sec-Fetch-Site`. Browsers send it only over HTTPS and to localhost. */
  site: string | null;
  /** The header `Origin`. */
  origin: string | null;
  /** The header `Host`. */
  host: string | null;
}

/**
 * Whether a request comes from a page of this server, from another page, or from no page (behavior 8.14).
 *
 * @param baseUrl the URL of this server for users, because a reverse proxy may have changed `Host`
 */
export function sourceOf(
  { site, origin, host }: RequestSource,
  baseUrl: string,
): "own" | "foreign" | "unknown" {
  if (site !== null) return site === "same-origin" ? "own" : "foreign";
  if (origin === null) return "unknown";
  const url = URL.parse(origin);
  if (!url) return "foreign";
  const own = URL.parse(baseUrl);
  // Whoever controls the network can answer for any page of plain HTTP.
  if (own?.protocol === "https:" && url.protocol !== "https:") return "foreign";
  return url.host === host || url.origin === own?.origin ? "own" : "foreign";
}
