/** The path of a public page on this server. */
export function pathOf(slug: string): string {
  return `/status/${encodeURIComponent(slug)}`;
}
