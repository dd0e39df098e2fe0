import { Command } from "commander";
import { type Flags, remoteSettings, storeSettings } from "../config.ts";
import { withConfiguration } from "./configuration-access.ts";
import { findRemote } from "./context.ts";
import { accessHelp, printText, say, withOrganization, withSettings } from "./options.ts";

interface ExportFlags extends Flags {
  setRefs?: true;
  org?: string;
}

/** Behavior 16.76. */
export function exportCommand(): Command {
  const command = new Command("export")
    .description("print what exists as a configuration file")
    .option("--set-refs", "store the refs of what has none first");
  return withSettings(withOrganization(command), [...remoteSettings, ...storeSettings], accessHelp).action(
    async ({ setRefs, org, ...flags }: ExportFlags) => {
      const { document, secrets } = await withConfiguration({ flags, org }, async (access) => {
        if (setRefs) await access.setRefs();
        return access.export();
      });
      const { printConfiguration } = await import("../configuration-file/print.ts");
      await printText(printConfiguration(document, { secrets, head: headOf(flags) }));
      if (secrets.length > 0) say(`secrets are not exported: to apply the file, set ${secrets.join(", ")}`);
    },
  );
}

/** Editors validate a file by the schema that its first line names. */
function headOf(flags: Flags): string[] {
  const remote = findRemote(flags);
  return remote ? [`yaml-language-server: $schema=${remote.server}/schema/config.json`] : [];
}
