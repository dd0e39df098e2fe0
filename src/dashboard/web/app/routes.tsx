import { type ComponentType, useEffect } from "react";
import { Link, Route, Switch } from "wouter";
import { Overview } from "../overview/overview.tsx";
import { View } from "../ui/view.tsx";
import { lazyView } from "./lazy-views.tsx";

const listView = (name: keyof typeof import("./list-views.ts").listViews) =>
  lazyView<{ id: string }>(async () => (await import("./list-views.ts")).listViews[name]);
const formView = (name: keyof typeof import("./form-views.ts").formViews) =>
  lazyView<{ id: string }>(async () => (await import("./form-views.ts")).formViews[name]);

/** By path. The first one that matches is shown. */
const views: [path: string, view: ComponentType<{ id: string }>][] = [
  ["/monitors/new", lazyView(async () => (await import("../monitors/monitor-form.tsx")).NewMonitor)],
  ["/monitors/:id/edit", lazyView(async () => (await import("../monitors/monitor-form.tsx")).EditMonitor)],
  ["/monitors/:id", lazyView(async () => (await import("../monitors/monitor-page.tsx")).MonitorPage)],
  ["/outages", listView("Outages")],
  ["/outages/:id", listView("OutagePage")],
  ["/events", listView("Events")],
  ["/channels/*?", formView("ChannelViews")],
  ["/locations", formView("Locations")],
  ["/maintenances", listView("Maintenances")],
  ["/maintenances/new", formView("NewMaintenance")],
  ["/maintenances/:id/edit", formView("EditMaintenance")],
  ["/pages", listView("Pages")],
  ["/pages/new", lazyView(async () => (await import("../pages/page-editor.tsx")).NewPage)],
  ["/pages/:id/incidents/*?", formView("IncidentViews")],
  ["/pages/:id", lazyView(async () => (await import("../pages/page-editor.tsx")).PageEditor)],
  ["/reports", listView("Reports")],
  ["/keys", formView("ApiKeys")],
  ["/settings", formView("Settings")],
  ["/settings/server", formView("ServerView")],
  ["/settings/audit", listView("AuditLog")],
  ["/settings/people", formView("People")],
  ["/profile", formView("Profile")],
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
