/* The functions of `node:net`, for code that also runs in a browser. */

const BYTE = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IPV4 = `${BYTE}(?:\\.${BYTE}){3}`;
const IS_IPV4 = new RegExp(`^${IPV4}$`);
/** Groups of an IPv6 address. An IPv4 address at the end counts as two groups. */
const IS_GROUPS = new RegExp(`^(?:[\\da-f]{1,4}:)*(?:[\\da-f]{1,4}|(${IPV4}))$`, "i");
const ZONE = /%[\da-z.:-]+$/i;

export function isIPv4(text: string): boolean {
  return IS_IPV4.test(text);
}

/** With or without a zone, such as `fe80::1%eth0`. `URL` of Bun is no substitute: it rejects `::1:2:3:4:192.0.2.1`. */
export function isIPv6(text: string): boolean {
  const [before = "", after, ...more] = text.replace(ZONE, "").split("::");
  if (more.length > 0) return false;
  if (after === undefined) return countGroups(before) === 8;
  return !before.includes(".") && countGroups(before) + countGroups(after) < 8;
}

export function isIP(text: string): boolean {
  return isIPv4(text) || isIPv6(text);
}

/**
 * The 16 bytes of an IPv6 address without its zone, or of an IPv4 address in its IPv6 form `::ffff:192.0.2.1`.
 *
 * @returns undefined if the text is no address
 */
export function addressBytes(text: string): number[] | undefined {
  if (isIPv4(text)) return [...MAPPED_PREFIX, ...text.split(".").map(Number)];
  if (!isIPv6(text)) return undefined;
  const [front = [], back = []] = text.replace(ZONE, "").split("::").map(bytesOfGroups);
  return [...front, ...new Array<number>(16 - front.length - back.length).fill(0), ...back];
}

/** The order of addresses as numbers: IPv4 addresses are in their IPv6 form. */
export function compareAddresses(one: string, other: string): number {
  const [own = [], others = []] = [addressBytes(one), addressBytes(other)];
  const at = own.findIndex((byte, index) => byte !== others[index]);
  return at < 0 ? 0 : (own[at] ?? 0) - (others[at] ?? 0);
}

/** The IPv4 address in an IPv6 address such as `::ffff:192.0.2.1`; undefined if there is none. */
export function mappedIPv4(bytes: number[]): string | undefined {
  return MAPPED_PREFIX.every((byte, at) => bytes[at] === byte) ? bytes.slice(12).join(".") : undefined;
}

const MAPPED_PREFIX = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

/** @returns NaN if the text is not a list of groups */
function countGroups(text: string): number {
  if (text === "") return 0;
  const [found, ipv4] = IS_GROUPS.exec(text) ?? [];
  return found === undefined ? Number.NaN : text.split(":").length + (ipv4 === undefined ? 0 : 1);
}

/** @param text groups as `2001:db8`, the last one maybe an IPv4 address */
function bytesOfGroups(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (group.includes(".")) return group.split(".").map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}
