import type { Logo } from "../domain/pages/page-logo.ts";

/** The path of a logo below its page, another one for each logo: browsers keep a logo for a day (behavior 17.24). */
export function logoPath({ bytes }: Logo): string {
  return `/logo?v=${new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 12)}`;
}
