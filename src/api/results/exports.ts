import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { iso } from "../../domain/iso-time.ts";
import { open } from "../../domain/schemas/schema.ts";
import type { Logger } from "../../log.ts";
import type { ExportedOutage, ExportedResult, Store } from "../../store/store.ts";
import { authentication } from "../auth/authentication.ts";
import { acceptsGzip, sendText } from "../http/json-stream.ts";
import { csvOperation, idOf } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { outageBody } from "../outages/outage-body.ts";
import { outageParameters } from "../outages/outages.ts";
import { resultFilterOf, resultParameters, stretchOf } from "./results.ts";

const RESULT_COLUMNS = [
  "createdAt",
  "status",
  "latencyMs",
  "reason",
  "message",
  "detail",
  "id",
  "exitCode",
  "runMs",
] as const;

const OUTAGE_COLUMNS = [
  "startedAt",
  "endedAt",
  "seconds",
  "monitorId",
  "monitorName",
  "monitorType",
  "status",
  "reason",
  "acknowledgedAt",
  "acknowledgedBy",
  "note",
  "maintenanceId",
  "id",
  "downSince",
  "downSeconds",
] as const;

/** Behavior 14.77, 14.78. */
export function exportRoutes({ store, clock, authenticator, log }: Services) {
  const optionsFor = (name: string, request: Request) => ({
    ...{ log, name },
    gzip: acceptsGzip(request),
  });
  return new Elysia({ prefix: "/api/v1", normalize: false })
    .use(authentication({ authenticator, store }))
    .get(
      "/monitors/:id/results.csv",
      ({ caller, params: { id: monitorId }, query, request }) => {
        const wanted = { monitorId, ...resultFilterOf(query) };
        const results = store.results.export(caller.organizationId, wanted);
        return sendCsv(RESULT_COLUMNS, rowsOf(results, resultRow), optionsFor("results", request));
      },
      {
        params: idOf("a monitor"),
        query: Type.Object(resultParameters, open),
        detail: csvOperation({
          tag: "Results",
          operationId: "exportResults",
          summary: "Export the results of a monitor as CSV",
          description:
            "The oldest first, with one line for each result after the names of the columns. `detail` is JSON.",
          columns: RESULT_COLUMNS,
          errors: [404, 422],
        }),
      },
    )
    .get(
      "/outages.csv",
      ({ caller, query, request }) => {
        const { from = 0, to = Number.MAX_SAFE_INTEGER } = stretchOf(query);
        const outages = slicesOf(store, caller.organizationId, { from, to }, query);
        const rows = rowsOf(outages, (outage) => outageRow(outage, clock.now()));
        return sendCsv(OUTAGE_COLUMNS, rows, optionsFor("outages", request));
      },
      {
        query: Type.Object(outageParameters, open),
        detail: csvOperation({
          tag: "Outages",
          operationId: "exportOutages",
          summary: "Export the outages of all monitors as CSV",
          description:
            "The outages that match all filters, the first one first. `seconds` is empty while an outage lasts.",
          columns: OUTAGE_COLUMNS,
          errors: [422],
        }),
      },
    );
}

async function* rowsOf<Item, Row>(
  slices: AsyncIterable<Item[]>,
  rowOf: (item: Item) => Row,
): AsyncGenerator<Row[]> {
  for await (const slice of slices) yield slice.map(rowOf);
}

function resultRow({ createdAt, status, latencyMs, detail, id }: ExportedResult) {
  return {
    ...{ createdAt: iso(createdAt), status, latencyMs, id },
    reason: textOrNull(detail?.reason),
    message: textOrNull(detail?.message),
    detail: detail && JSON.stringify(detail),
    exitCode: numberOrNull(detail?.exitCode),
    runMs: numberOrNull((detail?.run as { durationMs?: unknown } | undefined)?.durationMs),
  };
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

async function* slicesOf(
  { outages }: Pick<Store, "outages">,
  organizationId: string,
  stretch: { from: number; to: number },
  { tag, search }: { tag?: string; search?: string },
): AsyncGenerator<ExportedOutage[]> {
  const needle = search?.trim().toLowerCase() ?? "";
  const isWanted = ({ monitor: { tags, text } }: ExportedOutage) =>
    (tag === undefined || tags.includes(tag)) && text.includes(needle);
  let slice: ExportedOutage[] = [];
  do {
    slice = await outages.export(organizationId, { ...stretch, after: slice.at(-1)?.pk ?? 0 });
    yield slice.filter(isWanted);
  } while (slice.length > 0);
}

function outageRow({ pk: _, ...outage }: ExportedOutage, now: number) {
  const { startedAt, endedAt } = outage;
  const { monitor, ...body } = outageBody(outage, now);
  return {
    ...body,
    seconds: endedAt && Math.round((endedAt - startedAt) / 1000),
    ...{ monitorId: monitor.id, monitorName: monitor.name, monitorType: monitor.type },
  };
}

/* CSV as of RFC 4180, for programs and for spreadsheets. */

type Cell = string | number | null;

/** A row: the names of its columns in their order, with its values. */
type CsvRow = Record<string, Cell>;

/**
 * Sends rows as a file, in slices.
 *
 * @param columns the names of the columns, in order
 * @param name of the file, without `.csv`
 */
export function sendCsv<Row extends CsvRow>(
  columns: readonly (keyof Row & string)[],
  slices: AsyncIterable<Row[]>,
  { log, name, gzip }: { log: Logger; name: string; gzip: boolean },
): Promise<Response> {
  const headers = {
    "content-type": "text/csv;charset=utf-8;header=present",
    "content-disposition": `attachment; filename="${name}.csv"`,
  };
  return sendText(csvText(columns, slices), { log, gzip, headers });
}

/** The text of some rows, with the names of the columns as its first line. */
export async function* csvText<Row extends CsvRow>(
  columns: readonly (keyof Row & string)[],
  slices: AsyncIterable<Row[]>,
): AsyncGenerator<string> {
  let head = lineOf(columns);
  for await (const slice of slices) {
    yield head + slice.map((row) => lineOf(columns.map((column) => row[column] ?? null))).join("");
    head = "";
  }
  yield head;
}

function lineOf(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(",")}\r\n`;
}

/**
 * Spreadsheets compute a text that begins with a sign of a formula, which a target or another user may have written: a quote
 * makes it a text (behavior 14.79). Depending on their language and settings, they also split a line at each `;` or tab, and
 * take the wide signs. A quote inside a field does not stop them then.
 */
const FORMULA = /(?<=^|[;\t\r\n])(?=[^\S;\t\r\n]*[=+\-@＝＋－＠])/g;

/** Such a text, or one that begins with a separator: a quote at its start makes it a text. */
const GUARDED = /^(?:\s*[=+\-@＝＋－＠]|[;\t\r\n])/;

const SPECIAL = /[",;\t\r\n]|^\s|\s$/;

function cellText(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const safe =
    (GUARDED.test(cell) ? "'" : "") + cell.replaceAll(FORMULA, (_, at: number) => (at > 0 ? "'" : ""));
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
