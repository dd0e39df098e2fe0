import type { Command, Option } from "commander";

/** A command as completions and the manual page describe it. @property path the names of its groups, then its name */
export interface CommandNode {
  path: string[];
  description: string;
  /** Such as `<FILE>`. */
  arguments: string[];
  options: OptionNode[];
  commands: CommandNode[];
}

export interface OptionNode {
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
export function isPath({ value }: OptionNode): boolean {
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
