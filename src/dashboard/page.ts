import { loadAssets } from "./assets.ts";
import type { Asset } from "./bundle.ts";

/** A file of the page as it is sent. */
export interface PageFile {
  body: Uint8Array;
  type: string;
  /** `undefined` where it is sent as it is. */
  encoding?: "br" | "gzip";
}

/** The web page, all from this program. */
export interface Page {
  /**
   * @param path `/` for the page itself, else as it stands in the page
   * @param accepted the header `Accept-Encoding`
   */
  find(path: string, accepted: string): Promise<PageFile | undefined>;
}

export function createPage(): Page {
  let assets: Promise<Map<string, Asset>> | undefined;
  return {
    async find(path, accepted) {
      assets ??= loadAssets().then((all) => new Map(all.map((one) => [one.path, one])));
      const asset = (await assets).get(path);
      return asset && encoded(asset, accepted);
    },
  };
}

function encoded({ type, brotli, gzip }: Asset, accepted: string): PageFile {
  if (/\bbr\b/.test(accepted)) return { type, body: brotli, encoding: "br" };
  if (/\bgzip\b/.test(accepted)) return { type, body: gzip, encoding: "gzip" };
  return { type, body: Bun.gunzipSync(new Uint8Array(gzip)) };
}
