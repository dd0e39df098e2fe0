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

interface ApplyFlags extends Flags {
  dryRun?: boolean;
  prune?: true | string;
  org?: string;
}

/** Behavior 16.65 to 16.67. */
export function applyCommand(): Command {
  const command = new Command("apply")
    .description("create, update and delete what a configuration file says")
    .argument("[FILE]", "YAML or JSON; - reads standard input")
    .option("--dry-run", "change nothing: exit code 2 if there are changes, 0 if there are none")
    .option(
      "--prune [all]",
      "delete what has a ref that the file lacks; --prune=all if that is more than a fifth",
    );
  return withSettings(withOrganization(command), [...remoteSettings, ...storeSettings], accessHelp).action(
    apply,
  );
}

async function apply(
  argument: string | undefined,
  { dryRun = false, prune: given, org, ...flags }: ApplyFlags,
) {
  const { file, prune } = fileAndPrune(argument, given);
  const { applyFile, readBytes, readFileBytes } = await import("../configuration-file/apply-file.ts");
  try {
    const bytes = await (file === "-" ? readBytes(process.stdin) : readFileBytes(file));
    const { changes } = await withConfiguration({ flags, org }, (access) =>
      applyFile(bytes, placeholderVariables(processSurroundings().env), (document) =>
        access.apply(document, { prune, isDryRun: dryRun }),
      ),
    );
    await report(changes, dryRun);
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

/** @throws Exit with 2 if there are changes that were not made */
async function report(changes: readonly Change[], isDryRun: boolean): Promise<void> {
  const lines = changes.map(({ action, kind, ref, fields }) => {
    const changed = action === "update" ? `: ${fields.join(", ")}` : "";
    return `${visibleLine(`${signs[action]} ${kind} ${ref}${changed}`)}\n`;
  });
  await printText(lines.join(""));
  say(summary(changes, isDryRun));
  if (isDryRun && changes.length > 0) throw new Exit(2);
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
