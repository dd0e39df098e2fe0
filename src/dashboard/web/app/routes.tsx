import { type ComponentType, useEffect } from "react";
import { Link, Route, Switch } from "wouter";
import { Overview } from "../overview/overview.tsx";
import { View } from "../ui/view.tsx";
import { lazyView } from "./lazy-views.tsx";

/** By path. The first one that matches is shown. */
const views: [path: string, view: ComponentType<{ id: string }>][] = [
  ["/monitors/new", lazyView(async () => (await import("../monitors/monitor-form.tsx")).NewMonitor)],
  ["/monitors/:id/edit", lazyView(async () => (await import("../monitors/monitor-form.tsx")).EditMonitor)],
  ["/monitors/:id", lazyView(async () => (await import("../monitors/monitor-page.tsx")).MonitorPage)],
  ["/outages", lazyView(async () => (await import("../outages/outages.tsx")).Outages)],
  ["/outages/:id", lazyView(async () => (await import("../outages/outage-page.tsx")).OutagePage)],
  ["/events", lazyView(async () => (await import("../results/events.tsx")).Events)],
  ["/channels/*?", lazyView(async () => (await import("../alerts/channel-views.tsx")).ChannelViews)],
  ["/locations", lazyView(async () => (await import("../locations/location-list.tsx")).Locations)],
  ["/maintenances", lazyView(async () => (await import("../maintenance/maintenance-list.tsx")).Maintenances)],
  [
    "/maintenances/new",
    lazyView(async () => (await import("../maintenance/maintenance-form.tsx")).NewMaintenance),
  ],
  [
    "/maintenances/:id/edit",
    lazyView(async () => (await import("../maintenance/maintenance-form.tsx")).EditMaintenance),
  ],
  ["/pages", lazyView(async () => (await import("../pages/page-list.tsx")).Pages)],
  ["/pages/new", lazyView(async () => (await import("../pages/page-editor.tsx")).NewPage)],
  [
    "/pages/:id/incidents/*?",
    lazyView(async () => (await import("../incidents/incident-views.tsx")).IncidentViews),
  ],
  ["/pages/:id", lazyView(async () => (await import("../pages/page-editor.tsx")).PageEditor)],
  ["/reports", lazyView(async () => (await import("../reports/monthly-report.tsx")).Reports)],
  ["/keys", lazyView(async () => (await import("../accounts/api-keys.tsx")).ApiKeys)],
  ["/settings", lazyView(async () => (await import("../accounts/settings.tsx")).Settings)],
  ["/settings/server", lazyView(async () => (await import("../server/server-view.tsx")).ServerView)],
  ["/settings/audit", lazyView(async () => (await import("../accounts/audit-log.tsx")).AuditLog)],
];

export function Routes() {
  useScrollToTop();
  return (
    <Switch>
      <Route path="/" component={Home} />
      {views.map(([path, View]) => (
        <Route<{ id: string }> key={path} path={path}>
          {({ id }) => <View key={id} id={id} />}
        </Route>
      ))}
      <Route component={NotFound} />
    </Switch>
  );
}

/**
 * The router keeps the element that it renders. If that were the overview itself, which renders often, its first rendering
 * would keep all deleted rows in memory. Lazy views have such a wrapper already.
 */
function Home() {
  return <Overview />;
}

function NotFound() {
  return (
    <View title="Not found">
      <p>
        No page has this address. <Link href="/">Back to the overview</Link>
      </p>
    </View>
  );
}

/** A link leads to the top of a view; Back leads to the previous scroll position. The router sends this event for links. */
function useScrollToTop(): void {
  useEffect(() => {
    const toTop = () => scrollTo(0, 0);
    addEventListener("pushState", toTop);
    return () => removeEventListener("pushState", toTop);
  }, []);
}
