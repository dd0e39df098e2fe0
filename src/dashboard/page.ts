import { accepts } from "../domain/network/accept-encoding.ts";
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
  /** What the page itself begins with, as the header `Link` has it: told there, it is asked for before the page is read. */
  preloads(): Promise<string[]>;
}

export function createPage(): Page {
  let loading: Promise<Map<string, Asset>> | undefined;
  let preloads: Promise<string[]> | undefined;
  const load = () => {
    loading ??= loadAssets().then((all) => new Map(all.map((one) => [one.path, one])));
    return loading;
  };
  return {
    async find(path, accepted) {
      const asset = (await load()).get(path);
      return asset && encoded(asset, accepted);
    },
    preloads() {
      preloads ??= load().then(preloadsOf);
      return preloads;
    },
  };
}

const STYLES = /<link rel="stylesheet" crossorigin href="([^"]+)"/g;
const SCRIPTS = /<script type="module" crossorigin src="([^"]+)"/g;

function preloadsOf(assets: Map<string, Asset>): string[] {
  const page = assets.get("/");
  const html = page ? new TextDecoder().decode(plain(page)) : "";
  return [
    ...[...html.matchAll(STYLES)].map(([, path]) => `<${path}>; rel=preload; as=style; crossorigin`),
    ...[...html.matchAll(SCRIPTS)].map(([, path]) => `<${path}>; rel=modulepreload`),
  ];
}

function encoded(asset: Asset, accepted: string): PageFile {
  const { type, brotli, gzip } = asset;
  if (accepts(accepted, "br")) return { type, body: brotli, encoding: "br" };
  if (accepts(accepted, "gzip")) return { type, body: gzip, encoding: "gzip" };
  return { type, body: plain(asset) };
}

function plain({ gzip }: Asset): Uint8Array {
  return Bun.gunzipSync(new Uint8Array(gzip));
}
