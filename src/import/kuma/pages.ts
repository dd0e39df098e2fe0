import type { RefNames } from "../../domain/configuration/ref-names.ts";
import { MAX_COMPONENTS } from "../../domain/pages/page.ts";
import { NewPage } from "../../domain/pages/page-request.ts";
import { parse } from "../../domain/schemas/validation.ts";
import { faultIn } from "../checked.ts";
import { named, type Report } from "../imported.ts";
import { literals } from "../output-config.ts";
import { cut } from "../untyped.ts";
import { flagOf, groupedBy, idOf, type KumaData, numberOf, type Row, textIn } from "./data.ts";

interface PageContext {
  refOf: RefNames;
  /** The ref of a monitor that was taken over, by its ID in Uptime Kuma. */
  monitorRefs: ReadonlyMap<number | undefined, string>;
  report: Report;
}

type Tables = Pick<KumaData, "pages" | "pageDomains" | "groups" | "monitorGroups">;

/** The status pages by ref (behavior 16.101). */
export function pagesFrom(
  { pages, pageDomains, groups, monitorGroups }: Tables,
  { refOf, monitorRefs, report }: PageContext,
): Record<string, Record<string, unknown>> {
  const groupsOf = groupedBy(groups, "status_page_id");
  const shownIn = groupedBy(monitorGroups, "group_id");
  const domainsOf = groupedBy(pageDomains, "status_page_id");
  const entries: Record<string, Record<string, unknown>> = {};
  const slugs = new Set<string>();
  for (const row of pages) {
    const id = idOf(row);
    const title = textIn(row, "title");
    const omit = (part: string, why: string) => report.omit(named("status page", title, part), why);
    const shown = (groupsOf.get(id) ?? []).toSorted(byWeight).flatMap((group) => {
      const rows = (shownIn.get(idOf(group)) ?? []).toSorted(byWeight);
      return rows.map((one) => ({
        ...{ group, ref: monitorRefs.get(idOf(one, "monitor_id")) },
        hasLink: flagOf(one, "send_url"),
      }));
    });
    const components = shown.flatMap(({ group, ref }) => (ref === undefined ? [] : componentOf(group, ref)));
    const entry = {
      slug: textIn(row, "slug").toLowerCase(),
      ...descriptionOf(row),
      ...(flagOf(row, "published", true) && { visibility: "public" }),
      ...(components.length > 0 && { components: components.slice(0, MAX_COMPONENTS) }),
    };
    const isSecond = slugs.has(entry.slug);
    slugs.add(entry.slug);
    const fault = isSecond
      ? "another page has the same slug"
      : faultIn(() => parse(NewPage, { title: title || "-", ...entry }, ""));
    if (fault !== undefined) {
      report.omit(named("status page", title), fault);
      continue;
    }
    if (components.length < shown.length)
      omit("monitors", `${shown.length - components.length} of them were not taken over`);
    if (components.length > MAX_COMPONENTS) omit("monitors", `a page shows at most ${MAX_COMPONENTS}`);
    for (const [part, why] of omittedParts(row, domainsOf.get(id) ?? [])) omit(part, why);
    if (shown.some(({ hasLink }) => hasLink)) omit("links of monitors", "a page shows no targets");
    const ref = refOf(title || entry.slug);
    entries[ref] = literals({ ...(title !== "" && title !== ref && { title }), ...entry }) as Record<
      string,
      unknown
    >;
  }
  return entries;
}

const MAX_GROUP = 100;

function componentOf(group: Row, ref: string) {
  const name = cut(textIn(group, "name"), MAX_GROUP);
  return { monitorId: ref, ...(name !== "" && { group: name }) };
}

const MAX_DESCRIPTION = 2000;
/** Characters of a text that are read. */
const MAX_MARKDOWN = 4000;

function descriptionOf(row: Row): { description?: string } {
  const description = cut(plainText(textIn(row, "description")), MAX_DESCRIPTION);
  return description === "" ? {} : { description };
}

/** Uptime Kuma formats descriptions as Markdown, and a page shows them as they are. */
function plainText(markdown: string): string {
  return cut(markdown, MAX_MARKDOWN)
    .replaceAll(/!?\[([^\]\n]*)\]\(([^)\s]*)[^)\n]*\)/g, (_, text: string, url: string) =>
      text === url || text === "" ? url : `${text} (${url})`,
    )
    .replaceAll(/(\*\*|__)(?=\S)([^\n]*?\S)\1/g, "$2")
    .replaceAll(/(?<![\w*])\*(?=\S)([^*\n]*?\S)\*(?![\w*])/g, "$1")
    .replaceAll(/`([^`\n]+)`/g, "$1")
    .replaceAll(/^#{1,6}\s+/gm, "");
}

function byWeight(a: Row, b: Row): number {
  return (numberOf(a, "weight") ?? 0) - (numberOf(b, "weight") ?? 0);
}

function omittedParts(row: Row, domains: readonly Row[]): [string, string][] {
  const omitted: [string, string][] = [];
  const description = textIn(row, "description");
  if (plainText(description) !== description)
    omitted.push(["formatting of the description", "a page shows it as plain text"]);
  if ([...plainText(description)].length > MAX_DESCRIPTION)
    omitted.push(["description", `it has more than ${MAX_DESCRIPTION} characters: it is cut`]);
  if (!["", "/icon.svg"].includes(textIn(row, "icon")))
    omitted.push(["logo", "upload it in the web page of stillup"]);
  if (domains.length > 0) omitted.push(["domain names", "--page-hosts of stillup serve sets them"]);
  if (!flagOf(row, "search_engine_index", true))
    omitted.push(["search engines", "they can list a public page here: set a password to prevent it"]);
  if (textIn(row, "footer_text") !== "") omitted.push(["footer", "a page has none here"]);
  if (/\S/.test(textIn(row, "custom_css").replace(/^body\s*\{\s*\}$/, "")))
    omitted.push(["custom CSS", "a page has none here"]);
  if (textIn(row, "google_analytics_tag_id") !== "" || textIn(row, "analytics_id") !== "")
    omitted.push(["analytics", "a page has none here"]);
  return omitted;
}
