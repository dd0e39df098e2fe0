import { createRefNames } from "../../domain/configuration/ref-names.ts";
import type { Imported } from "../imported.ts";
import { createReport } from "../report.ts";
import { createSecrets } from "../secrets.ts";
import { channelsFrom } from "./channels.ts";
import { idOf, type KumaData, numberOf, type Row, textOf } from "./data.ts";
import { createGroups } from "./groups.ts";
import { historyFrom } from "./history.ts";
import { maintenancesFrom } from "./maintenances.ts";
import { monitorFrom } from "./monitors.ts";
import { reportOthers } from "./others.ts";
import { pagesFrom } from "./pages.ts";
import { createTags } from "./tags.ts";
import { writeMonitors } from "./written-monitors.ts";

/**
 * The configuration document for an Uptime Kuma, and what has no place in it (behavior 16.94 to 16.102).
 *
 * @param now milliseconds since 1970
 */
export function importKuma(
  data: KumaData,
  { withSecrets, now }: { withSecrets: boolean; now: number },
): Imported {
  const report = createReport();
  const secrets = createSecrets(withSecrets);
  const groups = createGroups(data.monitors);
  const channels = channelsFrom(data, { refOf: createRefNames("channel"), secrets, report });
  const refOf = createRefNames("monitor");
  const tokens = new Set();
  const tagsOf = createTags(data, { groups, report });
  const monitors = inOrder(data.monitors).flatMap(
    (row) => monitorFrom(row, { refOf, groups, tagsOf, report, tokens }) ?? [],
  );
  const monitorRefs = new Map(monitors.map(({ row, ref }) => [idOf(row) ?? Number.NaN, ref]));
  const written = writeMonitors(monitors, { channels, secrets, data, refOf });
  const maintenances = maintenancesFrom(data, {
    ...{ refOf: createRefNames("maintenance"), monitorRefs, groups, report, now },
  });
  const pages = pagesFrom(data, { refOf: createRefNames("page"), monitorRefs, report });
  const history = historyFrom(data, { monitors, now });
  reportOthers(data, { channels, groups, monitors, report });
  const sections = { channels: channels.entries, monitors: written, maintenances, pages, history };
  return {
    document: wellFormed(
      Object.fromEntries(Object.entries(sections).filter(([, entries]) => Object.keys(entries).length > 0)),
    ),
    left: report.left(),
    notes: report.notes(),
    secrets: secrets.variables(),
  };
}

/** Without halves of characters, which a text of UTF-8 cannot have. */
function wellFormed<T>(value: T): T;
function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name.toWellFormed(), wellFormed(field)]),
  );
}

/** As the page of Uptime Kuma lists them: the heaviest first, then by name. */
function inOrder(rows: KumaData["monitors"]): KumaData["monitors"] {
  const weight = (row: Row) => numberOf(row, "weight") ?? 0;
  const name = (row: Row) => textOf(row, "name");
  return rows.toSorted(
    (a, b) => weight(b) - weight(a) || (name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : 0),
  );
}
