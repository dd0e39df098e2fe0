import { createRefNames } from "../domain/configuration/placeholder.ts";
import { MAX_COMPONENTS, NewPage } from "../domain/pages/page-request.ts";
import { parse } from "../domain/schemas/validation.ts";
import { faultIn } from "./checked.ts";
import { cut, named, type Report } from "./imported.ts";
import { literals } from "./output-config.ts";

/** A status page of another product, with the texts of the product. */
export interface GivenPage {
  title: string;
  /** Its place in the URL. */
  slug: string;
  /** Markdown, which a page here shows as plain text. */
  description: string;
  visibility: "public" | "password" | "off";
  password?: string;
  /** Further fields of a page here, such as `days`. */
  settings?: Record<string, unknown>;
  /** Without the monitors that were not taken over. */
  components: { monitorId: string; name?: string; group?: string }[];
  /** How many monitors it shows there. */
  shown: number;
}

/** The status pages of a document (behavior 16.101). */
export interface Pages {
  /** @returns whether the page was taken over; if not, the reason is reported */
  add(page: GivenPage): boolean;
  /** By ref. */
  entries(): Record<string, Record<string, unknown>>;
}

/** @param writePassword the text of a password in the document @param ref the ref of its page */
export function createPages(
  report: Report,
  writePassword: (password: string, ref: string) => string = (password) => password,
): Pages {
  const refOf = createRefNames("page");
  const slugs = new Set<string>();
  const entries: Record<string, Record<string, unknown>> = {};
  return {
    entries: () => entries,
    add(page) {
      const entry = entryOf(page);
      const { title, password } = page;
      const isSecond = slugs.has(entry.slug);
      slugs.add(entry.slug);
      const whole = { title: title || "-", ...entry, ...(password !== undefined && { password }) };
      const fault = isSecond ? "another page has the same slug" : faultIn(() => parse(NewPage, whole, ""));
      if (fault !== undefined) {
        report.omit(named("status page", title), fault);
        return false;
      }
      const ref = refOf(title || entry.slug);
      omitParts(page, report);
      const name = title !== "" && title !== ref ? { title } : {};
      entries[ref] = {
        ...(literals({ ...name, ...entry }) as Record<string, unknown>),
        ...(password !== undefined && { password: writePassword(password, ref) }),
      };
      return true;
    },
  };
}

function entryOf({ slug, description, visibility, components, settings }: GivenPage) {
  const text = cut(plainText(description), MAX_DESCRIPTION);
  const shown = components.slice(0, MAX_COMPONENTS).map(({ group = "", ...component }) => ({
    ...component,
    ...(group !== "" && { group: cut(group, MAX_GROUP) }),
  }));
  return {
    slug: slug.toLowerCase(),
    ...(text !== "" && { description: text }),
    ...(visibility !== "off" && { visibility }),
    ...settings,
    ...(shown.length > 0 && { components: shown }),
  };
}

const MAX_GROUP = 100;

function omitParts({ title, components, shown, description }: GivenPage, report: Report): void {
  const omit = (part: string, why: string) => report.omit(named("status page", title, part), why);
  if (components.length < shown) omit("monitors", `${shown - components.length} of them were not taken over`);
  if (components.length > MAX_COMPONENTS) omit("monitors", `a page shows at most ${MAX_COMPONENTS}`);
  if (plainText(description) !== description)
    omit("formatting of the description", "a page shows it as plain text");
  if ([...plainText(description)].length > MAX_DESCRIPTION)
    omit("description", `it has more than ${MAX_DESCRIPTION} characters: it is cut`);
}

const MAX_DESCRIPTION = 2000;
/** Characters of a text that are read. */
const MAX_MARKDOWN = 4000;

/** Markdown as a page shows it: without its marks. */
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
