import { Command, type Option } from "commander";
import { type SettingName, settings } from "../../config.ts";
import { createProgram } from "../program.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

/** A script that completes commands, options and paths in a shell (behavior 16.190). */
export const completions: Record<Shell, (tree: CommandNode) => string> = { bash, zsh, fish };

/** The names of a command, with a space before each, as the scripts of bash and zsh collect them. */
const placeOf = ({ path }: CommandNode) => path.map((name) => ` ${name}`).join("");

function bash(tree: CommandNode): string {
  const nodes = allCommands(tree);
  const wordsOf = ({ commands, options }: CommandNode) =>
    [...commands.map(({ path }) => path.at(-1)), ...options.map(({ flag }) => flag)].join(" ");
  return `# Completion of stillup for bash.
_stillup() {
  local word=\${COMP_WORDS[COMP_CWORD]} place='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$place \${COMP_WORDS[i]}" in
      ${places(nodes)}) place="$place \${COMP_WORDS[i]}" ;;
    esac
  done
  case \${COMP_WORDS[COMP_CWORD - 1]} in
    ${alternatives(nodes, isPath)}) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$word"); return ;;
    ${alternatives(nodes, isOther)}) return ;;
  esac
  case $place in
${nodes.map((node) => `    ${quoted(placeOf(node))}) words=${quoted(wordsOf(node))} ;;`).join("\n")}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _stillup stillup
`;
}

function zsh(tree: CommandNode): string {
  const nodes = allCommands(tree);
  const described = (word: string, text: string) => quoted(`${word}:${text.replaceAll(":", "\\:")}`);
  const listsOf = ({ commands, options }: CommandNode) => {
    const names = commands.map(({ path, description }) => described(path.at(-1) ?? "", description));
    const flags = options.map(({ flag, description }) => described(flag, description));
    return `commands=(${names.join(" ")}) options=(${flags.join(" ")})`;
  };
  return `#compdef stillup
# Completion of stillup for zsh.
_stillup() {
  local place='' i
  local -a commands options
  for ((i = 2; i < CURRENT; i++)); do
    case "$place $words[i]" in
      (${places(nodes)}) place="$place $words[i]" ;;
    esac
  done
  case $words[CURRENT-1] in
    (${alternatives(nodes, isPath)}) _files; return ;;
    (${alternatives(nodes, isOther)}) return ;;
  esac
  case $place in
${nodes.map((node) => `    (${quoted(placeOf(node))}) ${listsOf(node)} ;;`).join("\n")}
  esac
  if [[ $PREFIX == -* ]]; then
    _describe -o option options
  elif (( $#commands )); then
    _describe command commands
  else
    _files
  fi
}
if [ "$funcstack[1]" = _stillup ]; then _stillup "$@"; else compdef _stillup stillup; fi
`;
}

function fish(tree: CommandNode): string {
  const nodes = allCommands(tree);
  const at = ({ path }: CommandNode) => `-n ${quoted(`__stillup_at ${path.join(" ")}`)}`;
  const linesOf = (node: CommandNode) => [
    ...node.commands.map(
      ({ path, description }) =>
        `complete -c stillup ${at(node)} -f -a ${path.at(-1)} -d ${fishQuoted(description)}`,
    ),
    ...node.options.map((option) => {
      const value = option.value === null ? "" : isPath(option) ? " -r -F" : " -x";
      return `complete -c stillup ${at(node)} -l ${option.flag.replace(/^--/, "")}${value} -d ${fishQuoted(option.description)}`;
    }),
  ];
  const known = nodes.filter(({ path }) => path.length > 0).map(({ path }) => fishQuoted(path.join(" ")));
  return `# Completion of stillup for fish.
function __stillup_at
    set -l place
    for word in (commandline -opc)[2..-1]
        set -l next (string join -- ' ' $place $word)
        if contains -- $next ${known.join(" ")}
            set place $next
        end
    end
    test "$place" = "$argv"
end
${nodes.flatMap(linesOf).join("\n")}
`;
}

function places(nodes: CommandNode[]): string {
  return nodes
    .filter(({ path }) => path.length > 0)
    .map((node) => quoted(placeOf(node)))
    .join(" | ");
}

function isOther(option: OptionNode): boolean {
  return option.value !== null && !isPath(option);
}

/** The flags of some options, each once, as a pattern of `case`. */
function alternatives(nodes: CommandNode[], isWanted: (option: OptionNode) => boolean): string {
  const flags = nodes.flatMap(({ options }) => options.filter(isWanted).map(({ flag }) => flag));
  return [...new Set(flags)].join(" | ");
}

