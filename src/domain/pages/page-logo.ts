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
