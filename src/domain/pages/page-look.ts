import { basePathOf } from "../network/base-path.ts";

/** The slugs of the pages that have a host of their own, by the name of the host in lower case (behavior 15.36). */
export type PageHosts = ReadonlyMap<string, string>;

/** Where the public pages are. */
export interface PageAddresses {
  /** The URL of a page, without a trailing slash: at its host if it has one. */
  urlOf(slug: string): string;
  /** The path of a page at the host of the base URL, without a trailing slash. */
  pathOf(slug: string): string;
  /** The path of the root at the host of a request: empty at the host of a page, elsewhere the path of the base URL. */
  rootOf(request: HostedRequest): string;
  /** The slug of the page at the host of a request; undefined if it is another host. */
  slugAtHost(request: HostedRequest): string | undefined;
}

/** The part of a request that names its host. */
interface HostedRequest {
  headers: { get(name: "host"): string | null };
}

/** @param baseUrl the URL of the server, without a trailing slash */
export function createPageAddresses(hosts: PageHosts, baseUrl: () => string): PageAddresses {
  function slugAtHost(request: HostedRequest): string | undefined {
    // Reading its headers creates them, which costs every request of a server without such hosts.
    if (hosts.size === 0) return undefined;
    const host = request.headers.get("host");
    return host === null ? undefined : hosts.get(nameOf(host));
  }

  const hostOf = new Map([...hosts].toReversed().map(([host, slug]) => [slug, host]));
  return {
    urlOf(slug) {
      const host = hostOf.get(slug);
      const scheme = baseUrl().startsWith("http://") ? "http" : "https";
      return host === undefined ? `${baseUrl()}/status/${slug}` : `${scheme}://${host}`;
    },
    pathOf: (slug) => `${basePathOf(baseUrl())}/status/${slug}`,
    rootOf: (request) => (slugAtHost(request) === undefined ? basePathOf(baseUrl()) : ""),
    slugAtHost,
  };
}

/** The name of a host without its port and without the dot that may end it. */
function nameOf(host: string): string {
  return host.replace(/:\d+$/, "").replace(/\.$/, "").toLowerCase();
}

/** Reads `status.example.com=shop,status.example.org=blog`. @returns undefined for any other text */
export function parsePageHosts(text: string): PageHosts | undefined {
  const hosts = new Map<string, string>();
  for (const item of text.split(",")) {
    const [host, slug, ...rest] = item.trim().split("=");
    const name = hostName(host ?? "");
    if (name === undefined || slug === undefined || rest.length > 0) return undefined;
    if (!isSlug(slug) || hosts.has(name)) return undefined;
    hosts.set(name, slug);
  }
  return hosts;
}

/** In the form in which browsers send it: in lower case, and letters outside of ASCII encoded. */
function hostName(text: string): string | undefined {
  const url = /^[^\s/\\@:?#[\]]+$/.test(text) ? URL.parse(`http://${text}`) : null;
  return url?.hostname.replace(/\.$/, "") || undefined;
}

/** Most characters of a slug. */
export const MAX_SLUG_LENGTH = 63;

const SLUG = new RegExp(`^[a-z0-9-]{1,${MAX_SLUG_LENGTH}}$`);

/** Whether a text can be the slug of a page (behavior 15.3). */
export function isSlug(text: string): boolean {
  return SLUG.test(text);
}

/** The accent color of a page, readable on its backgrounds. @property on the color of text on it */
interface AccentColors {
  light: { accent: string; on: string };
  dark: { accent: string; on: string };
}

/** `--neutral-soft` of `tokens.css`, behind code in a link: the background with the least contrast. */
const LIGHT_SOFT = "#eef0f3";
const DARK_SOFT = "#20252e";
const DARK_GROUND = "#0e1116";

/** WCAG 2.2, 1.4.3. */
const CONTRAST = 4.5;

export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}

/** The nearest colors that are readable (behavior 17.21). @param color such as `#ff8800` */
export function accentColors(color: string): AccentColors {
  return {
    light: { accent: readable(color, "#000000", LIGHT_SOFT), on: "#ffffff" },
    dark: { accent: readable(color, "#ffffff", DARK_SOFT), on: DARK_GROUND },
  };
}

/** Mixes a color with another one until its contrast with the ground is sufficient. */
function readable(color: string, other: string, ground: string): string {
  for (let part = 0; part < 100; part++) {
    const mixed = mix(color, other, part / 100);
    if (contrast(mixed, ground) >= CONTRAST) return mixed;
  }
  return other;
}

/** The contrast of two colors by WCAG 2.2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mix(color: string, other: string, part: number): string {
  const target = channels(other);
  const mixed = channels(color).map((value, at) => Math.round(value + ((target[at] ?? 0) - value) * part));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

/** The icon of the public pages. @property type for `content-type` */
export interface PageIcon {
  bytes: Uint8Array;
  type: string;
}

/** Bytes. */
export const MAX_ICON = 64_000;

const TYPES = ["image/png", "image/x-icon", "image/svg+xml"];

/** Recognizes an icon by its content. @returns undefined for any other content, and for one that is too large */
export function asPageIcon(bytes: Uint8Array): PageIcon | undefined {
  const type = bytes.length <= MAX_ICON ? imageType(bytes) : undefined;
  return type !== undefined && TYPES.includes(type) ? { bytes, type } : undefined;
}

/** Bytes. */
export const MAX_LOGO = 65_536;

const DATA_URL = /^data:(image\/(?:png|jpeg|webp|gif|svg\+xml));base64,([A-Za-z0-9+/]+={0,2})$/;

/** @property type for `Content-Type` */
export interface Logo {
  type: string;
  bytes: Uint8Array;
}

/** Reads a data URL (behavior 17.23). @returns null for any other text, for other content than its type, and if it is too large */
export function parseLogo(text: string | null): Logo | null {
  const [, type = "", base64 = ""] = DATA_URL.exec(text ?? "") ?? [];
  if (type === "" || base64.length % 4 !== 0 || base64.length > (MAX_LOGO * 4) / 3 + 4) return null;
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return bytes.length <= MAX_LOGO && imageType(bytes) === type ? { type, bytes } : null;
}

const SIGNATURES = {
  "image/png": ["\x89PNG\r\n\x1a\n"],
  "image/jpeg": ["\xff\xd8\xff"],
  "image/gif": ["GIF87a", "GIF89a"],
  "image/x-icon": ["\0\0\x01\0"],
};

/** The media type of an image by its content; undefined for anything else. */
export function imageType(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  for (const [type, signatures] of Object.entries(SIGNATURES))
    if (signatures.some((signature) => start.startsWith(signature))) return type;
  if (start.startsWith("RIFF") && start.endsWith("WEBP")) return "image/webp";
  return isSvg(bytes) ? "image/svg+xml" : undefined;
}

/** The root element may follow a declaration, a document type and comments. */
function isSvg(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes).replaceAll(/<!--[\s\S]*?-->/g, "");
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE[^>]*>\s*)?<svg[\s>]/i.test(text);
}

/** Origins that may embed one page. */
export const MAX_ORIGINS = 10;

/** A policy is a list: other characters, such as `;`, would end it. */
const ORIGIN = /^https?:\/\/(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d+)?$/;

const LOCAL = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a text is the origin of a site that may embed a page: `http` only for this machine (behavior 17.25). */
export function isEmbedOrigin(text: string): boolean {
  const url = ORIGIN.test(text) ? URL.parse(text) : null;
  if (!url || url.origin !== text) return false;
  return url.protocol === "https:" || (url.protocol === "http:" && LOCAL.test(url.hostname));
}
