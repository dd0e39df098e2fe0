import { AuditLog } from "../accounts/audit-log.tsx";
import { Maintenances } from "../maintenance/maintenance-list.tsx";
import { MonitorPage } from "../monitors/monitor-page.tsx";
import { OutagePage } from "../outages/outage-page.tsx";
import { Outages } from "../outages/outages.tsx";
import { Pages } from "../pages/page-list.tsx";
import { Reports } from "../reports/monthly-report.tsx";
import { Events } from "../results/events.tsx";

/** Views without forms in one script: with a script for each view, these and `formViews` have 20 kB more. */
export const listViews = { AuditLog, Events, Maintenances, MonitorPage, OutagePage, Outages, Pages, Reports };
