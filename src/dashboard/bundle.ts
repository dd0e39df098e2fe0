import { readFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";
import type { BunPlugin } from "bun";
import { textFiles } from "./languages/json-files.ts";
import { PATHS } from "./paths.ts";

/*
 * Bundles the page from its sources. `scripts/package/compile.ts` replaces this module by one that has the bundled files.
 */

let bundled: Promise<Asset[]> | undefined;

/** Compresses fast: a server that runs from source is stopped soon. */
const FAST = 4;

/** All files of the page. They are bundled once for all servers of a process. */
export function loadAssets(): Promise<Asset[]> {
  bundled ??= bundle(FAST);
  return bundled;
}

const SOURCE = new URL("./web/index.html", import.meta.url).pathname;

/**
 * Added after the build, which would give the manifest a name that changes. With cookies, because a proxy may let only its own
 * sessions pass.
 */
const INSTALL_LINK = '<link rel="manifest" href="/manifest.webmanifest" crossorigin="use-credentials">';

/** V8 then compiles all functions on a background thread, instead of each one at its first call. */
const HINT = "//# allFunctionsCalledOnLoad";

/** Bytes of a script that gains nothing by the hint. */
const SMALL = 4000;

/**
 * Bundles the page. The build embeds the result in the executable; a server that runs from source calls it at the first request.
 *
 * @param quality of the compression with Brotli, 11 at most
 */
export async function bundle(quality = 11): Promise<Asset[]> {
  const { outputs } = await Bun.build({
    entrypoints: [SOURCE],
    target: "browser",
    splitting: true,
    plugins: PLUGINS,
    minify: true,
    banner: HINT,
    // The scripts, which are in one folder, name each other.
    publicPath: "./",
    naming: { entry: "[name].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const page = outputs.find(({ path }) => path.endsWith("/index.html"));
  if (!page) throw new Error("The page was not built.");
  const html = (await page.text())
    .replaceAll(/(?<=(?:href|src)=")\.\//g, "/assets/")
    .replace("</head>", `${INSTALL_LINK}</head>`);
  const others = outputs.filter((output) => output !== page);
  const files = [
    { path: "/", type: page.type, plain: new TextEncoder().encode(html) },
    ...(await Promise.all(others.map(readOutput))),
    ...(await installable(html)),
    ...(await texts()),
  ];
  return files.map((file) => compress(file, quality));
}

/** The texts of the page in each language. All names change with any of the texts, so that the HTML file can name them by one prefix. */
async function texts(): Promise<File[]> {
  const files = await textFiles();
  const version = Bun.hash(JSON.stringify(files)).toString(36).slice(0, 8);
  return files.map(({ name, json }) => ({
    path: `/assets/texts-${version}-${name}`,
    type: "application/json",
    plain: new TextEncoder().encode(json),
  }));
}

async function readOutput(output: Bun.BuildArtifact): Promise<File> {
  const name = output.path.replace(/^.*\//, "");
  const content =
    name.endsWith(".js") && output.size < SMALL
      ? new TextEncoder().encode((await output.text()).replace(HINT, ""))
      : new Uint8Array(await output.arrayBuffer());
  return { path: `/assets/${name}`, type: output.type, plain: content };
}

/**
 * The files with which a browser installs the page (behavior 21.60). The addresses of the manifest and the service worker never
 * change.
 *
 * @param html the HTML file, which names the other files that the page starts with, and so its version
 */
async function installable(html: string): Promise<File[]> {
  const icons = await Promise.all(ICONS.map(readIcon));
  const manifest = new TextEncoder().encode(JSON.stringify(manifestOf(icons)));
  return [
    {
      path: "/service-worker.js",
      type: "text/javascript;charset=utf-8",
      plain: await buildWorker(html, icons),
    },
    { path: "/manifest.webmanifest", type: "application/manifest+json", plain: manifest },
    ...icons,
  ];
}

/** The beginnings of the paths that need a session: a wall and an invitation stay what they are. */
const SECTIONS = [...new Set(PATHS.map((path) => path.split("/")[1]))].filter(
  (section) => section && section !== "wall" && section !== "invite",
);

const STARTING_FILES = /(?:href|src)="(\/assets\/[^"]+\.(?:js|css))"/g;

async function buildWorker(html: string, [icon]: File[]) {
  const shell = ["/", ...[...html.matchAll(STARTING_FILES)].map(([, path]) => path)];
  const { outputs } = await Bun.build({
    entrypoints: [new URL("./web/worker/service-worker.ts", import.meta.url).pathname],
    target: "browser",
    minify: true,
    define: {
      SHELL: JSON.stringify(shell),
      SECTIONS: JSON.stringify(SECTIONS.join("|")),
      VERSION: JSON.stringify(Bun.hash(html).toString(36)),
      ICON: JSON.stringify(icon?.path),
    },
  });
  const [code] = outputs;
  if (!code) throw new Error("The service worker was not built.");
  return new Uint8Array(await code.arrayBuffer());
}

/** Drawn from `web/icon.svg` by `scripts/draw-icons.ts`. Notifications show the smallest one. */
const ICONS = ["icon-192.png", "icon-512.png", "icon-maskable-512.png"] as const;

async function readIcon(name: string): Promise<File> {
  const plain = await Bun.file(new URL(`./web/worker/${name}`, import.meta.url)).bytes();
  const path = `/assets/${name.replace(".", `-${Bun.hash(plain).toString(36).slice(0, 8)}.`)}`;
  return { path, type: "image/png", plain };
}

const manifestOf = ([small, large, maskable]: File[]) => ({
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

interface File {
  /** Such as `/assets/page-1a2b3c.js`, which changes with the content. The HTML file has `/`. */
  path: string;
  type: string;
  plain: Uint8Array<ArrayBuffer>;
}

/** One file of the page. */
export interface Asset extends Omit<File, "plain"> {
  gzip: Uint8Array;
  brotli: Uint8Array;
}

function compress({ path, type, plain }: File, quality: number): Asset {
  return {
    path,
    type,
    gzip: Bun.gzipSync(plain, { level: 9 }),
    brotli: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
  };
}

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

/** Kinds of schemas of TypeBox that the domain does not use. A schema of such a kind would throw in a form. */
export const UNUSED_KINDS = [
  ...["Argument", "AsyncIterator", "BigInt", "Constructor", "Date", "Function", "Import", "Iterator", "Not"],
  ...["Promise", "Record", "Ref", "RegExp", "Symbol", "TemplateLiteral", "This", "Tuple", "Undefined"],
  ...["Uint8Array", "Void"],
];

const UNUSED_CASE = new RegExp(`case '(${UNUSED_KINDS.join("|")})':\\s+return [^;]*;`, "g");

/** The numbers of the errors of TypeBox, as it assigns them: `Type[Type["Array"] = 6] = "Array"`. */
const ERROR_TYPE = /ValueErrorType\[ValueErrorType\["(\w+)"\] = (\d+)\] = "\w+";/g;

/** Without the names of the numbers, and with the numbers in place of the names, except those that stillup reads. */
function withNumbers(text: string): string {
  const numbers = new Map([...text.matchAll(ERROR_TYPE)].map(([, name, number]) => [name, number]));
  const reader = readFileSync(new URL("../domain/schemas/validation.ts", import.meta.url), "utf8");
  const read = [...reader.matchAll(/ValueErrorType\.(\w+)/g)].map(([, name]) => name);
  const names = [...new Set(read)].map((name) => `${name}: ${numbers.get(name)}`);
  return text
    .replace(/export var ValueErrorType;[\s\S]*?\}\)\(ValueErrorType \|\| \(ValueErrorType = \{\}\)\);/, "")
    .replace(/ValueErrorType\.(\w+)/g, (_, name) => String(numbers.get(name)))
    .concat(`export const ValueErrorType = { ${names.join()} };`);
}

/** Throws an error with a message that nobody reads: `isCronExpression` catches it. */
const CRON_ERROR = /throw new (?:Type|Range)?Error\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g;

/** Methods of croner that schedule jobs: the page only computes their runs. */
export const UNUSED_OF_CRONER = [
  ...[
    "nextRuns",
    "enumerate",
    "getPattern",
    "getOnce",
    "isRunning",
    "isStopped",
    "isBusy",
    "currentRun",
    "previousRun",
  ],
  ...[
    "msToNext",
    "stop",
    "pause",
    "resume",
    "schedule",
    "_schedule",
    "trigger",
    "_trigger",
    "runsLeft",
    "_checkTrigger",
  ],
];

/** A class without some methods, in code without braces in texts. */
function withoutMethods(text: string, names: readonly string[]): string {
  return names.reduce((rest, name) => {
    const start = rest.search(new RegExp(`(?<=[;}])(async )?${name}\\([^()]*(\\(\\))?\\)\\{`));
    let [end, depth] = [rest.indexOf("{", start) + 1, 1];
    for (; depth > 0; end++) depth += { "{": 1, "}": -1 }[rest.charAt(end)] ?? 0;
    return start < 0 ? rest : rest.slice(0, start) + rest.slice(end);
  }, text);
}

/** Modules that the page does not need, or only in part, and what it gets in their place. */
const REPLACEMENTS: { file: RegExp; contents: string | ((text: string) => string) }[] = [
  {
    // The kinds of schemas that no form has: 2 kB with the names of their errors.
    file: /typebox\/build\/esm\/errors\/errors\.mjs$/,
    contents: (text) => withNumbers(text.replace(UNUSED_CASE, "")),
  },
  {
    file: /typebox\/build\/esm\/value\/check\/check\.mjs$/,
    contents: (text) => text.replace(UNUSED_CASE, ""),
  },
  {
    // Its messages and timers: 2 kB.
    file: /croner\/dist\/croner\.js$/,
    contents: (text) => withoutMethods(text.replace(CRON_ERROR, "throw Error()"), UNUSED_OF_CRONER),
  },
  {
    // The page sends its changes by itself: 1 kB.
    file: /query-core\/build\/modern\/mutationCache\.js$/,
    contents: "export class MutationCache { resumePausedMutations() {} clear() {} }",
  },
  {
    // TypeBox assigns a module with all its builders to a variable, so that the bundler cannot leave out the unused ones: 7 kB.
    file: /typebox\/build\/esm\/type\/type\/index\.mjs$/,
    contents: 'export * as Type from "./type.mjs";',
  },
  {
    // The texts that TypeBox has for its errors; stillup has its own: 1 kB.
    file: /typebox\/build\/esm\/errors\/function\.mjs$/,
    contents: 'export const GetErrorFunction = () => () => "";',
  },
  {
    // TypeBox compares the entries of a list that has each one once by it. The entries in forms are texts: 1 kB.
    file: /typebox\/build\/esm\/value\/hash\/hash\.mjs$/,
    contents: "export const Hash = (value) => JSON.stringify(value);",
  },
  {
    // The server checks JSONPath expressions when the form is saved: 12 kB.
    file: /\/json-p3\/dist\//,
    contents: "export class JSONPathEnvironment { compile() { return { singularQuery: () => true }; } }",
  },
  {
    // The sentences of the API about faults: the page has texts by their codes (behavior 27.72). 5 kB.
    file: /\/domain\/faults\/sentences\.ts$/,
    contents: "export const sentences = {}; export const hints = {};",
  },
  {
    file: /\/domain\/schemas\/explain\.ts$/,
    contents: 'export const explain = () => ""; export const demandOf = explain;',
  },
  {
    // A key that only browsers write. The server checks it.
    file: /\/push-point\.ts$/,
    contents: "export const isPushPoint = () => true;",
  },
];

const smallerModules: BunPlugin = {
  name: "smaller-modules",
  setup(build) {
    for (const { file, contents } of REPLACEMENTS)
      build.onLoad({ filter: file }, async ({ path }) => ({
        contents: typeof contents === "string" ? contents : contents(await Bun.file(path).text()),
        loader: "js",
      }));
  },
};

/** A description of literals, or the rule of a format in words. The page itself reads no fields of these names in `domain/`. */
const DESCRIPTION =
  /\b(?:description|must):\s*(?:(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)\s*\+?\s*)+(?:,|(?=\}))/g;

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

/** They make the scripts of the page smaller. */
const PLUGINS = [preact, smallerModules, withoutDescriptions];
