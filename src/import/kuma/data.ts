import { parsedJson } from "../untyped.ts";
/** A row of a table of Uptime Kuma. Its columns depend on the version, and a damaged one has any types. */
export type Row = Record<string, unknown>;

/** The rows of Uptime Kuma, from its database or its backup. A missing table has no rows. */
export interface KumaData {
  monitors: Row[];
  notifications: Row[];
  monitorNotifications: Row[];
  tags: Row[];
  monitorTags: Row[];
  maintenances: Row[];
  monitorMaintenances: Row[];
  pages: Row[];
  pageDomains: Row[];
  groups: Row[];
  monitorGroups: Row[];
  settings: Row[];
  /** The results of a monitor on a UTC day: `monitor_id`, `timestamp` (its start in seconds), `up`, `down` and `ping`. */
  days: Row[];
  /** The number of rows of each table that is not read, by name. */
  others: Record<string, number>;
}

/** Maximum characters of the name of a monitor or channel. */
export const MAX_NAME = 200;

export const NO_DATA: KumaData = {
  ...{ monitors: [], notifications: [], monitorNotifications: [], tags: [], monitorTags: [] },
  ...{ maintenances: [], monitorMaintenances: [], pages: [], pageDomains: [], groups: [], monitorGroups: [] },
  ...{ settings: [], days: [], others: {} },
};

/** A text without surrounding blanks; empty if the cell has none. */
export function textIn(row: Row, column: string): string {
  const cell = row[column];
  if (typeof cell === "string") return cell.trim();
  return typeof cell === "number" || typeof cell === "bigint" ? String(cell) : "";
}

/** Undefined if the cell has no number. */
export function numberOf(row: Row, column: string): number | undefined {
  const cell = row[column];
  const isNumeric = typeof cell === "string" ? cell.trim() !== "" : typeof cell === "number";
  const number = isNumeric ? Number(cell) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** The ID of a row, or another row's ID in it. */
export function idOf(row: Row, column = "id"): number | undefined {
  const id = numberOf(row, column);
  return Number.isInteger(id) ? id : undefined;
}

/** @param missing for a column that this version does not have */
export function flagOf(row: Row, column: string, missing = false): boolean {
  const cell = row[column];
  if (cell === undefined || cell === null) return missing;
  return cell === true || cell === 1 || cell === "1" || cell === "true";
}

/** The value of a cell with JSON; undefined if it is not JSON. */
export function jsonOf(row: Row, column: string): unknown {
  const cell = row[column];
  return typeof cell === "string" ? parsedJson(cell) : (cell ?? undefined);
}

export function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The rows by the ID in a column, in their order. Rows without an ID are left out. */
export function groupedBy(rows: readonly Row[], column: string): ReadonlyMap<number | undefined, Row[]> {
  return Map.groupBy(
    rows.filter((row) => idOf(row, column) !== undefined),
    (row) => idOf(row, column),
  );
}
