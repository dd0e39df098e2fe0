import { cached } from "../domain/cache.ts";
import { accepts } from "../domain/network/accept-encoding.ts";
import { isRightToLeft, type Reader } from "../domain/pages/reader-locale.ts";
import { type Asset, loadAssets } from "./bundle.ts";
import type { English } from "./languages/english.ts";
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
  preloads(reader: PageReader): Promise<string[]>;
  /** Changes with the scripts and styles. */
  version(): Promise<string>;
}

/** @param basePath the path of the base URL, below which its files are; empty for most servers */
export function createPage(basePath = ""): Page {
  let loading: Promise<Map<string, Asset>> | undefined;
  let links: Promise<string[]> | undefined;
  const load = () => {
    loading ??= loadAssets().then((all) => new Map(all.map((one) => [one.path, placed(one, basePath)])));
    return loading;
  };
  const textsOf = async ({ language }: PageReader) => `${basePath}${findTexts(await load())}-${language}`;
  /** The HTML file by the attributes of its root: a reader has one of some locales and of three themes. */
  const documentOf = cached(async (attributes: string) => {
    const assets = await load();
    return rewritten(assets.get("/") as Asset, (html) =>
      withAttributes(inLanguage(html, assets, attributes), attributes),
    );
  }, MAX_DOCUMENTS);
  const findLinks = () => {
    links ??= load().then(findPreloads);
    return links;
  };
  return {
    paths: PATHS,
    async find(path, accepted, reader) {
      const asset = (await load()).get(path);
      if (!asset || path !== "/" || !reader) return asset && encode(asset, accepted);
      const attributes = attributesOf(reader, await textsOf(reader));
      return encode(await documentOf(attributes), accepted);
    },
    async preloads(reader) {
      const texts = `<${await textsOf(reader)}-start.json>; rel=preload; as=fetch; crossorigin`;
      return [...(await findLinks()), texts];
    },
    version: async () => Bun.hash((await findLinks()).join()).toString(36),
  };
}

const MAX_DOCUMENTS = 100;

/** @returns what the paths of all texts begin with */
function findTexts(assets: Map<string, Asset>): string {
  const [found = ""] = assets.keys().flatMap((path) => /^\/assets\/texts-[^-]+/.exec(path) ?? []);
  return found;
}

/** The files that name others from the root of the host. */
const WITH_PATHS = ["/", "/manifest.webmanifest"];

/** The same file, with the paths in it below the base URL. The scripts name each other relative to themselves, and read the path from the HTML file. */
function placed(asset: Asset, basePath: string): Asset {
  if (basePath === "" || !WITH_PATHS.includes(asset.path)) return asset;
  return rewritten(asset, (text) =>
    text
      .replace("<html", `<html data-base="${basePath}"`)
      .replaceAll(/"(?=\/(?:"|assets\/|manifest\.))/g, `"${basePath}`),
  );
}

/** The facts about a reader that the first paint needs: the language and its locale too. */
export interface PageReader extends Reader {
  /** The theme that the reader has chosen, so that no other one is painted first. */
  theme: "light" | "dark" | undefined;
  /** Whether the reader may be signed in, and reads the menu first, not the sign-in. */
  hasSession: boolean;
}

/** @param texts the paths of the reader's texts begin with it */
function attributesOf({ theme, hasSession, language, locale }: PageReader, texts: string): string {
  const direction = isRightToLeft(language) ? ' dir="rtl"' : "";
  const words = ` lang="${language}"${direction} data-locale="${locale}" data-texts="${texts}"`;
  return words + (theme ? ` data-theme="${theme}"` : "") + (hasSession ? " data-session" : "");
}

function withAttributes(html: string, attributes: string): string {
  return html.replace(/(<html[^>]*?) lang="en"/, (_, start) => start + attributes);
}

/** The HTML file with its own texts in the language of the reader (behavior 27.6). */
function inLanguage(html: string, assets: Map<string, Asset>, attributes: string): string {
  const [, language = "en"] = / lang="([^"]+)"/.exec(attributes) ?? [];
  const [english, words] = ["en", language].map((one) => documentTexts(assets, one));
  return Object.entries(english ?? {}).reduce(
    (text, [key, given]) => text.replace(given, () => Bun.escapeHTML(words?.[key] ?? given)),
    html,
  );
}

function documentTexts(assets: Map<string, Asset>, language: string): Record<string, string> {
  const file = assets.get(`${findTexts(assets)}-${language}-start.json`) as Asset;
  const texts: Pick<English, "app"> = JSON.parse(new TextDecoder().decode(decompress(file)));
  return texts.app.document;
}

function rewritten(asset: Asset, change: (text: string) => string): Asset {
  const plain = new TextEncoder().encode(change(new TextDecoder().decode(decompress(asset))));
  // Loaded here, because it would delay each start.
  const { brotliCompressSync } = process.getBuiltinModule("node:zlib");
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
