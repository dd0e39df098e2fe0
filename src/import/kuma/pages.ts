import type { RefNames } from "../../domain/configuration/ref-names.ts";
import { MOST_COMPONENTS } from "../../domain/pages/page.ts";
import { NewPage } from "../../domain/pages/page-request.ts";
import { parse } from "../../domain/schemas/validation.ts";
import { AppError } from "../../errors.ts";
import { named } from "../left.ts";
import type { Report } from "../report.ts";
import { literals } from "../written-config.ts";
import { flagOf, groupedBy, idOf, type KumaData, numberOf, type Row, textOf } from "./data.ts";

interface PageContext {
  refOf: RefNames;
  /** The ref of a monitor that was taken over, by its ID in Uptime Kuma. */
  monitorRefs: ReadonlyMap<number, string>;
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
    const id = idOf(row) ?? Number.NaN;
    const title = textOf(row, "title");
    const leave = (part: string, why: string) => report.leave(named("status page", title, part), why);
    const shown = (groupsOf.get(id) ?? []).toSorted(byWeight).flatMap((group) => {
      const rows = (shownIn.get(idOf(group) ?? Number.NaN) ?? []).toSorted(byWeight);
      return rows.map((one) => ({ group, ref: monitorRefs.get(idOf(one, "monitor_id") ?? Number.NaN) }));
    });
    const components = shown.flatMap(({ group, ref }) => (ref === undefined ? [] : componentOf(group, ref)));
    const entry = {
      slug: textOf(row, "slug").toLowerCase(),
      ...descriptionOf(row),
      ...(flagOf(row, "published", true) && { visibility: "public" }),
      ...(components.length > 0 && { components: components.slice(0, MOST_COMPONENTS) }),
    };
    const isSecond = slugs.has(entry.slug);
    slugs.add(entry.slug);
    const fault = isSecond ? "another page has the same slug" : faultOf({ title: title || "-", ...entry });
    if (fault !== undefined) {
      report.leave(named("status page", title), fault);
      continue;
    }
    if (components.length < shown.length)
      leave("monitors", `${shown.length - components.length} of them were not taken over`);
    if (components.length > MOST_COMPONENTS) leave("monitors", `a page shows at most ${MOST_COMPONENTS}`);
    for (const [part, why] of leftOf(row, domainsOf.get(id) ?? [])) leave(part, why);
    const ref = refOf(title || entry.slug);
    entries[ref] = literals({ ...(title !== "" && title !== ref && { title }), ...entry }) as Record<
      string,
      unknown
    >;
  }
  return entries;
}

const LONGEST_GROUP = 100;

function componentOf(group: Row, ref: string) {
  const name = [...textOf(group, "name")].slice(0, LONGEST_GROUP).join("");
  return { monitorId: ref, ...(name !== "" && { group: name }) };
}

const LONGEST_DESCRIPTION = 2000;

function descriptionOf(row: Row): { description?: string } {
  const description = [...textOf(row, "description")].slice(0, LONGEST_DESCRIPTION).join("");
  return description === "" ? {} : { description };
}

function byWeight(a: Row, b: Row): number {
  return (numberOf(a, "weight") ?? 0) - (numberOf(b, "weight") ?? 0);
}

/** Why stillup would refuse the page. */
function faultOf(page: object): string | undefined {
  try {
    parse(NewPage, page, "");
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

function leftOf(row: Row, domains: readonly Row[]): [string, string][] {
  const left: [string, string][] = [];
  if (domains.length > 0) left.push(["domain names", "--page-hosts of stillup serve sets them"]);
  if (textOf(row, "footer_text") !== "") left.push(["footer", "a page has none here"]);
  if (/\S/.test(textOf(row, "custom_css").replace(/^body\s*\{\s*\}$/, "")))
    left.push(["custom CSS", "a page has none here"]);
  if (textOf(row, "google_analytics_tag_id") !== "" || textOf(row, "analytics_id") !== "")
    left.push(["analytics", "a page has none here"]);
  return left;
}
