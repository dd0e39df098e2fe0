import { Command } from "commander";
import { createProgram } from "./program.ts";
import { commandTree } from "./shell/command-tree.ts";
import { completions, SHELLS } from "./shell/completions.ts";

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
