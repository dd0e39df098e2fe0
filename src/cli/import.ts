import { writeFileSync } from "node:fs";
import { Command } from "commander";
import { MAX_FILE_BYTES } from "../configuration-file/read.ts";
import { oneLine, truncate } from "../domain/truncate.ts";
import { AppError } from "../errors.ts";
import type { Imported, Omitted } from "../import/imported.ts";
import { fileReason } from "../system-error.ts";
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
  upptime: {
    argument: "<FILE>",
    description: "Upptime: its configuration file, .upptimerc.yml",
    load: async () => (await import("./import/upptime.ts")).importFromUpptime,
  },
  openstatus: {
    argument: "<FILE>",
    description: "openstatus: openstatus.yaml of its command line tool, or a file with answers of its API",
    load: async () => (await import("./import/openstatus.ts")).importFromOpenstatus,
  },
  uptimerobot: {
    argument: "<FILE>",
    description: "UptimeRobot: a file with answers of its API, version 2 or 3",
    load: async () => (await import("./import/uptimerobot.ts")).importFromUptimeRobot,
  },
  betterstack: {
    argument: "<FILE>",
    description: "Better Stack Uptime: a file with answers of its API",
    load: async () => (await import("./import/betterstack.ts")).importFromBetterStack,
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
    .option(
      "--report <FILE>",
      "write what was left out, changed or to know into a file, and only print the sums",
    )
    .action(
      async (from: string, { withSecrets = false, report }: { withSecrets?: boolean; report?: string }) => {
        const importer = await load();
        const imported = await importer(from, { withSecrets, now: Date.now() });
        await print(imported, { name, withSecrets, report });
      },
    );
}

async function print(
  { document, found, omitted, notes, secrets }: Imported,
  { name, withSecrets, report }: { name: string; withSecrets: boolean; report: string | undefined },
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
  const { lost, others, last } = reportOf({ document, found, omitted, notes, secrets });
  if (report !== undefined) writeFile(report, [...lost, ...others, ...last]);
  for (const sentence of report === undefined ? [...lost, ...others] : lost) say(sentence);
  if (report !== undefined) say(`${report} has all ${lost.length + others.length} lines`);
  for (const sentence of last) say(sentence);
}

/** Only the owner may read it: it names what a server checks. @throws AppError `refused` */
function writeFile(path: string, lines: string[]): void {
  try {
    writeFileSync(path, `${lines.join("\n")}\n`, { mode: 0o600 });
  } catch (error) {
    throw new AppError("refused", `${path} can't be written: ${fileReason(error)}`);
  }
}

/** The lines about an import: monitors that are left out, by reason; parts and notes; the sums (behavior 16.104). */
function reportOf({ document, found, omitted, notes, secrets }: Imported) {
  const lost = omitted.filter((one) => one.lost !== undefined);
  const parts = omitted.filter((one) => one.lost === undefined);
  const sentence = ({ what, why }: Omitted) => line(`${what}: ${why}`);
  const byReason = Map.groupBy(lost, ({ why }) => why);
  return {
    lost: [...byReason.values()].sort((a, b) => b.length - a.length).flatMap((of) => of.map(sentence)),
    others: [...parts.map(sentence), ...notes.map((note) => line(`note: ${note}`))],
    last: [
      ...(secrets.length > 0 ? [`Set these variables for stillup apply: ${secrets.join(", ")}`] : []),
      othersOf(document, parts.length),
      monitorsOf(document, { found, lost }),
    ],
  };
}

const MAX_LINE = 500;

/** The names in it are texts of another product, which may contain what a terminal interprets. */
function line(text: string): string {
  return truncate(oneLine(text), MAX_LINE);
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? "" : "s"}`;
}

function othersOf(document: Imported["document"], parts: number): string {
  const sections = ["channels", "maintenances", "pages"] as const;
  const counts = sections.map((section) =>
    counted(Object.keys(document[section] ?? {}).length, section.slice(0, -1)),
  );
  return `${counts.join(", ")}; ${counted(parts, "part")} left out or changed`;
}

function monitorsOf(
  { monitors = {} }: Imported["document"],
  { found, lost }: { found: number; lost: Omitted[] },
): string {
  const taken = found - lost.length;
  const further = Object.keys(monitors).length - taken;
  const beside =
    further > 0 ? ` (and ${further} TLS ${further === 1 ? "monitor" : "monitors"} beside them)` : "";
  const sum = `${taken} of ${counted(found, "monitor")}${beside}; ${lost.length} not taken over`;
  const types = Map.groupBy(
    lost.flatMap((one) => one.lost?.type ?? []),
    (type) => type,
  );
  if (types.size === 0) return sum;
  const each = [...types].map(([type, of]) => `${type} ${of.length}`).sort();
  const ofTypes = [...types.values()].flat().length;
  const others = ofTypes < lost.length ? `, ${lost.length - ofTypes} for other reasons` : "";
  return line(`${sum}: ${ofTypes} of types that stillup lacks (${each.join(", ")})${others}`);
}
