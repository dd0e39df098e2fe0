import { Glob } from "bun";

/** The clauses of the interface, as tests name them: `4.2 rule 6: …`, `4.3 rules 1 and 3: …`, `3.1, 3.3: …`. */
export const clauses = new Map<string, string>([
  ["1", "Organizations are apart; types of monitors and channels"],
  ["2.1", "Fields of an ApiKey"],
  ["2.2", "Fields of a Monitor, its config, and of the enriched list"],
  ["2.3", "Fields of a CheckResult"],
  ["2.4", "Fields of an AlertChannel and its config"],
  ["2.5", "Fields of the status summary"],
  ["3.1", "Statuses by type of monitor"],
  ["3.2", "Transitions"],
  ["3.3", "Groups of statuses"],
  ["4.1", "Endpoints of API keys"],
  ["4.1 rule 1", "Create, update and delete need an owner key"],
  ["4.1 rule 2", "The key value cannot be rotated"],
  ["4.1 rule 3", "A deleted key is refused at once"],
  ["4.2", "Endpoints of monitors"],
  ["4.2 rule 1", "POST: admin or owner, subscription, limit"],
  ["4.2 rule 2", "PATCH, DELETE and pause-all: admin or owner"],
  ["4.2 rule 3", "A config replaces the stored one in full"],
  ["4.2 rule 4", "alertChannelIds replaces the whole set"],
  ["4.2 rule 5", "The interval of a SCHEDULED monitor is 300"],
  ["4.2 rule 6", "Order of results, cursor"],
  ["4.2 rule 7", "Re-enabling is done per monitor"],
  ["4.2 rule 8", "Default channels"],
  ["4.2 rule 9", "Minimum interval of the plan"],
  ["4.3", "Endpoint of events"],
  ["4.3 rule 1", "All monitors, most recent first"],
  ["4.3 rule 2", "type and status combine"],
  ["4.3 rule 3", "Paging until the cursor is null"],
  ["4.3 rule 4", "Starting again from the beginning"],
  ["4.4", "Endpoint of the status summary"],
  ["4.4 rule 1", "total counts every monitor"],
  ["4.4 rule 2", "The groups are counted"],
  ["4.4 rule 3", "How overall is decided"],
  ["4.5", "Endpoints of alert channels"],
  ["4.5 rule 1", "POST, PATCH and DELETE: admin or owner"],
  ["4.5 rule 2", "Subscription, limit"],
  ["4.5 rule 3", "Bindings are made on monitors"],
  ["4.5 rule 4", "An unsupported type lists the allowed ones"],
  ["4.6", "Endpoints of the checkin"],
  ["4.6 rule 1", "GET and POST behave the same, without a key"],
  ["4.6 rule 2", "Only SCHEDULED monitors"],
  ["4.6 rule 3", "The URL of a checkin"],
  ["5", "Capabilities of the roles"],
  ["5.1", "Every endpoint but checkin needs a key"],
  ["5.2", "A key belongs to one organization"],
  ["5.3", "Only the hash is stored"],
  ["5.4", "Keys that give 401"],
  ["5.5", "lastUsedAt"],
  ["5.6", "No role above one's own"],
  ["6", "Notifications"],
  ["7", "Errors"],
  ["8", "Limits"],
  ["9", "Versioning"],
]);

export interface NamedTest {
  file: string;
  name: string;
}

const RULES = String.raw`(?: rules? \d(?:(?:, | and | to )\d(?!\.))*)?`;
const CLAUSE = String.raw`\d(?:\.\d)?${RULES}`;
const NAME = new RegExp(
  String.raw`["'\`]((?:${CLAUSE})(?:(?:, | and )${CLAUSE})*): ([^\n]*?)["'\`]\s*[,)]`,
  "g",
);

/** What the names of tests, and of groups of them, say of clauses. @returns the tests by clause */
export async function findCoverage(): Promise<Map<string, NamedTest[]>> {
  const found = new Map<string, NamedTest[]>();
  for (const file of [...new Glob("test/**/*.{test,e2e}.ts").scanSync(".")].toSorted()) {
    for (const [, references = "", name = ""] of (await Bun.file(file).text()).matchAll(NAME)) {
      for (const clause of clausesOf(references)) {
        found.set(clause, [...(found.get(clause) ?? []), { file, name: `${references}: ${name}` }]);
      }
    }
  }
  return found;
}

function clausesOf(references: string): string[] {
  return [...references.matchAll(new RegExp(CLAUSE, "g"))].flatMap(([reference]) => {
    const [section = "", rules] = reference.split(/ rules? /);
    return rules === undefined ? [section] : rulesOf(rules).map((rule) => `${section} rule ${rule}`);
  });
}

function rulesOf(text: string): number[] {
  const range = /^(\d) to (\d)$/.exec(text);
  if (!range) return [...text.matchAll(/\d/g)].map(Number);
  const [first, last] = [Number(range[1]), Number(range[2])];
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}
