import { brotliCompressSync, constants } from "node:zlib";
import type { BunPlugin } from "bun";

/** One file of the page. */
export interface Asset {
  /** Such as `/assets/page-1a2b3c.js`, which changes with the content. The HTML file has `/`. */
  path: string;
  type: string;
  gzip: Uint8Array;
  brotli: Uint8Array;
}

const SOURCE = new URL("./web/index.html", import.meta.url).pathname;

/**
 * Replaces React by Preact, which has a fifth of its size: on a phone, the script takes most of the loading time. Preact
 * also has what the router takes from a package for older versions of React.
 */
const preact: BunPlugin = {
  name: "preact",
  setup(build) {
    const replacements: Record<string, string> = {
      react: "preact/compat",
      "react-dom": "preact/compat",
      "react-dom/client": "preact/compat/client",
      "react/jsx-runtime": "preact/jsx-runtime",
      "use-sync-external-store/shim/index.js": "preact/compat",
    };
    build.onResolve({ filter: /^(react(-dom)?|use-sync-external-store)(\/|$)/ }, ({ path }) => {
      const replacement = replacements[path];
      return replacement ? { path: Bun.resolveSync(replacement, import.meta.dir) } : undefined;
    });
  },
};

/**
 * Lets the bundler leave out the builders of TypeBox that the page does not use: 7 kB of its scripts. TypeBox assigns the module
 * with all of them to a variable, so that the bundler cannot know which ones are used.
 */
const smallTypeBox: BunPlugin = {
  name: "small-typebox",
  setup(build) {
    build.onLoad({ filter: /typebox\/build\/esm\/type\/type\/index\.mjs$/ }, () => ({
      contents: 'export * as Type from "./type.mjs";',
      loader: "js",
    }));
  },
};

/** Leaves the check of JSONPath expressions to the server, which answers when the form is saved: 12 kB of the scripts. */
const withoutJsonPath: BunPlugin = {
  name: "without-json-path",
  setup(build) {
    build.onLoad({ filter: /\/json-p3\/dist\// }, () => ({
      contents: "export class JSONPathEnvironment { compile() { return { singularQuery: () => true }; } }",
      loader: "js",
    }));
  },
};

/** A description of literals. The page itself does not describe anything by fields of this name in `domain/`. */
const DESCRIPTION =
  /\bdescription:\s*(?:(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)\s*\+?\s*)+(?:,|(?=\}))/g;

/** The same as the last argument of `described`. */
const DESCRIBED =
  /(\bdescribed\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*?,)\s*(?:"(?:[^"\\\n]|\\.)*"|`[^`]*`),?\s*\)/g;

/** Examples that are literals. */
const EXAMPLES = /\bexamples:\s*\[[^[\]{}()]*\]\s*(?:,|(?=\}))/g;

/** The name of a schema. */
const NAME = /\bnamed\("\w+"\)/g;

/** Leaves out the descriptions and names of schemas, which are for the documentation of the API: more than 1 kB of the scripts. */
const withoutDescriptions: BunPlugin = {
  name: "without-descriptions",
  setup(build) {
    build.onLoad({ filter: /src\/domain\/.*\.ts$/ }, async ({ path }) => ({
      contents: (await Bun.file(path).text())
        .replace(DESCRIPTION, "")
        .replace(EXAMPLES, "")
        .replace(DESCRIBED, '$1 "")')
        .replace(NAME, 'named("")'),
      loader: "ts",
    }));
  },
};

/** The check of a key that only browsers write: the server makes it. */
const withoutPushPoint: BunPlugin = {
  name: "without-push-point",
  setup(build) {
    build.onLoad({ filter: /\/push-point\.ts$/ }, () => ({
      contents: "export const isPushPoint = () => true;",
      loader: "ts",
    }));
  },
};

/** Added after the build, which would give the file another name. */
const INSTALL_LINKS = '<link rel="manifest" href="/manifest.webmanifest">';

