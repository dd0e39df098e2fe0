import { brotliCompressSync, constants } from "node:zlib";

/** One file of the page. */
export interface Asset {
  /** Such as `/assets/page-1a2b3c.js`, which changes with the content. The HTML file has `/`. */
  path: string;
  type: string;
  gzip: Uint8Array;
  brotli: Uint8Array;
}

/** A file, compressed. */
export function assetOf(path: string, type: string, plain: Uint8Array<ArrayBuffer>): Asset {
  return {
    path,
    type,
    gzip: Bun.gzipSync(plain, { level: 9 }),
    brotli: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  };
}
