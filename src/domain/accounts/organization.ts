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
