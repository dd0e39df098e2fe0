import { Command } from "commander";
import {
  type Flags,
  placeholderVariables,
  processSurroundings,
  remoteSettings,
  storeSettings,
  UsageError,
} from "../config.ts";
import { FileFaults, faultLine } from "../configuration-file/source-fault.ts";
import type { Change, ChangeAction, PruneMode } from "../domain/configuration/plan.ts";
import { visibleLine } from "../log.ts";
import { withConfiguration } from "./configuration-access.ts";
import { accessHelp, Exit, printText, say, withOrganization, withSettings } from "./options.ts";
import type { ReplayedMonitor } from "./replay-plan.ts";

interface ApplyFlags extends Flags {
  dryRun?: boolean;
  replay?: string;
  prune?: true | string;
  json?: boolean;
  org?: string;
}

/** Behavior 16.65 to 16.67, 25.40 to 25.45. */
export function applyCommand(): Command {
  const command = new Command("apply")
    .description("create, update and delete what a configuration file says")
    .argument("[FILE]", "YAML or JSON; - reads standard input")
    .option("--dry-run", "change nothing: exit code 2 if there are changes, 0 if there are none")
    .option(
      "--replay <DAYS>",
      "with --dry-run: for each monitor, the messages that there would have been in the last 1 to 90 days",
    )
    .option(
      "--prune [all]",
      "delete what has a ref that the file lacks; --prune=all if that is more than a fifth",
    )
    .option("--json", "print the changes as JSON");
  return withSettings(withOrganization(command), [...remoteSettings, ...storeSettings], accessHelp).action(
    apply,
  );
}

async function apply(
  argument: string | undefined,
  { dryRun = false, replay, prune: given, json = false, org, ...flags }: ApplyFlags,
) {
  const { file, prune } = fileAndPrune(argument, given);
  if (replay !== undefined && !dryRun) throw new UsageError("--replay needs --dry-run");
  const replaying = replay === undefined ? undefined : (await import("./replay-plan.ts")).replayerFor(replay);
  const { applyFile, readBytes, readFileBytes } = await import("../configuration-file/apply-file.ts");
  try {
    const bytes = await (file === "-" ? readBytes(process.stdin) : readFileBytes(file));
    await withConfiguration({ flags, org }, async (access) => {
      const variables = placeholderVariables(processSurroundings().env);
      const applied = await applyFile(bytes, variables, async (document) => ({
        document,
        ...(await access.apply(document, { prune, isDryRun: dryRun })),
      }));
      await report(applied.changes, {
        isDryRun: dryRun,
        isJson: json,
        replays: replaying?.(access, applied),
      });
    });
  } catch (error) {
    if (!(error instanceof FileFaults)) throw error;
    for (const fault of error.faults)
      say(fault.path === "" ? `stillup: ${faultLine(fault)}` : faultLine(fault));
    throw new Exit(1);
  }
}

/** A word after `--prune` and a blank is the file, unless it is `all`. @throws UsageError without a file */
function fileAndPrune(
  argument: string | undefined,
  given: true | string | undefined,
): { file: string; prune: PruneMode } {
  const isFile = typeof given === "string" && given !== "all";
  if (isFile && argument !== undefined)
    throw new UsageError(`--prune must be alone or --prune=all, got ${JSON.stringify(given)}`);
  const file = isFile ? given : argument;
  if (file === undefined) throw new UsageError("missing required argument 'FILE'");
  return { file, prune: given === undefined ? "none" : given === "all" ? "all" : "some" };
}

const signs: Record<ChangeAction, string> = { create: "+", update: "~", delete: "-" };
const done: Record<ChangeAction, string> = { create: "created", update: "updated", delete: "deleted" };

/**
 * The plan, and below it what a replay finds, which may take a while.
 *
 * @throws Exit with 2 if there are changes that were not made
 */
async function report(
  changes: readonly Change[],
  {
    isDryRun,
    isJson,
    replays,
  }: { isDryRun: boolean; isJson: boolean; replays: AsyncIterable<ReplayedMonitor> | undefined },
): Promise<void> {
  if (isJson) {
    const shown = replays && { replays: await Array.fromAsync(replays, ({ line: _, ...one }) => one) };
    await printText(`${JSON.stringify({ changes, ...shown }, null, 2)}\n`);
  } else await printText(changes.map(changeLine).join(""));
  say(summary(changes, isDryRun));
  if (replays && !isJson) await printReplays(replays);
  if (isDryRun && changes.length > 0) throw new Exit(2);
}

function changeLine({ action, kind, ref, fields }: Change): string {
  const changed = action === "update" ? `: ${fields.join(", ")}` : "";
  return `${visibleLine(`${signs[action]} ${kind} ${ref}${changed}`)}\n`;
}

/** After an empty line, each as soon as it is there. */
async function printReplays(replays: AsyncIterable<ReplayedMonitor>): Promise<void> {
  let before = "\n";
  for await (const { line } of replays) {
    await printText(`${before}${visibleLine(line)}\n`);
    before = "";
  }
}

/** For example `1 created, 2 updated` or `1 to create, 2 to update`. */
function summary(changes: readonly Change[], isDryRun: boolean): string {
  if (changes.length === 0) return "nothing to change";
  const counts = (Object.keys(done) as ChangeAction[]).flatMap((action) => {
    const count = changes.filter((change) => change.action === action).length;
    return count === 0 ? [] : [`${count} ${isDryRun ? `to ${action}` : done[action]}`];
  });
  return counts.join(", ");
}