/** For bash and zsh. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** Behavior 16.190. */
export function completionCommand(): Command {
  const command = new Command("completion").description("print the completion of a shell");
  for (const shell of SHELLS) {
    command.addCommand(
      new Command(shell).description(`print the completion of ${shell}`).action(async () => {
        process.stdout.write(completions[shell](commandTree(await createProgram([]))));
      }),
    );
  }
  return command;
}

/** `stillup.1`, with the macros of man(7) (behavior 16.191). @param date of the release */
export function manualPage(tree: CommandNode, { version, date }: { version: string; date: Date }): string {
  const commands = allCommands(tree).filter(({ path, commands }) => path.length > 0 && commands.length === 0);
  return [
    `.TH STILLUP 1 "${date.toISOString().slice(0, 10)}" "stillup ${version}"`,
    ".SH NAME\nstillup \\- uptime monitoring in one binary",
    ".SH SYNOPSIS\n.B stillup\n.I COMMAND\n.RI [ OPTION ]...",
    `.SH DESCRIPTION\n${escaped(tree.description)} Each option is a flag, otherwise an environment variable, otherwise a default.`,
    `.SH COMMANDS\n${commands.map(commandSection).join("\n")}`,
    `.SH OPTIONS\n${tree.options.map(optionItem).join("\n")}`,
    `.SH ENVIRONMENT\n${(Object.keys(settings) as SettingName[]).map(variable).join("\n")}`,
    ".SH EXIT STATUS\n.TP\n0\nSuccess.\n.TP\n1\nThe command failed.\n.TP\n2\nThe command line or a setting is wrong; or, with \\-\\-dry\\-run, there are changes.\n.TP\n3\nOnly of status: the monitors can\\(aqt be read; its 1 means that a monitor is down.",
    ".SH FILES\n.TP\n.I /etc/stillup/stillup.env\nThe settings of the service.\n.TP\n.I /var/lib/stillup\nThe database of the service.",
    "",
  ].join("\n");
}

function commandSection({ path, description, arguments: names, options }: CommandNode): string {
  const title = `.SS stillup ${escaped([...path, ...names].join(" "))}`;
  return [title, escaped(sentence(description)), ...options.map(optionItem)].join("\n");
}

function optionItem({ flag, value, description }: OptionNode): string {
  const name = value === null ? `.B ${escaped(flag)}` : `.BI "${escaped(flag)} " "${escaped(value)}"`;
  return `.TP\n${name}\n${escaped(sentence(description))}`;
}

function variable(name: SettingName): string {
  const { variable: title, flag, help } = settings[name];
  return `.TP\n.B ${escaped(title)}\nAs ${escaped(flag)}: ${escaped(help)}.`;
}

function sentence(text: string): string {
  return `${text.replace(/^./, (letter) => letter.toUpperCase())}${/[.!?]$/.test(text) ? "" : "."}`;
}

/** A point or an apostrophe at the start of a line would be a request. */
function escaped(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll('"', "\\(dq")
    .replaceAll("'", "\\(aq")
    .replace(/^\./gm, "\\&.");
}

/** A command as completions and the manual page describe it. @property path the names of its groups, then its name */
interface CommandNode {
  path: string[];
  description: string;
  /** Such as `<FILE>`. */
  arguments: string[];
  options: OptionNode[];
  commands: CommandNode[];
}

interface OptionNode {
  /** Such as `--data-dir`. */
  flag: string;
  /** The placeholder of its value, such as `DIR`; null without a value. */
  value: string | null;
  description: string;
}

/** A command with all below it. */
export function commandTree(command: Command, path: string[] = []): CommandNode {
  return {
    path,
    description: command.description(),
    arguments: command.registeredArguments.map((one) => argumentOf(one.name(), one.required, one.variadic)),
    options: command.options.filter(({ hidden }) => !hidden).map(optionOf),
    commands: command.commands.map((child) => commandTree(child, [...path, child.name()])),
  };
}

/** A command and all below it, in the order of the help. */
export function allCommands(node: CommandNode): CommandNode[] {
  return [node, ...node.commands.flatMap(allCommands)];
}

/** Whether a value is a path, which a shell can complete. */
function isPath({ value }: OptionNode): boolean {
  return value !== null && /FILE|DIR|PATH/.test(value);
}

function argumentOf(name: string, required: boolean, variadic: boolean): string {
  const text = variadic ? `${name}...` : name;
  return required ? `<${text}>` : `[${text}]`;
}

function optionOf({ long, short, flags, description }: Option): OptionNode {
  const value = /<(.+)>/.exec(flags)?.[1] ?? null;
  return { flag: long ?? short ?? flags, value, description };
}
