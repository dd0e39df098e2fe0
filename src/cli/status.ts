import { Command } from "commander";
import { type Flags, processSurroundings, remoteSettings, storeSettings } from "../config.ts";
import { formatDuration } from "../domain/duration.ts";
import { iso } from "../domain/iso-time.ts";
import { displayStateOfStatus } from "../domain/monitors/display-state.ts";
import { isTroubled, STANDINGS } from "../domain/monitors/standing.ts";
import { statusLabel } from "../domain/monitors/status-label.ts";
import { isTerminal, visibleLine } from "../log.ts";
import { findRemote } from "./context.ts";
import { failureOf } from "./failure.ts";
import { accessHelp, Exit, printJson, printText, say, withOrganization, withSettings } from "./options.ts";
import { readStatus, type ServerStatus, type TroubledMonitor } from "./status-access.ts";
import { columns, cut, padEnd } from "./table.ts";

/** Exit codes besides 0 and 2 (behavior 9.106). */
const DOWN = 1;
const UNREADABLE = 3;

interface StatusFlags extends Flags {
  org?: string;
  json?: true;
}

export function statusCommand(): Command {
  const command = new Command("status")
    .description(
      "print the monitors in trouble; exit code 0 if none is down, 1 if one is, 3 if they can't be read",
    )
    .option("--json", "print JSON");
  return withSettings(withOrganization(command), [...remoteSettings, ...storeSettings], accessHelp).action(
    async ({ org, json, ...flags }: StatusFlags) => {
      const status = await readOrExit(flags, org);
      if (json) printJson({ ...status, monitors: status.monitors.map(withTime) });
      else await printText(statusTable(status, { now: Date.now(), ...lookOfTerminal() }));
      if (status.monitors.some((one) => displayStateOfStatus(one.status) === "down")) throw new Exit(DOWN);
    },
  );
}

async function readOrExit(flags: Flags, org: string | undefined): Promise<ServerStatus> {
  const remote = findRemote(flags);
  try {
    return await readStatus({ remote, flags, org });
  } catch (error) {
    const failure = failureOf(error);
    if (failure === undefined || failure.isMisuse) throw error;
    say(`stillup: ${failure.message}`);
    throw new Exit(UNREADABLE);
  }
}

function withTime({ since, ...monitor }: ServerStatus["monitors"][number]) {
  return { ...monitor, since: since === null ? null : iso(since) };
}

/** Pipes and files get no header, no colors, and lines of any length. */
function lookOfTerminal(): { width: number; hasColors: boolean; hasHeader: boolean } {
  if (!isTerminal(1)) return { width: Number.POSITIVE_INFINITY, hasColors: false, hasHeader: false };
  const hasColors = !processSurroundings().env.NO_COLOR;
  return { width: process.stdout.columns || 80, hasColors, hasHeader: true };
}

/** @property now milliseconds since 1970 @property width of a line, in columns */
interface Look {
  now: number;
  width: number;
  hasColors: boolean;
  /** Whether a line with the names of the columns is first. */
  hasHeader: boolean;
}

/** Above the columns on a terminal. */
const HEADER = ["MONITOR", "STATUS", "DURATION", "REASON"] as const;

/** The longest name, in columns. */
const MAX_NAME = 40;

const GAP = "  ";

/** A line for each monitor in trouble, in aligned columns, and one with the counts of all monitors. */
export function statusTable({ counts, monitors }: ServerStatus, look: Look): string {
  const hasHeader = look.hasHeader && monitors.length > 0;
  const rows = monitors.map((one) => cellsOf(one, { ...look, hasHeader }));
  const widths = ([0, 1, 2] as const).map((column) =>
    Math.max(0, ...(hasHeader ? [HEADER[column].length] : []), ...rows.map((row) => columns(row[column]))),
  );
  const lineOf = (row: readonly string[]) => {
    const padded = widths.map((width, column) => padEnd(row[column] ?? "", width));
    return cut([...padded, row[3]].join(GAP).trimEnd(), look.width);
  };
  const lines = rows.map((row, at) => {
    const line = lineOf(row);
    return look.hasColors
      ? colored(line, {
          before: `${padEnd(row[0], widths[0] ?? 0)}${GAP}`,
          status: row[1],
          monitor: monitors[at],
        })
      : line;
  });
  const left = STANDINGS.filter(isTroubled).reduce((sum, standing) => sum + counts[standing], 0);
  const listed = monitors.filter(({ standing }) => isTroubled(standing)).length;
  return [
    ...(hasHeader ? [lineOf(HEADER)] : []),
    ...lines,
    ...(left > listed ? [`and ${left - listed} more`] : []),
    countsLine(counts),
    "",
  ].join("\n");
}

function cellsOf(monitor: TroubledMonitor, { now, hasHeader }: Look): [string, string, string, string] {
  const { name, status, since, reason } = monitor;
  return [
    cut(visibleLine(name), MAX_NAME),
    statusLabel[status],
    since === null ? "" : `${hasHeader ? "" : "for "}${formatDuration(now - since)}`,
    visibleLine([attendanceOf(monitor), reason].filter(Boolean).join(" · ")),
  ];
}

/** For example `acknowledged by Mia: disk full`. */
function attendanceOf({ standing, maintenance, acknowledgement }: TroubledMonitor): string {
  if (standing === "maintenance") return `in maintenance: ${maintenance}`;
  if (standing !== "acknowledged" || !acknowledgement) return "";
  const { by, note } = acknowledgement;
  return `acknowledged by ${by}${note ? `: ${note}` : ""}`;
}

/** For example `1 down, 2 warning, 97 healthy`. */
function countsLine(counts: ServerStatus["counts"]): string {
  const shown = STANDINGS.filter((standing) => counts[standing] > 0).map(
    (standing) => `${counts[standing]} ${standing === "maintenance" ? "in maintenance" : standing}`,
  );
  return shown.join(", ") || "no monitors";
}

/** SGR (ECMA-48). */
const RED = 31;
const YELLOW = 33;

/** A line with a color on the status after its beginning. */
function colored(
  line: string,
  { before, status, monitor }: { before: string; status: string; monitor: TroubledMonitor | undefined },
): string {
  if (!line.startsWith(before + status)) return line;
  const color = monitor && displayStateOfStatus(monitor.status) === "down" ? RED : YELLOW;
  return `${before}\x1b[${color}m${status}\x1b[0m${line.slice(before.length + status.length)}`;
}
