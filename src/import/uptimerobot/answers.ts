import { isSet, numberOf } from "../api-answers.ts";
import { listOf, type Report, recordOf, textOf } from "../imported.ts";
import { contactOfVersion2, monitorOfVersion2, pageOfVersion2, windowOfVersion2 } from "./version2.ts";

/* Version 2 of the API of UptimeRobot names its lists; version 3 has the one list `data`. Entries of version 2 become entries of version 3. */

export type Entry = Record<string, unknown>;

const KINDS = ["monitor", "contact", "window", "page", "group"] as const;
type Kind = (typeof KINDS)[number];

interface List {
  kind: Kind;
  /** An entry as version 3 writes it. */
  convert(entry: Entry): Entry;
}

/** By the name of the list in an answer of version 2. */
const LISTS: Record<string, List> = {
  monitors: { kind: "monitor", convert: monitorOfVersion2 },
  alert_contacts: { kind: "contact", convert: contactOfVersion2 },
  mwindows: { kind: "window", convert: windowOfVersion2 },
  psps: { kind: "page", convert: pageOfVersion2 },
};

export interface Answers {
  /** By kind, each once. */
  entries: Record<Kind, Entry[]>;
  /** The time zone of the account, as it is written. */
  timezone: string | undefined;
  /** The message of an answer that is a failure. */
  failure: string | undefined;
  hasVersion2: boolean;
}

/** Reads the values of a file: answers, lists of answers, or entries. What is missing in it is reported. */
export function readAnswers(values: readonly unknown[], report: Report): Answers {
  const found = createFound();
  const answers: Answers = {
    entries: { monitor: [], contact: [], window: [], page: [], group: [] },
    ...{ timezone: undefined, failure: undefined, hasVersion2: false },
  };

  function readAnswer(value: unknown): void {
    if (Array.isArray(value)) {
      value.forEach(readAnswer);
      return;
    }
    const answer = recordOf(value);
    answers.timezone ??= textOf(answer.timezone);
    if (answer.stat === "fail")
      answers.failure ??= textOf(recordOf(answer.error).message) ?? "the answer is a failure";
    // A monitor has lists too.
    const names = "id" in answer ? [] : Object.keys(LISTS).filter((name) => Array.isArray(answer[name]));
    for (const name of names) readNamed(answer, name);
    if (Array.isArray(answer.data)) {
      const kinds = new Set(answer.data.map((entry) => readEntry(recordOf(entry))));
      for (const kind of kinds) if (kind) found.addPage(kind, isSet(answer.nextLink));
    } else if (names.length === 0 && !("stat" in answer)) readEntry(answer);
  }

  function readNamed(answer: Entry, name: string): void {
    const list = LISTS[name];
    if (!list) return;
    answers.hasVersion2 = true;
    for (const entry of listOf(answer[name])) found.add(list.kind, list.convert(recordOf(entry)));
    found.expect(list.kind, numberOf(recordOf(answer.pagination).total ?? answer.total) ?? 0);
  }

  /** An entry whose list has no name. */
  function readEntry(entry: Entry): Kind | undefined {
    if ("friendly_name" in entry) {
      readNamed({ [listOfVersion2(entry)]: [entry] }, listOfVersion2(entry));
      return undefined;
    }
    // An account with several users has a list of contacts for each of them.
    if ("notifyOnly" in entry) {
      for (const contact of listOf(entry.alertContacts).map(recordOf))
        found.add("contact", { ...contact, friendlyName: contact.name });
      return "contact";
    }
    const kind = kindOf(entry);
    if (kind) found.add(kind, entry);
    else if (!IGNORED.some((name) => name in entry)) {
      const fields = Object.keys(entry).slice(0, 5).join(", ") || "no fields";
      report.omit(`an entry with ${fields}`, "stillup does not know what it is");
    }
    return kind;
  }

  values.forEach(readAnswer);
  for (const kind of KINDS) {
    answers.entries[kind] = found.entries(kind);
    const why = found.missing(kind);
    if (why !== undefined) report.omit(`${kind}s`, `${why}: add the next pages of the answer to it`);
  }
  return answers;
}

/** The entries that were found, each once by its ID, and whether pages are missing. */
function createFound() {
  const all = new Map<Kind, Map<string, Entry>>(KINDS.map((kind) => [kind, new Map()]));
  const totals = new Map<Kind, number>();
  const [open, ended] = [new Set<Kind>(), new Set<Kind>()];
  const of = (kind: Kind) => all.get(kind) ?? new Map<string, Entry>();
  return {
    entries: (kind: Kind) => [...of(kind).values()],
    add(kind: Kind, entry: Entry): void {
      const id = textOf(entry.id) ?? `#${of(kind).size}`;
      of(kind).set(id, { ...of(kind).get(id), ...entry });
    },
    addPage: (kind: Kind, hasNext: boolean) => void (hasNext ? open : ended).add(kind),
    expect: (kind: Kind, total: number) => void totals.set(kind, Math.max(total, totals.get(kind) ?? 0)),
    missing(kind: Kind): string | undefined {
      const total = totals.get(kind) ?? 0;
      if (total > of(kind).size) return `the file has ${of(kind).size} of ${total}`;
      return open.has(kind) && !ended.has(kind) ? "the file does not have the last page" : undefined;
    },
  };
}

function listOfVersion2(entry: Entry): string {
  if ("standard_url" in entry) return "psps";
  if ("start_time" in entry) return "mwindows";
  return "url" in entry ? "monitors" : "alert_contacts";
}

/** An entry of version 3, by the fields that only its kind has. */
function kindOf(entry: Entry): Kind | undefined {
  if ("autoAddMonitors" in entry) return "window";
  if ("enableNotificationsFor" in entry) return "contact";
  if ("urlKey" in entry || "homepageLink" in entry) return "page";
  if ("interval" in entry && "type" in entry) return "monitor";
  return "name" in entry && "createdAt" in entry ? "group" : undefined;
}

/** Fields of entries that say nothing about what is monitored: the user, tags, which monitors have, and an announcement. */
const IGNORED = ["monitorLimit", "color", "stat", "pspId"];
