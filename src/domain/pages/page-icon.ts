import { imageType } from "./page-logo.ts";

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
