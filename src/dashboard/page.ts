import { brotliCompressSync } from "node:zlib";
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
   * @param reader what the HTML file says about its reader
   */
  find(path: string, accepted: string, reader?: PageReader): Promise<PageFile | undefined>;
  /** Preload links for the header `Link`: the browser fetches these files before it reads the HTML file. */
  preloads(): Promise<string[]>;
}

export function createPage(): Page {
  let loading: Promise<Map<string, Asset>> | undefined;
  let preloads: Promise<string[]> | undefined;
  /** The HTML file by the attributes of its root, for each of the few kinds of readers. */
  const documents = new Map<string, Asset>();
  const load = () => {
    loading ??= loadAssets().then((all) => new Map(all.map((one) => [one.path, one])));
    return loading;
  };
  return {
    paths: PATHS,
    async find(path, accepted, reader) {
      const asset = (await load()).get(path);
      if (!asset || path !== "/" || !reader) return asset && encode(asset, accepted);
      const attributes = attributesOf(reader);
      let document = documents.get(attributes);
      if (!document) {
        document = withAttributes(asset, attributes);
        documents.set(attributes, document);
      }
      return encode(document, accepted);
    },
    preloads() {
      preloads ??= load().then(findPreloads);
      return preloads;
    },
  };
}

/** The facts about a reader that the first paint needs. */
export interface PageReader {
  /** The theme that the reader has chosen, so that no other one is painted first. */
  theme: "light" | "dark" | undefined;
  /** Whether the reader may be signed in, and reads the menu first, not the sign-in. */
  hasSession: boolean;
}

function attributesOf({ theme, hasSession }: PageReader): string {
  return (theme ? ` data-theme="${theme}"` : "") + (hasSession ? " data-session" : "");
}

function withAttributes(asset: Asset, attributes: string): Asset {
  const html = new TextDecoder().decode(decompress(asset)).replace("<html", `<html${attributes}`);
  const plain = new TextEncoder().encode(html);
  return { ...asset, gzip: Bun.gzipSync(plain), brotli: brotliCompressSync(plain) };
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
