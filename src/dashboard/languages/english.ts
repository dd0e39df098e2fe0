import { accounts } from "./english/accounts.ts";
import { alerts } from "./english/alerts.ts";
import { app } from "./english/app.ts";
import { audit } from "./english/audit.ts";
import { bindings } from "./english/bindings.ts";
import { bulk } from "./english/bulk.ts";
import { common } from "./english/common.ts";
import { config } from "./english/config.ts";
import { discovery } from "./english/discovery.ts";
import { evidence } from "./english/evidence.ts";
import { faults } from "./english/faults.ts";
import { form } from "./english/form.ts";
import { hindsight } from "./english/hindsight.ts";
import { incidents } from "./english/incidents.ts";
import { locations } from "./english/locations.ts";
import { maintenance } from "./english/maintenance.ts";
import { monitorForm } from "./english/monitor-form.ts";
import { monitors } from "./english/monitors.ts";
import { onCall } from "./english/on-call.ts";
import { outages } from "./english/outages.ts";
import { overview } from "./english/overview.ts";
import { pages } from "./english/pages.ts";
import { palette } from "./english/palette.ts";
import { people } from "./english/people.ts";
import { replay } from "./english/replay.ts";
import { reports } from "./english/reports.ts";
import { results } from "./english/results.ts";
import { server } from "./english/server.ts";
import { signIn } from "./english/sign-in.ts";
import { status } from "./english/status.ts";
import { steps } from "./english/steps.ts";
import { tools } from "./english/tools.ts";
import { ui } from "./english/ui.ts";
import { wall } from "./english/wall.ts";
import { worker } from "./english/worker.ts";

/** All texts of the page in English, by room: the reference of the other languages. */
export const english = {
  common,
  app,
  ui,
  status,
  overview,
  tools,
  palette,
  signIn,
  accounts,
  audit,
  steps,
  form,
  monitors,
  monitorForm,
  results,
  alerts,
  bindings,
  onCall,
  locations,
  outages,
  evidence,
  incidents,
  pages,
  maintenance,
  reports,
  people,
  server,
  bulk,
  config,
  faults,
  wall,
  hindsight,
  replay,
  discovery,
  worker,
} as const;

export type English = typeof english;
export type Room = keyof English;
