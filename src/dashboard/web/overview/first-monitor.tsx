import { Link } from "wouter";
import { useMay } from "../app/session.tsx";
import { MONITOR_TYPES, monitorTypeWords } from "../monitor/monitor-type.ts";
import { View } from "../ui/view.tsx";

/** What an empty installation begins with. */
export function FirstMonitor() {
  const mayWrite = useMay("admin");
  return (
    <View title="Nothing is watched yet">
      {mayWrite ? (
        <>
          <p className="lead">What do you want to know of first?</p>
          <ul className="choices">
            {MONITOR_TYPES.map((type) => (
              <li key={type}>
                <Link href={`/monitors/new?type=${type}`}>
                  <b>{monitorTypeWords[type].name}</b>
                  <small>{monitorTypeWords[type].does}</small>
                </Link>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className="lead">An admin or owner of this organization can add the first monitor.</p>
      )}
    </View>
  );
}
