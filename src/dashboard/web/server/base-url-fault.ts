/** Whether check-in URLs and links in notifications lead to another origin than the one in the address bar of a browser. */
export function isOtherOrigin(baseUrl: string, origin: string): boolean {
  return URL.parse(baseUrl)?.origin !== origin;
}
