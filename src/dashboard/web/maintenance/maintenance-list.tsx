import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "wouter";
import { useHasRole } from "../app/session.tsx";
import { monitorsQuery } from "../data/shared-queries.ts";
import { Failure } from "../ui/failure.tsx";
import { View } from "../ui/view/view.tsx";
import { monthOf, parseMonth } from "./calendar/month.ts";
import { MonthCalendar } from "./calendar/month-calendar.tsx";
import { maintenancesQuery } from "./maintenance-queries.ts";
import { MaintenanceRow } from "./maintenance-row.tsx";
import { byState } from "./maintenance-words.ts";

/** The maintenances of the organization, as a list and in the calendar of a month (behavior 14.95). */
export function Maintenances() {
  const { data, error } = useQuery(maintenancesQuery);
  const overview = useQuery(monitorsQuery);
  const [params, setParams] = useSearchParams();
  const mayWrite = useHasRole("admin");
  const month = parseMonth(params.get("month")) ?? monthOf(Date.now());
  const create = mayWrite && (
    <Link className="button button-primary" href="/maintenances/new">
      New maintenance
    </Link>
  );
  return (
    <View title="Maintenance" aside={create}>
      <p className="text-lead">
        In maintenance, checks go on, but do not count for the uptime, and nobody is notified of trouble.
      </p>
      <Failure error={error} />
      {data?.length === 0 && <p className="view-empty">No maintenances yet.</p>}
      <ul className="list" aria-label="Maintenances">
        {data?.toSorted(byState).map((maintenance) => (
          <MaintenanceRow
            key={maintenance.id}
            maintenance={maintenance}
            monitors={overview.data?.monitors ?? []}
          />
        ))}
      </ul>
      {data && data.length > 0 && (
        <MonthCalendar
          maintenances={data}
          month={month}
          onMonth={(next) => setParams({ month: next }, { replace: true })}
        />
      )}
    </View>
  );
}
