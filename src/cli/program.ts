import { Command, CommanderError } from "commander";
import { version } from "../../package.json";
import { UsageError } from "../config.ts";
import { closestWord } from "../domain/closest-word.ts";
import { isTerminal, visible } from "../log.ts";
import { addExamples } from "./examples.ts";
import { failureOf } from "./failure.ts";
import { Exit } from "./options.ts";

/** See `late-end.ts`, which most commands do not load. */
const LATE_END = "report-late-end";

const OK = 0;
const FAILED = 1;
const MISUSED = 2;

const NEEDS_DATABASE =
  "this command has no --server: run it on the machine of the server, with --data-dir or --database-url";

/** The modules of a command. `serve` alone needs some tens of megabytes for its modules, which `probe` must not load. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  serve: async () => (await import("./serve.ts")).serveCommand(),
  probe: async () => (await import("./probe.ts")).probeCommand(),
  run: async () => (await import("./run.ts")).runCommand(),
  orgs: async () => (await import("./orgs.ts")).orgsCommand(),
  keys: async () => (await import("./keys.ts")).keysCommand(),
  people: async () => (await import("./people.ts")).peopleCommand(),
  backup: async () => (await import("./database.ts")).backupCommand(),
  restore: async () => (await import("./database.ts")).restoreCommand(),
  check: async () => (await import("./database.ts")).checkCommand(),
  copy: async () => (await import("./copy.ts")).copyCommand(),
  status: async () => (await import("./status.ts")).statusCommand(),
  health: async () => (await import("./health.ts")).healthCommand(),
  monitors: async () => (await import("./monitors.ts")).monitorsCommand(),
  ack: async () => (await import("./monitors.ts")).ackCommand(),
  login: async () => (await import("./context.ts")).loginCommand(),
  logout: async () => (await import("./context.ts")).logoutCommand(),
  maintenance: async () => (await import("./maintenance.ts")).maintenanceCommand(),
  import: async () => (await import("./import.ts")).importCommand(),
  apply: async () => (await import("./apply.ts")).applyCommand(),
  export: async () => (await import("./export.ts")).exportCommand(),
  mcp: async () => (await import("./mcp.ts")).mcpCommand(),
  completion: async () => (await import("./shell/completions.ts")).completionCommand(),
  nodes: async () => (await import("./database.ts")).nodesCommand(),
  version: async () => (await import("./version.ts")).versionCommand(),
};

/** The commands in the help, by subject. */
const GROUPS: Record<string, string[]> = {
  "Run:": ["serve", "probe", "run"],
  "Daily work:": ["status", "monitors", "ack", "maintenance", "health", "nodes"],
  "A server elsewhere:": ["login", "logout"],
  "Agents:": ["mcp"],
  "Configuration files:": ["import", "apply", "export"],
  "Access:": ["orgs", "keys", "people"],
  "Database:": ["backup", "restore", "check", "copy"],
};

const EXAMPLES = `
Examples:
  stillup serve                                     start the server with its page
  stillup login https://status.example.com          use a server elsewhere
  stillup status                                    print the monitors in trouble
  stillup run --url URL -- ./backup.sh              report the run of a job
  stillup apply monitors.yaml --dry-run             show what a configuration file would change
  stillup keys create --name me                     create a key to sign in with

"stillup help COMMAND" shows the options of a command, with examples.`;

/**
 * Runs one command of the command line (behavior 9.1).
 *
 * @returns the exit code: 0; 1 if the command failed; 2, with one line, if the command line or a setting is wrong
 */
export async function run(args: string[]): Promise<number> {
  const [first = ""] = args;
  if (first === LATE_END) {
    await (await import("./run/late-end.ts")).reportLateEnd();
    return OK;
  }
  const words = first === "-v" ? ["--version"] : args;
  const program = await createProgram(words);
  // A server does this when it has started.
  if (first !== "serve") Bun.unsafe.setJITPolicy(1);
  try {
    await program.parseAsync(words, { from: "user" });
    return OK;
  } catch (error) {
    return report(error, words, program);
  }
}

/** Without the other commands if the first argument is the name of one. */
export async function createProgram([name = ""]: string[]): Promise<Command> {
  const program = new Command("stillup")
    .description("Uptime monitoring in one binary.")
    .version(version, "-V, --version", "print the version")
    .enablePositionalOptions()
    .addHelpText("after", EXAMPLES);
  const only = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  for (const create of only ? [only] : Object.values(COMMANDS)) program.addCommand(await create());
  for (const group of [program, ...program.commands.filter(({ commands }) => commands.length > 0)]) {
    group.addCommand(helpCommand(group));
  }
  for (const command of program.commands) {
    const heading = Object.keys(GROUPS).find((one) => GROUPS[one]?.includes(command.name()));
    command.helpGroup(heading ?? "Other:");
  }
  for (const command of [program, ...descendants(program)]) {
    command.exitOverride().configureOutput({ writeErr: () => {} });
    addExamples(command, pathOf(command));
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
  if (found) return found;
  const near = closestWord(
    name,
    parent.commands.map((command) => command.name()),
  );
  throw new UsageError(`unknown command '${name}'${near === undefined ? "" : `: did you mean ${near}?`}`);
}

function descendants(command: Command): Command[] {
  return command.commands.flatMap((child) => [child, ...descendants(child)]);
}

/** The names of the groups of a command and its own, without the name of the program. */
function pathOf(command: Command): string {
  const { parent } = command;
  return parent ? `${pathOf(parent)} ${command.name()}`.trim() : "";
}

/** @param words after the name of the program */
function report(error: unknown, words: string[], program: Command): number {
  if (error instanceof Exit) return error.code;
  if (error instanceof CommanderError) return reportUsage(error, words, program);
  const failure = failureOf(error);
  if (failure) return complain(failure.message, failure.isMisuse ? MISUSED : FAILED);
  throw error;
}

/** Commander also throws after it has printed a requested help text. */
function reportUsage({ exitCode, code, message }: CommanderError, words: string[], program: Command): number {
  const [first = ""] = words;
  if (exitCode === OK) return OK;
  if (code === "commander.unknownOption" && /'--(server|key-file)\b/.test(message)) {
    const named = words.reduce(
      (group, word) => group.commands.find((one) => one.name() === word) ?? group,
      program,
    );
    if (named.options.some(({ long }) => long === "--data-dir")) return complain(NEEDS_DATABASE, MISUSED);
  }
  if (code === "commander.help") {
    if (!isTerminal(1)) return complain(`give a command: see stillup help ${first}`.trim(), MISUSED);
    const group = program.commands.find((command) => command.name() === first) ?? program;
    group.outputHelp();
    return MISUSED;
  }
  if (code === "commander.unknownCommand" && !message.includes("Did you mean"))
    return complain(`${message.replace(/^error: /, "")}: see stillup help`, MISUSED);
  return complain(message.replace(/^error: /, "").replaceAll("\n", " "), MISUSED);
}

function complain(message: string, exitCode: number): number {
  process.stderr.write(`stillup: ${visible(message)}\n`);
  return exitCode;
}
