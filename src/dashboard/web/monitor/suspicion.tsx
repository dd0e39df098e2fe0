import type { Report } from "../data/api.ts";
import { describeSeen } from "../status/result-detail.ts";

/** What the latest checks saw, and how many of them change the status. */
export function Suspicion({ suspicion }: { suspicion: NonNullable<Report["suspicion"]> }) {
  const { checks, needed } = suspicion;
  return (
    <p className="monitor-suspicion">
      {checks} of {needed} checks saw: {describeSeen(suspicion)}
    </p>
  );
}
