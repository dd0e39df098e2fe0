import { useIsFetching } from "@tanstack/react-query";
import { Component, lazy, type ReactNode, Suspense, useEffect } from "react";
import { View } from "../ui/view.tsx";

/* All views except the overview. Their scripts are loaded after the first view is shown. */

const load = {
  apiKeys: () => import("../accounts/api-keys.tsx"),
  auditLog: () => import("../accounts/audit-log.tsx"),
  channelForm: () => import("../alerts/channel-form.tsx"),
  channelList: () => import("../alerts/channel-list.tsx"),
  channelPage: () => import("../alerts/channel-page.tsx"),
  events: () => import("../results/events.tsx"),
  firstMonitor: () => import("../overview/first-monitor.tsx"),
  incidents: () => import("../incidents/incident-views.tsx"),
  locationList: () => import("../locations/location-list.tsx"),
  maintenanceForm: () => import("../maintenance/maintenance-form.tsx"),
  maintenanceList: () => import("../maintenance/maintenance-list.tsx"),
  monitorForm: () => import("../monitors/monitor-form.tsx"),
  monitorPage: () => import("../monitors/monitor-page.tsx"),
  outagePage: () => import("../outages/outage-page.tsx"),
  outages: () => import("../outages/outages.tsx"),
  pageEditor: () => import("../pages/page-editor.tsx"),
  pageList: () => import("../pages/page-list.tsx"),
  report: () => import("../reports/monthly-report.tsx"),
  settings: () => import("../accounts/settings.tsx"),
  signIn: () => import("../accounts/sign-in.tsx"),
};

export const ApiKeys = lazy(async () => ({ default: (await load.apiKeys()).ApiKeys }));
export const AuditLog = lazy(async () => ({ default: (await load.auditLog()).AuditLog }));
export const ChannelForm = lazy(async () => ({ default: (await load.channelForm()).ChannelForm }));
export const ChannelList = lazy(async () => ({ default: (await load.channelList()).ChannelList }));
export const ChannelPage = lazy(async () => ({ default: (await load.channelPage()).ChannelPage }));
export const EditMonitor = lazy(async () => ({ default: (await load.monitorForm()).EditMonitor }));
export const EditMaintenance = lazy(async () => ({
  default: (await load.maintenanceForm()).EditMaintenance,
}));
export const Events = lazy(async () => ({ default: (await load.events()).Events }));
export const FirstMonitor = lazy(async () => ({ default: (await load.firstMonitor()).FirstMonitor }));
export const IncidentViews = lazy(async () => ({ default: (await load.incidents()).IncidentViews }));
export const Locations = lazy(async () => ({ default: (await load.locationList()).Locations }));
export const Maintenances = lazy(async () => ({ default: (await load.maintenanceList()).Maintenances }));
export const MonitorPage = lazy(async () => ({ default: (await load.monitorPage()).MonitorPage }));
export const NewMaintenance = lazy(async () => ({ default: (await load.maintenanceForm()).NewMaintenance }));
export const NewMonitor = lazy(async () => ({ default: (await load.monitorForm()).NewMonitor }));
export const NewPage = lazy(async () => ({ default: (await load.pageEditor()).NewPage }));
export const OutagePage = lazy(async () => ({ default: (await load.outagePage()).OutagePage }));
export const Outages = lazy(async () => ({ default: (await load.outages()).Outages }));
export const PageEditor = lazy(async () => ({ default: (await load.pageEditor()).PageEditor }));
export const Pages = lazy(async () => ({ default: (await load.pageList()).Pages }));
export const Reports = lazy(async () => ({ default: (await load.report()).Reports }));
export const Settings = lazy(async () => ({ default: (await load.settings()).Settings }));
export const SignIn = lazy(async () => ({ default: (await load.signIn()).SignIn }));

/** Milliseconds without requests after which the first view counts as complete. It may still have to be rendered. */
const QUIET = 500;

/** Loads the scripts of all views while there are no other requests, so that a reader does not wait for them later. */
export function PreloadViews() {
  const idle = useIsFetching() === 0;
  useEffect(() => {
    if (!idle) return undefined;
    const timer = setTimeout(() => {
      // A script that fails to load is requested again by its view, which shows the error.
      for (const one of Object.values(load)) one().catch(() => {});
    }, QUIET);
    return () => clearTimeout(timer);
  }, [idle]);
  return null;
}

/** Shows an error if a view cannot be loaded or rendered. After an update of the server, its script has another name. */
export class LazyView extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return <Suspense>{this.props.children}</Suspense>;
    return (
      <View title="This view cannot be shown">
        <p>The server was updated, cannot be reached, or sent an unexpected answer.</p>
        <div className="actions">
          <button type="button" className="button-primary" onClick={() => location.reload()}>
            Reload the page
          </button>
        </div>
      </View>
    );
  }
}
