import type { Client } from "../requests/client.ts";

/** Shorter texts occur by chance. */
const SHORTEST = 5;
/** Times and uptimes, which a page shows too. */
const FIGURE = /^\d{4}-\d\d-\d\dT|^\d+\.\d\d%$/;

/** Words of the API that the formats of a public page have too, with another meaning. */
const ORDINARY = new Set([
  "degraded",
  "active",
  "scheduled",
  "Default",
  "public",
  "minor",
  "major",
  "critical",
]);

/**
 * Every text that the API returns to a member, and that the pages do not show on purpose: IDs, targets, reasons, messages,
 * names of keys, channels and tags, and so on.
 *
 * @param shown texts that are on a page, such as the names of its components
 */
export async function privateTexts(client: Client, shown: ReadonlySet<string>): Promise<Set<string>> {
  const found = new Set<string>();
  for (const path of PATHS) {
    const { status, body } = await client.get(`/api/v1/${path}`);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    collect(body.data, found);
    if (path !== "monitors") continue;
    for (const { id } of body.data) {
      for (const more of ["", "/results", "/report"])
        collect((await client.get(`/api/v1/monitors/${id}${more}`)).body.data, found);
    }
  }
  const isPrivate = (text: string) =>
    text.length >= SHORTEST && !FIGURE.test(text) && !ORDINARY.has(text) && !shown.has(text);
  return new Set([...found].filter(isPrivate));
}

const PATHS = [
  ...[
    "monitors",
    "events",
    "outages",
    "alerts",
    "api-keys",
    "maintenances",
    "organization",
    "locations",
    "audit",
  ],
];

function collect(value: unknown, found: Set<string>): void {
  if (typeof value === "string") found.add(value);
  else if (typeof value === "object" && value !== null)
    for (const [key, inner] of Object.entries(value)) if (!IGNORED.has(key)) collect(inner, found);
}

/** The words of a calendar, a status or an audit log for its entries. */
const IGNORED = new Set([
  "label",
  "history",
  "status",
  "type",
  "layer",
  "action",
  "changed",
  "role",
  "plan",
  "createdAt",
]);

/** How a text may be written: as it is, escaped, encoded. */
export function formsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const base64 = [0, 1, 2].map((shift) => {
    const coded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    // The characters at both ends depend on the neighbors.
    return coded.slice(Math.ceil((shift * 4) / 3), -1);
  });
  const forms = [text, Bun.escapeHTML(text), encodeURIComponent(text), bytes.toString("hex")];
  const long = base64.filter((form) => form.length >= 2 * SHORTEST);
  return [
    ...new Set([...forms, ...long, ...long.map((form) => form.replaceAll("+", "-").replaceAll("/", "_"))]),
  ];
}
