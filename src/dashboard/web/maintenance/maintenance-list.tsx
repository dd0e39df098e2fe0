import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "wouter";
import { monitorsQuery } from "../data/shared-queries.ts";
import { ListView } from "../ui/list/list.tsx";
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
  const month = parseMonth(params.get("month")) ?? monthOf(Date.now());
  return (
    <ListView
      title="Maintenance"
      lead="In maintenance, checks go on, but do not count for the uptime, and nobody is notified of trouble."
      label="Maintenances"
      items={data?.toSorted(byState)}
      error={error}
      none="No maintenances yet."
      row={(maintenance) => (
        <MaintenanceRow
          key={maintenance.id}
          maintenance={maintenance}
          monitors={overview.data?.monitors ?? []}
        />
      )}
      create={{ role: "admin", label: "New maintenance", href: "/maintenances/new" }}
    >
      {data && data.length > 0 && (
        <MonthCalendar
          maintenances={data}
          month={month}
          onMonth={(next) => setParams({ month: next }, { replace: true })}
        />
      )}
    </ListView>
  );
}
