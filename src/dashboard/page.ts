import { accepts } from "../domain/network/accept-encoding.ts";
import { type Asset, loadAssets } from "./bundle.ts";
import { PATHS } from "./paths.ts";

/** A file of the page, encoded for one client. */
export interface PageFile {
  body: Uint8Array;
  type: string;
  /** `undefined` if it is not compressed. */
  encoding?: "br" | "gzip";
}

/** The web page, of which all files are in this program. */
export interface Page {
  /** Where the page is shown, as patterns such as `/monitors/:id`. */
  paths: readonly string[];
  /**
   * @param path `/` for the HTML file, otherwise a path that the page links to
   * @param accepted the request header `Accept-Encoding`
   * @param theme the theme with which the HTML file begins, so that no other theme is painted first
   */
  find(path: string, accepted: string, theme?: Theme): Promise<PageFile | undefined>;
  /** Preload links for the header `Link`: the browser fetches these files before it reads the HTML file. */
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
    paths: PATHS,
    async find(path, accepted, theme) {
      const asset = (await load()).get(path);
      if (asset && theme && path === "/")
        return { body: withTheme(decompress(asset), theme), type: asset.type };
      return asset && encode(asset, accepted);
    },
    preloads() {
      preloads ??= load().then(findPreloads);
      return preloads;
    },
  };
}

export type Theme = "light" | "dark";

function withTheme(html: Uint8Array, theme: Theme): Uint8Array {
  const text = new TextDecoder().decode(html).replace("<html", `<html data-theme="${theme}"`);
  return new TextEncoder().encode(text);
}

const STYLES = /<link rel="stylesheet" crossorigin href="([^"]+)"/g;
const SCRIPTS = /<script type="module" crossorigin src="([^"]+)"/g;

function findPreloads(assets: Map<string, Asset>): string[] {
  const page = assets.get("/");
  const html = page ? new TextDecoder().decode(decompress(page)) : "";
  return [
    ...[...html.matchAll(STYLES)].map(([, path]) => `<${path}>; rel=preload; as=style; crossorigin`),
    ...[...html.matchAll(SCRIPTS)].map(([, path]) => `<${path}>; rel=modulepreload`),
  ];
}

function encode(asset: Asset, accepted: string): PageFile {
  const { type, brotli, gzip } = asset;
  if (accepts(accepted, "br")) return { type, body: brotli, encoding: "br" };
  if (accepts(accepted, "gzip")) return { type, body: gzip, encoding: "gzip" };
  return { type, body: decompress(asset) };
}

function decompress({ gzip }: Asset): Uint8Array {
  return Bun.gunzipSync(new Uint8Array(gzip));
}
