import { Command, CommanderError } from "commander";
import { version } from "../../package.json";
import { UsageError } from "../config.ts";
import { AppError, StorageFault } from "../errors.ts";
import { backupCommand } from "./backup.ts";
import { checkCommand } from "./check.ts";
import { copyCommand } from "./copy.ts";
import { healthCommand } from "./health.ts";
import { keysCommand } from "./keys.ts";
import { nodesCommand } from "./nodes.ts";
import { orgsCommand } from "./orgs.ts";
import { restoreCommand } from "./restore.ts";
import { serveCommand } from "./serve.ts";

const OK = 0;
const FAILED = 1;
const MISUSED = 2;

/**
 * Runs one command of the command line (behavior 9.1).
 *
 * @returns the exit code: 0; 1 if the command failed; 2, with one line, if the command line or a setting is wrong
 */
export async function run(args: string[]): Promise<number> {
  const program = createProgram();
  try {
    await program.parseAsync(args, { from: "user" });
    return OK;
  } catch (error) {
    return report(error);
  }
}

function createProgram(): Command {
  const program = new Command("stillup")
    .description("Uptime monitoring in one binary.")
    .addCommand(serveCommand())
    .addCommand(orgsCommand())
    .addCommand(keysCommand())
    .addCommand(backupCommand())
    .addCommand(restoreCommand())
    .addCommand(checkCommand())
    .addCommand(copyCommand())
    .addCommand(healthCommand())
    .addCommand(nodesCommand())
    .addCommand(new Command("version").description("print the version").action(printVersion));
  for (const group of [program, ...program.commands.filter(({ commands }) => commands.length > 0)]) {
    group.addCommand(helpCommand(group));
  }
  for (const command of [program, ...descendants(program)]) {
    command.exitOverride().configureOutput({ writeErr: () => {} });
  }
  return program;
}

/** Commander's own `help` prints the help of all commands for an unknown name. */
function helpCommand(group: Command): Command {
  return new Command("help")
    .description("show the help of a command")
    .argument("[command...]")
    .action((names: string[]) => names.reduce(subcommand, group).help());
}

function subcommand(parent: Command, name: string): Command {
  const found = parent.commands.find((command) => command.name() === name);
  if (!found) throw new UsageError(`unknown command '${name}'`);
  return found;
}

function descendants(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...descendants(child)]);
}

function printVersion(): void {
  process.stdout.write(`${version}\n`);
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return reportUsage(error);
  if (error instanceof UsageError) return complain(error.message, MISUSED);
  if (error instanceof AppError) return complain(error.message, error.kind === "invalid" ? MISUSED : FAILED);
  if (error instanceof StorageFault) return complain(error.message, FAILED);
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== undefined) return complain(message, FAILED);
  throw error;
}

/** Commander also throws after it has printed a requested help text. */
function reportUsage({ exitCode, code, message }: CommanderError): number {
  if (exitCode === OK) return OK;
  if (code === "commander.help") return complain("give a command: see stillup help", MISUSED);
  return complain(message.replace(/^error: /, "").replaceAll("\n", " "), MISUSED);
}

function complain(message: string, exitCode: number): number {
  process.stderr.write(`stillup: ${message}\n`);
  return exitCode;
}
