import { Time } from "../ui/time/time.tsx";

/** Since when no check has said anything about a monitor (behavior 1.58). Nothing if it is not blind. */
export function NotChecked({ since }: { since: string | null }) {
  if (since === null) return null;
  return (
    <span className="monitor-row-reason state-warning">
      Not checked since <Time at={since} />
    </span>
  );
}
