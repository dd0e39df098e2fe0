/* As `node:net` has them, which a browser does not have. */

const BYTE = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IPV4 = `${BYTE}(?:\\.${BYTE}){3}`;
const IS_IPV4 = new RegExp(`^${IPV4}$`);
/** One group, or an IPv4 address at the end, which takes the place of two. */
const IS_GROUPS = new RegExp(`^(?:[\\da-f]{1,4}:)*(?:[\\da-f]{1,4}|(${IPV4}))$`, "i");
const ZONE = /%[\da-z.:-]+$/i;

export function isIPv4(text: string): boolean {
  return IS_IPV4.test(text);
}

/** With a zone or without one, as in `fe80::1%eth0`. `URL` is no help: that of Bun refuses `::1:2:3:4:192.0.2.1`. */
export function isIPv6(text: string): boolean {
  const [before = "", after, ...more] = text.replace(ZONE, "").split("::");
  if (more.length > 0) return false;
  if (after === undefined) return countGroups(before) === 8;
  return !before.includes(".") && countGroups(before) + countGroups(after) < 8;
}

/** @returns NaN if they are none */
function countGroups(text: string): number {
  if (text === "") return 0;
  const [found, ipv4] = IS_GROUPS.exec(text) ?? [];
  return found === undefined ? Number.NaN : text.split(":").length + (ipv4 === undefined ? 0 : 1);
}
