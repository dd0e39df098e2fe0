/** The icon of the public pages. @property type for `content-type` */
export interface PageIcon {
  bytes: Uint8Array;
  type: string;
}

/** Bytes. */
export const MAX_ICON = 64_000;

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const ICO = [0x00, 0x00, 0x01, 0x00];

/** Recognizes an icon by its content. @returns undefined for any other content, and for one that is too large */
export function asPageIcon(bytes: Uint8Array): PageIcon | undefined {
  const type = bytes.length <= MAX_ICON ? typeOf(bytes) : undefined;
  return type === undefined ? undefined : { bytes, type };
}

function typeOf(bytes: Uint8Array): string | undefined {
  if (begins(bytes, PNG)) return "image/png";
  if (begins(bytes, ICO)) return "image/x-icon";
  return isSvg(bytes) ? "image/svg+xml" : undefined;
}

function begins(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte);
}

/** The root element may follow a declaration, a document type and comments. */
function isSvg(bytes: Uint8Array): boolean {
  const text = new TextDecoder().decode(bytes).replaceAll(/<!--[\s\S]*?-->/g, "");
  return /^\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE[^>]*>\s*)?<svg[\s>]/i.test(text);
}
