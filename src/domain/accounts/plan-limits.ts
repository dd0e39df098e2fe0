import { AppError } from "../../errors.ts";
import { type Plan, planLimits } from "./organization.ts";

/** @param existing how many monitors the organization has @throws AppError `limit_reached` if the plan allows no more */
export function assertMonitorLimit(plan: Plan, existing: number): void {
  if (existing >= planLimits[plan].monitors) throw new AppError("limit_reached", "Monitor limit reached");
}

/** @param existing how many channels the organization has @throws AppError `limit_reached` if the plan allows no more */
export function assertChannelLimit(plan: Plan, existing: number): void {
  if (existing >= planLimits[plan].channels)
    throw new AppError("limit_reached", "Alert channel limit reached");
}
