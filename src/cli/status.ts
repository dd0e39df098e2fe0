import { Command } from "commander";
import { type Flags, processSurroundings, readRemote, remoteSettings, storeSettings } from "../config.ts";
import { iso } from "../domain/iso-time.ts";
import { displayStateOfStatus } from "../domain/monitors/display-state.ts";
import { isTerminal } from "../standard-streams.ts";
import { failureOf } from "./failure.ts";
import { accessHelp, Exit, printJson, printText, say, withOrganization, withSettings } from "./options.ts";
import { readStatus, type ServerStatus } from "./status-access.ts";
import { statusTable } from "./status-table.ts";

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
  const remote = readRemote(flags, processSurroundings());
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
