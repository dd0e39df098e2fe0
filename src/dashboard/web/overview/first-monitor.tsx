import { Link } from "wouter";
import { kinds, MONITOR_KINDS } from "../../../domain/monitors/kinds/kinds.ts";
import { useHasRole } from "../app/session.tsx";
import { View } from "../ui/view.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { areStepsOver } from "./steps-memory.ts";

/** The overview of an organization without monitors. */
export function FirstMonitor() {
  const mayWrite = useHasRole("admin");
  return (
    <View title="No monitors yet">
      {mayWrite ? (
        <>
          <p className="text-lead">What do you want to monitor first?</p>
          <ul className="first-monitor-types">
            {MONITOR_KINDS.map((kind) => (
              <li key={kind}>
                <Link href={`/monitors/new?type=${kind}`}>
                  <b>{kinds[kind].name}</b>
                  <small>{kinds[kind].purpose}</small>
                </Link>
              </li>
            ))}
          </ul>
          <p className="text-muted">
            <code>stillup import</code> writes the monitors of Uptime Kuma, Gatus or Healthchecks to a
            configuration file, and <code>stillup apply</code> creates what such a file contains.
          </p>
          {!areStepsOver() && <FirstSteps monitors={0} />}
        </>
      ) : (
        <p className="text-lead">An admin or owner of this organization can add the first monitor.</p>
      )}
    </View>
  );
}
