import { type SettingName, settings } from "../../config.ts";
import { allCommands, type CommandNode, type OptionNode } from "./command-tree.ts";

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
