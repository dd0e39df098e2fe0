import { Command } from "commander";
import type { Flags } from "../config.ts";
import { AppError } from "../errors.ts";
import { findDamage } from "../store/sqlite/backup.ts";
import { existingDatabase } from "../store/sqlite/data-dir.ts";
import { configOf, say, withSettings } from "./options.ts";

export function checkCommand(): Command {
  const command = new Command("check").description("check the database for damage, also while a server runs");
  return withSettings(command, ["dataDir"]).action((flags: Flags) => {
    const file = existingDatabase(configOf(flags).dataDir);
    const damage = findDamage(file);
    if (damage.length > 0) throw new AppError("refused", `${file} is damaged: ${damage.join("; ")}`);
    say(`${file} has no damage`);
  });
}
