import { bytesOf, type Fetched } from "./crawler.ts";
import { formsOf } from "./private-texts.ts";
import { PARTNERS, SHOP } from "./public-urls.ts";
import { ONLY, PRIVATE } from "./secret-words.ts";
import { HOSTS } from "./seeded-instance.ts";

/**
 * Where a private text is, and which one.
 *
 * @param secrets what no public page may show @param target the URL of all targets
 */
export function leaksOf(fetched: Fetched[], secrets: Set<string>, target: string): string[] {
  const forms = [...secrets, "zqbodyzq", "127.0.0.1", `:${new URL(target).port}`, "many@example.com"].flatMap(
    (text) => formsOf(text).map((form): [form: string, text: string] => [form, text]),
  );
  const seen = new Set<string>();
  return fetched.flatMap((one) => {
    const bytes = bytesOf(one);
    if (seen.has(bytes)) return [];
    seen.add(bytes);
    const known = Object.hasOwn(HOSTS, new URL(one.url).host) || /\/status(\/|$)/.test(one.url);
    const found = known ? forms.filter(([form]) => bytes.includes(form)).map(([, text]) => text) : [];
    const words = bytes.match(new RegExp(PRIVATE, "gi")) ?? [];
    return [...new Set([...found, ...words, ...foreignWords(one, bytes)])].map(
      (text) => `${one.method} ${one.url} (${one.status}): ${text}`,
    );
  });
}

/** Texts that only another page may show. */
function foreignWords({ url }: Fetched, bytes: string): string[] {
  const isOf = (pages: string[]) => pages.some((page) => url === page || url.startsWith(`${page}/`));
  const allowed = [
    ...(isOf(SHOP) ? [ONLY.shop] : []),
    ...(isOf(PARTNERS) ? [ONLY.partners] : []),
  ] as string[];
  return Object.values(ONLY).filter((word) => bytes.includes(word) && !allowed.includes(word));
}
