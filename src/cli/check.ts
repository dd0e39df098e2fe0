import { Command } from "commander";
import { type Flags, storeSettings } from "../config.ts";
import { AppError } from "../errors.ts";
import { checkStore } from "../store/open-store.ts";
import { configOf, say, withSettings } from "./options.ts";

export function checkCommand(): Command {
  const command = new Command("check").description("check the database for damage, also while a server runs");
  return withSettings(command, storeSettings).action(async (flags: Flags) => {
    const { database, damage } = await checkStore(configOf(flags));
    if (damage.length > 0) throw new AppError("refused", `${database} is damaged: ${damage.join("; ")}`);
    say(`${database} has no damage`);
  });
}
