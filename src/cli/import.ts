import { Command } from "commander";
import { MAX_FILE_BYTES } from "../configuration-file/read.ts";
import { SECTIONS } from "../domain/configuration/document.ts";
import { oneLine, truncate } from "../domain/truncate.ts";
import { AppError } from "../errors.ts";
import type { Imported } from "../import/imported.ts";
import { printText, say } from "./options.ts";

export interface ImportOptions {
  withSecrets: boolean;
  /** Milliseconds since 1970. */
  now: number;
}

/** Reads another product, from a file, a folder or an address. @throws AppError */
type Importer = (from: string, options: ImportOptions) => Promise<Imported>;

interface Source {
  argument: string;
  description: string;
  load: () => Promise<Importer>;
}

const SOURCES: Record<string, Source> = {
  kuma: {
    argument: "<PATH>",
    description: "Uptime Kuma 1.23 or 2: kuma.db (also while it runs), its data folder, or a JSON backup",
    load: async () => (await import("./import/kuma.ts")).importFromKuma,
  },
  gatus: {
    argument: "<PATH>",
    description: "Gatus: its configuration file, or a folder of them",
    load: async () => (await import("./import/gatus.ts")).importFromGatus,
  },
  healthchecks: {
    argument: "<URL|PATH>",
    description:
      "Healthchecks 3: the address of the server, with the API key in HEALTHCHECKS_API_KEY, or a file with an answer of its API",
    load: async () => (await import("./import/healthchecks.ts")).importFromHealthchecks,
  },
};

/** Behavior 16.92, 16.93. */
export function importCommand(): Command {
  const command = new Command("import").description(
    "print a configuration file for what another product has; it changes nothing",
  );
  for (const [name, source] of Object.entries(SOURCES)) command.addCommand(sourceCommand(name, source));
  return command;
}

function sourceCommand(name: string, { argument, description, load }: Source): Command {
  return new Command(name)
    .description(description)
    .argument(argument)
    .option("--with-secrets", "print secrets instead of placeholders for them")
    .action(async (from: string, { withSecrets = false }: { withSecrets?: boolean }) => {
      const importer = await load();
      await print(await importer(from, { withSecrets, now: Date.now() }), { name, withSecrets });
    });
}

async function print(
  { document, omitted, notes, secrets }: Imported,
  { name, withSecrets }: { name: string; withSecrets: boolean },
): Promise<void> {
  const { printConfiguration } = await import("../configuration-file/print.ts");
  const head = [`Written by stillup import ${name}.`, ...(withSecrets ? ["It contains secrets."] : [])];
  const text = printConfiguration(document, { secrets, head });
  if (Buffer.byteLength(text) > MAX_FILE_BYTES)
    throw new AppError(
      "refused",
      "the configuration file would have more than 16 MiB, which no server takes",
    );
  await printText(text);
  for (const note of notes) say(line(`note: ${note}`));
  for (const { what, why } of omitted) say(line(`${what}: ${why}`));
  if (secrets.length > 0) say(`Set these variables for stillup apply: ${secrets.join(", ")}`);
  say(summaryOf(document, omitted.length));
}

const MAX_LINE = 500;

/** The names in it are texts of another product, which may contain what a terminal interprets. */
function line(text: string): string {
  return truncate(oneLine(text), MAX_LINE);
}

function summaryOf(document: Imported["document"], omitted: number): string {
  const counts = SECTIONS.map((section) => {
    const count = Object.keys(document[section] ?? {}).length;
    return `${count} ${count === 1 ? section.slice(0, -1) : section}`;
  });
  return `${counts.join(", ")}; ${omitted} ${omitted === 1 ? "thing" : "things"} not taken over`;
}
