import type { Monitor, Place } from "../../data/api.ts";
import { formatCount } from "../../ui/numbers.ts";
import { findDissent } from "./dissent.ts";

/** Which locations see trouble, while not all of them do (behavior 13.67). */
export function SeenTrouble({ monitor, places }: { monitor: Monitor; places: Place[] }) {
  const dissent = findDissent(monitor, places);
  if (!dissent) return null;
  const { sees, by, of } = dissent;
  return (
    <p className="monitor-suspicion">
      {sees} seen from {by.length} of {formatCount(of, "location")}
      {by.length > 0 && `: ${by.join(", ")}`}
    </p>
  );
}
