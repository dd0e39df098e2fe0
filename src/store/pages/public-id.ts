const LENGTH = 24;

/**
 * The ID by which a page shows what has none, or only an internal one. It is the same each time, another one on each page, and
 * nobody can compute the internal one from it (behavior 15.31).
 */
export function publicId(pageId: string, kind: "group" | "outage" | "maintenance", of: string): string {
  return new Bun.CryptoHasher("sha256").update(`${pageId} ${kind} ${of}`).digest("hex").slice(0, LENGTH);
}
