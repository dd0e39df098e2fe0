import { listOf, type Report, recordOf, textOf } from "../imported.ts";

/* The API of Better Stack answers as JSON:API: a list of entries with a type, an ID and attributes, in pages. */

export interface Entry {
  id: string;
  attributes: Record<string, unknown>;
  /** The ID of the status page that it is a part of, if the answer says it. */
  pageId: string | undefined;
}

const TYPES = [
  ...["monitor", "heartbeat", "monitor_group", "heartbeat_group", "status_page", "status_page_section"],
  "status_page_resource",
] as const;
export type Type = (typeof TYPES)[number];

/** By type, each once. */
export type Answers = Record<Type, Entry[]>;

/** Reads the values of a file: answers, or lists of answers. What is missing in it is reported. */
export function readAnswers(values: readonly unknown[], report: Report): Answers {
  const found = new Map<Type, Map<string, Entry>>(TYPES.map((type) => [type, new Map()]));
  const pages = new Map<string, { type: string; last: number; count: number }>();
  const others = new Set<string>();

  function add(value: unknown, pageId: string | undefined): void {
    const { id, type, attributes, relationships } = recordOf(value);
    const fields = recordOf(attributes);
    const known = TYPES.find((one) => one === type);
    if (!known) {
      others.add(textOf(type) ?? "without a type");
      return;
    }
    const owner = recordOf(recordOf(recordOf(relationships).status_page).data).id;
    const key = textOf(id) ?? "";
    const entry = {
      ...{ id: key, attributes: fields },
      pageId: textOf(fields.status_page_id) ?? textOf(owner) ?? pageId,
    };
    found.get(known)?.set(`${entry.pageId ?? ""} ${key}`, entry);
  }

  function addAnswer(value: unknown): void {
    if (Array.isArray(value)) return void value.forEach(addAnswer);
    const { data, included, pagination, ...fields } = recordOf(value);
    if (data === undefined) {
      add(fields, undefined);
      return;
    }
    const entries = Array.isArray(data) ? data : [data];
    const first = textOf(recordOf(pagination).first) ?? "";
    const inPath = /\/status-pages\/([^/?]+)\/(?:sections|resources)/.exec(first)?.[1];
    for (const entry of entries) add(entry, inPath);
    const [page] = entries.map(recordOf).filter(({ type }) => type === "status_page");
    for (const entry of listOf(included)) add(entry, textOf(page?.id));
    countPage(first, recordOf(pagination), textOf(recordOf(entries[0]).type) ?? "");
  }

  function countPage(first: string, { last }: Record<string, unknown>, type: string): void {
    if (first === "") return;
    const number = Number(/[?&]page=(\d+)/.exec(textOf(last) ?? "")?.[1] ?? 1);
    const known = pages.get(first) ?? { type, last: number, count: 0 };
    pages.set(first, { type, last: Math.max(number, known.last), count: known.count + 1 });
  }

  values.forEach(addAnswer);
  for (const { type, last, count } of pages.values())
    if (count < last)
      report.omit(
        `entries of the type ${type}`,
        `the file has ${count} of ${last} pages: add the others to it`,
      );
  for (const type of others)
    report.omit(
      `entries of the type ${type.slice(0, 40)}`,
      (Object.hasOwn(OTHERS, type) ? OTHERS[type] : undefined) ?? "stillup does not import them",
    );
  return Object.fromEntries([...found].map(([type, entries]) => [type, [...entries.values()]])) as Answers;
}

/** By type: why entries are not taken over. */
const OTHERS: Record<string, string> = {
  policy: "create schedules of who is on call, and channels",
  on_call_calendar: "create schedules of who is on call",
  incident: "the past stays in Better Stack",
  status_report: "the past stays in Better Stack",
};
