import { AppError } from "../../errors.ts";
import { type Plan, planLimits, type Subscription } from "./organization.ts";

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
