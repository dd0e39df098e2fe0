import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { MonitorType } from "../../domain/monitors/monitor.ts";
import { Tag } from "../../domain/monitors/tags.ts";
import {
  addSums,
  emptySums,
  monthlyFigures,
  monthSpan,
  type Span,
  sumUpMonth,
} from "../../domain/reports/monthly-report.ts";
import { Month } from "../../domain/schemas/format.ts";
import { closed, described, named, nullable, open, parameter } from "../../domain/schemas/schema.ts";
import type { MonitorMonth, Store } from "../../store/store.ts";
import { resource } from "../auth/authentication.ts";
import { acceptsGzip, jsonText, sendJson } from "../http/json-stream.ts";
import { answering, csvOperation } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { sendCsv } from "../results/exports.ts";

const ReportQuery = Type.Object(
  {
    month: described(Month, "A month in UTC, for example 2026-10."),
    tag: Type.Optional(parameter(Tag, "Only monitors with this tag.")),
  },
  open,
);

const Milliseconds = Type.Integer({ minimum: 0 });

const figures = {
  uptime: nullable(
    Type.String({
      description: "The share of the measured time without downtime. `null` if nothing was measured.",
    }),
  ),
  downMs: Milliseconds,
  outages: Type.Integer({ minimum: 0 }),
  mttrMs: nullable(
    Type.Integer({ description: "The mean time to recovery. `null` if no outage ended in the month." }),
  ),
  maintenanceMs: Milliseconds,
  unknownMs: Milliseconds,
};

const ReportBody = Type.Object(
  {
    monitors: Type.Array(
      Type.Object({ id: Type.String(), name: Type.String(), type: MonitorType, ...figures }, closed),
    ),
    total: Type.Object(figures, closed),
  },
  named("MonthlyReport"),
);

const example = {
  uptime: "99.93%",
  downMs: 1_860_000,
  outages: 2,
  mttrMs: 930_000,
  maintenanceMs: 7_200_000,
  unknownMs: 0,
};

const monitor = { id: "gwMk6bQBonMDcGzUMCvgWu", name: "Shop front", type: "HTTP" };

const CSV_COLUMNS = [
  ...(["name", "uptimePercent", "outages", "downSeconds", "mttrSeconds"] as const),
  ...(["maintenanceSeconds", "unknownSeconds", "type", "id"] as const),
];

/** Behavior 14.80, 14.99. */
export function monthlyReportRoutes(services: Services) {
  return new Elysia({ normalize: false }).use(jsonRoute(services)).use(csvRoute(services));
}

function csvRoute({ store, clock, authenticator, log }: Services) {
  return resource({ authenticator, store }, "/reports", "Outages").get(
    "/monthly.csv",
    ({ caller, query: { month, tag }, request }) => {
      const span = monthSpan(month, clock.now());
      const slices = slicesOf(store, caller.organizationId, { month: span, tag });
      const rows = rowsOf(slices, (one) => csvRow(one, monthlyFigures(sumUpMonth(one, span))));
      return sendCsv(CSV_COLUMNS, rows, { log, name: `report-${month}`, gzip: acceptsGzip(request) });
    },
    {
      query: ReportQuery,
      detail: csvOperation({
        operationId: "exportMonthlyReport",
        summary: "Export the report of a month as CSV",
        description: "A line for each monitor, in order of creation.",
        columns: CSV_COLUMNS,
        errors: [422],
      }),
    },
  );
}

async function* rowsOf<Row>(slices: AsyncIterable<MonitorMonth[]>, rowOf: (month: MonitorMonth) => Row) {
  for await (const slice of slices) yield slice.map(rowOf);
}

function csvRow({ id, name, type }: MonitorMonth, figures: ReturnType<typeof monthlyFigures>) {
  const { uptime, outages, downMs, mttrMs, maintenanceMs, unknownMs } = figures;
  return {
    ...{ id, name, type, outages },
    uptimePercent: uptime === null ? null : Number.parseFloat(uptime),
    downSeconds: downMs / 1000,
    mttrSeconds: mttrMs === null ? null : mttrMs / 1000,
    maintenanceSeconds: maintenanceMs / 1000,
    unknownSeconds: unknownMs / 1000,
  };
}

function jsonRoute({ store, clock, authenticator, log }: Services) {
  return resource({ authenticator, store }, "/reports", "Outages").get(
    "/monthly",
    ({ caller, query: { month, tag }, request }) => {
      const span = monthSpan(month, clock.now());
      let total = emptySums;
      const slices = slicesOf(store, caller.organizationId, { month: span, tag });
      const figuresOf = (one: MonitorMonth) => {
        const sums = sumUpMonth(one, span);
        total = addSums(total, sums);
        return { id: one.id, name: one.name, type: one.type, ...monthlyFigures(sums) };
      };
      const end = () => `],"total":${JSON.stringify(monthlyFigures(total))}}}`;
      return sendJson<{ data: MonthlyReport }>(jsonText(['{"data":{"monitors":[', end], slices, figuresOf), {
        log,
        gzip: acceptsGzip(request),
      });
    },
    {
      query: ReportQuery,
      detail: answering({
        operationId: "getMonthlyReport",
        summary: "Get the report of a month",
        description:
          "For each monitor and in total: uptime by time, downtime, outages, mean time to recovery, time in maintenance and " +
          "time without checks. Maintenance and time without checks are left out of the uptime.",
        answer: ReportBody,
        example: { monitors: [{ ...monitor, ...example }], total: example },
        errors: [422],
      }),
    },
  );
}

type MonthlyReport = (typeof ReportBody)["static"];

async function* slicesOf(
  { reports }: Pick<Store, "reports">,
  organizationId: string,
  wanted: { month: Span; tag?: string | undefined },
): AsyncGenerator<MonitorMonth[]> {
  let after: number | null = 0;
  while (after !== null) {
    const slice = await reports.readMonth(organizationId, { ...wanted, after });
    yield slice.monitors;
    after = slice.end;
  }
}
