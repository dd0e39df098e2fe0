import { ApiKeys } from "../accounts/api-keys.tsx";
import { Settings } from "../accounts/settings.tsx";
import { ChannelViews } from "../alerts/channel-views.tsx";
import { Discovery, UnwatchedLines } from "../discovery/discovery.tsx";
import { IncidentViews } from "../incidents/incident-views.tsx";
import { Locations } from "../locations/location-list.tsx";
import { EditMaintenance, NewMaintenance } from "../maintenance/maintenance-form.tsx";
import { EditMonitor, NewMonitor } from "../monitors/monitor-form.tsx";
import { OnCallViews } from "../on-call/on-call.tsx";
import { startSelecting } from "../overview/bulk/select-mode.tsx";
import { NewPage, PageEditor } from "../pages/page-editor.tsx";
import { People } from "../people/people.tsx";
import { Profile } from "../people/profile.tsx";
import { ReportMails } from "../reports/report-mails.tsx";
import { ServerView } from "../server/server-view.tsx";

/** Views with forms in one script, as `listViews`. */
export const formViews = {
  ApiKeys,
  ChannelViews,
  Discovery,
  EditMaintenance,
  EditMonitor,
  IncidentViews,
  Locations,
  NewMaintenance,
  NewMonitor,
  NewPage,
  OnCallViews,
  PageEditor,
  People,
  Profile,
  ReportMails,
  ServerView,
  Settings,
};

/** Its dialogs have the fields of these views. */
export const selectMode = { startSelecting };

/** The overview has them if the server discovers. */
export const unwatched = { UnwatchedLines };
