import { Elysia } from "elysia";
import type { Services } from "../http/services.ts";
import { monitorCheckRoutes } from "./monitor-check.ts";
import { monitorReportRoutes } from "./monitor-report.ts";
import { relatedMonitorRoutes } from "./related-monitors.ts";

/** The routes below one monitor. They are one plugin, because the types of a longer chain in `server.ts` are too deep for `tsc`. */
export function oneMonitorRoutes(services: Services) {
  return new Elysia({ normalize: false })
    .use(monitorReportRoutes(services))
    .use(monitorCheckRoutes(services))
    .use(relatedMonitorRoutes(services));
}
