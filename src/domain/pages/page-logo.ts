import { imageType } from "./image-type.ts";

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