/** Bundles the page. The build embeds the result in the executable; a server that runs from source calls it at the first request. */
export async function bundle(): Promise<Asset[]> {
  const result = await Bun.build({
    entrypoints: [SOURCE],
    target: "browser",
    splitting: true,
    plugins: [preact, smallTypeBox, withoutJsonPath, withoutPushPoint, withoutDescriptions],
    minify: true,
    // V8 then compiles all functions on a background thread, instead of each one at its first call.
    banner: "//# allFunctionsCalledOnLoad",
    publicPath: "/assets/",
    naming: { entry: "[name].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const files = await Promise.all(result.outputs.map(compress));
  return [...files, ...(await installable(files))];
}

/** The files with which a browser installs the page. Their addresses never change. */
async function installable(files: Asset[]): Promise<Asset[]> {
  const page = files.find(({ path }) => path === "/");
  const html = new TextDecoder().decode(Bun.gunzipSync(new Uint8Array(page?.gzip ?? [])));
  // The files that the HTML file names, and with it the version: their names change with their content.
  const shell = [
    "/",
    ...[...html.matchAll(/(?:href|src)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path),
  ];
  const icons = await Promise.all(ICONS.map(readIcon));
  const [icon] = icons;
  const worker = await Bun.build({
    entrypoints: [new URL("./web/worker/service-worker.ts", import.meta.url).pathname],
    target: "browser",
    minify: true,
    define: {
      SHELL: JSON.stringify(shell),
      VERSION: JSON.stringify(Bun.hash(html).toString(36)),
      ICON: JSON.stringify(icon?.path),
    },
  });
  const [code] = worker.outputs;
  return [
    encoded(
      "/service-worker.js",
      "text/javascript;charset=utf-8",
      new Uint8Array((await code?.arrayBuffer()) ?? []),
    ),
    encoded(
      "/manifest.webmanifest",
      "application/manifest+json",
      new TextEncoder().encode(JSON.stringify(manifestOf(icons))),
    ),
    ...icons,
  ];
}

const ICONS = ["icon-192.png", "icon-512.png", "icon-maskable-512.png"] as const;

const manifestOf = ([small, large, maskable]: Asset[]) => ({
  id: "/",
  name: "stillup",
  short_name: "stillup",
  description: "Uptime monitoring: checks, outages and notifications.",
  start_url: "/",
  scope: "/",
  display: "standalone",
  background_color: "#fbfbfa",
  theme_color: "#2f57c8",
  icons: [
    { src: small?.path, sizes: "192x192", type: "image/png" },
    { src: large?.path, sizes: "512x512", type: "image/png" },
    { src: maskable?.path, sizes: "512x512", type: "image/png", purpose: "maskable" },
  ],
});

/** Drawn from `web/icon.svg` by `scripts/draw-icons.ts`. */
async function readIcon(name: string): Promise<Asset> {
  const file = Bun.file(new URL(`./web/worker/${name}`, import.meta.url));
  const plain = await file.bytes();
  return encoded(
    `/assets/${name.replace(".", `-${Bun.hash(plain).toString(36).slice(0, 8)}.`)}`,
    "image/png",
    plain,
  );
}

function encoded(path: string, type: string, plain = new Uint8Array()): Asset {
  return {
    path,
    type,
    gzip: Bun.gzipSync(new Uint8Array(plain), { level: 9 }),
    brotli: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  };
}

async function compress(output: Bun.BuildArtifact): Promise<Asset> {
  const plain = new Uint8Array(await output.arrayBuffer());
  const name = output.path.replace(/^.*\//, "");
  if (name !== "index.html") return encoded(`/assets/${name}`, output.type, plain);
  const html = new TextDecoder().decode(plain).replace("</head>", `${INSTALL_LINKS}</head>`);
  return encoded("/", output.type, new TextEncoder().encode(html));
}
