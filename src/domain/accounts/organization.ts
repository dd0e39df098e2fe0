import { AppError } from "../../errors.ts";

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
    throw new AppError("no_subscription", "No active subscription", "no_subscription");
}

/** @param existing how many monitors the organization has @throws AppError `limit_reached` if the plan allows no more */
export function assertMonitorLimit(plan: Plan, existing: number): void {
  if (existing >= planLimits[plan].monitors) throw new AppError("limit_reached", "Monitor limit reached");
}

/** @param existing how many channels the organization has @throws AppError `limit_reached` if the plan allows no more */
export function assertChannelLimit(plan: Plan, existing: number): void {
  if (existing >= planLimits[plan].channels)
    throw new AppError("limit_reached", "Alert channel limit reached");
}
