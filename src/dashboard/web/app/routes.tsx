import { useEffect } from "react";
import { Link, Route, Switch } from "wouter";
import { Overview } from "../overview/overview.tsx";
import { View } from "../ui/view.tsx";
import {
  ApiKeys,
  AuditLog,
  ChannelForm,
  ChannelList,
  ChannelPage,
  EditMaintenance,
  EditMonitor,
  Events,
  IncidentViews,
  Locations,
  Maintenances,
  MonitorPage,
  NewMaintenance,
  NewMonitor,
  NewPage,
  OutagePage,
  Outages,
  PageEditor,
  Pages,
  Reports,
  Settings,
} from "./lazy-views.tsx";

export function Routes() {
  useScrollToTop();
  return (
    <Switch>
      <Route path="/" component={Home} />
      <Route path="/monitors/new" component={NewMonitor} />
      <Route path="/monitors/:id/edit">{({ id }) => <EditMonitor key={id} id={id} />}</Route>
      <Route path="/monitors/:id">{({ id }) => <MonitorPage key={id} id={id} />}</Route>
      <Route path="/outages" component={Outages} />
      <Route path="/outages/:id">{({ id }) => <OutagePage key={id} id={id} />}</Route>
      <Route path="/events" component={Events} />
      <Route path="/channels" component={ChannelList} />
      <Route path="/channels/new">{() => <ChannelForm />}</Route>
      <Route path="/channels/:id">{({ id }) => <ChannelPage key={id} id={id} />}</Route>
      <Route path="/locations" component={Locations} />
      <Route path="/maintenances" component={Maintenances} />
      <Route path="/maintenances/new" component={NewMaintenance} />
      <Route path="/maintenances/:id/edit">{({ id }) => <EditMaintenance key={id} id={id} />}</Route>
      <Route path="/pages" component={Pages} />
      <Route path="/pages/new" component={NewPage} />
      <Route path="/pages/:id/incidents/*?" component={IncidentViews} />
      <Route path="/pages/:id">{({ id }) => <PageEditor key={id} id={id} />}</Route>
      <Route path="/reports" component={Reports} />
      <Route path="/keys" component={ApiKeys} />
      <Route path="/settings" component={Settings} />
      <Route path="/settings/audit" component={AuditLog} />
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
