import type { BunPlugin } from "bun";
import { bundle } from "../../src/dashboard/bundle.ts";
import { guideFiles } from "../../src/guide/files.ts";

/**
 * Compiles the executable of the product. Entry points besides the main file are listed here. The same sources give the
 * same bytes in any folder.
 *
 * @param outfile path of the executable; its last part is also a name inside the executable
 * @param target of `bun build --compile`, such as `bun-linux-arm64`; default: this machine
 * @throws if the sources can't be bundled, or the runtime of the target is not available
 */
export async function compile(outfile: string, target?: Bun.Build.CompileTarget): Promise<void> {
  const isReadable = isThisRuntime(target);
  await Bun.build({
    entrypoints: [
      "src/main.ts",
      "src/probes/probe-worker.ts",
      "src/probes/http/pattern-worker.ts",
      "src/store/sqlite/checkpoint-worker.ts",
      "src/store/sqlite/vacuum-worker.ts",
      "src/runner/people/password-worker.ts",
    ],
    compile: {
      outfile,
      jitPolicy: START_JIT_POLICY,
      ...(target && { target }),
      ...(isReadable && { bytecodeOrder: START_ORDER }),
    },
    plugins: [await page(), await guide(), unused],
    // Without this, Bun writes the paths of libraries on the build machine.
    define: { __dirname: JSON.stringify("/$bunfs/root") },
    minify: { syntax: true, whitespace: true },
    sourcemap: "linked",
    // Halves the start time. Only the same version of the runtime can read the bytecode.
    bytecode: isReadable,
    format: "esm",
    // Without this, each command and the probe thread read the modules of all commands.
    splitting: true,
  });
  await Bun.write(outfile, withoutSources(await Bun.file(outfile).bytes()));
}

/**
 * How often more than usual something must run before it is compiled to machine code, on the main thread, until `Bun.unsafe.setJITPolicy`
 * ends that. Compiling what only a start runs takes a fifth of its processor time, and 5 MB of memory.
 */
const START_JIT_POLICY = 30;

/**
 * The functions that a start uses, which `start-order.ts` records. Their bytecode is at the front, so that a start reads less of the
 * executable: 5 MB less memory.
 */
export const START_ORDER = "scripts/package/start-order.txt";

const END = new TextEncoder().encode("\n---- Bun! ----\n");

/** Bytes of the record of an embedded file: six pairs of offset and length, and four bytes. The third is the source map. */
const RECORD = 52;

/**
 * Empties the sources in the source maps: a stack trace needs only positions, and the sources are 3.4 MB that do not compress. No offset
 * moves: the room is filled with zeros. Format: the end of what version 1.4.5 of Bun embeds.
 *
 * @throws if the format is another one
 */
function withoutSources(executable: Uint8Array): Uint8Array {
  const bytes = Buffer.from(executable.buffer, executable.byteOffset, executable.length);
  const trailer = bytes.lastIndexOf(END) - 32;
  const start = trailer - Number(bytes.readBigUInt64LE(trailer));
  const [records, length] = [bytes.readUInt32LE(trailer + 8), bytes.readUInt32LE(trailer + 12)];
  if (start < 0 || length % RECORD !== 0) throw new Error("the format of executables of Bun has changed");
  for (let at = start + records; at < start + records + length; at += RECORD) {
    const map = start + bytes.readUInt32LE(at + 16);
    if (bytes.readUInt32LE(at + 20) > 0) emptySources(bytes.subarray(map, map + bytes.readUInt32LE(at + 20)));
  }
  return bytes;
}

/** @param map the number of sources, the length of the positions, pairs of offset and length of the names, and of the sources */
function emptySources(map: Buffer): void {
  const empty = Bun.zstdCompressSync("");
  const count = map.readUInt32LE(0);
  const first = 8 + 8 * count;
  for (let pair = first; pair < first + 8 * count; pair += 8) {
    const [offset, length] = [map.readUInt32LE(pair), map.readUInt32LE(pair + 4)];
    if (map.readUInt32LE(offset) !== ZSTD || length < empty.length)
      throw new Error("the format of source maps of Bun has changed");
    map.fill(0, offset, offset + length).set(empty, offset);
    map.writeUInt32LE(empty.length, pair + 4);
  }
}

/** The first bytes of what zstd compresses (RFC 8878). */
const ZSTD = 0xfd2fb528;

/** Bun has one runtime for all x64 machines, old and new. */
function isThisRuntime(target?: Bun.Build.CompileTarget): boolean {
  return (
    target === undefined || (target.startsWith(`bun-linux-${process.arch}`) && !target.endsWith("-musl"))
  );
}

/** Replaces the bundling of the page in the sources by its finished files. */
async function page(): Promise<BunPlugin> {
  const contents = await embedded();
  return {
    name: "page",
    setup(build) {
      build.onLoad({ filter: /\/src\/dashboard\/bundle\.ts$/ }, () => ({ loader: "js", contents }));
    },
  };
}

/** Replaces the reading of `docs/` in the sources by what it reads: texts together and compressed, pictures as files. */
async function guide(): Promise<BunPlugin> {
  const files = await guideFiles();
  const [pages, pictures] = [files.filter(isPage), files.filter((file) => !isPage(file))];
  const texts = await Promise.all(pages.map(async ({ path, bytes }) => [path, decode(await bytes())]));
  const packed = Buffer.from(Bun.zstdCompressSync(JSON.stringify(texts), { level: 19 })).toString("base64");
  // From `src/guide/files.ts`: a path of this machine would be in the source map.
  const imports = pictures.map(
    ({ path }, at) =>
      `import picture${at} from ${JSON.stringify(`../../docs/${path}`)} with { type: "file" };`,
  );
  const contents = `${imports.join("\n")}
    const pictures = [${pictures.map(({ path }, at) => `[${JSON.stringify(path)}, picture${at}]`)}];
    const texts = () => JSON.parse(new TextDecoder().decode(Bun.zstdDecompressSync(Uint8Array.fromBase64("${packed}"))));
    export const guideFiles = async () => [
      ...texts().map(([path, text]) => ({ path, bytes: async () => new TextEncoder().encode(text) })),
      ...pictures.map(([path, file]) => ({ path, bytes: async () => new Uint8Array(await Bun.file(file).arrayBuffer()) })),
    ];`;
  return {
    name: "guide",
    setup(build) {
      build.onLoad({ filter: /\/src\/guide\/files\.ts$/ }, () => ({ loader: "js", contents }));
    },
  };
}

const isPage = ({ path }: { path: string }) => path.endsWith(".md");

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Modules that libraries load and nothing uses, and their replacements: loading them would delay each start. */
const UNUSED: { filter: RegExp; replace: (source: string) => string }[] = [
  // The viewer of the API has no theme: `customCss` is empty.
  { filter: /\/@scalar\/themes\/dist\/index\.js$/, replace: () => `export const elysiajsTheme = "";` },
  // The default metrics, the gateway and clusters.
  {
    filter: /\/prom-client\/index\.js$/,
    replace: () =>
      ["Registry", "Counter", "Histogram"]
        .map((name) => `exports.${name} = require("./lib/${name.toLowerCase()}");`)
        .join("\n"),
  },
  // IDs with an alphabet that is not ours.
  {
    filter: /\/nanoid\/index\.js$/,
    replace: (source) => replaced(source, "export const nanoid = customAlphabet(urlAlphabet)", ""),
  },
  // Writing logs on other threads.
  { filter: /\/pino\/lib\/transport\.js$/, replace: () => "module.exports = undefined;" },
  {
    filter: /\/pino\/lib\/tools\.js$/,
    replace: (source) =>
      replaced(source, "const { isMainThread } = require('worker_threads')", "const isMainThread = true"),
  },
  // Values in the errors of a program that uses it wrongly.
  {
    filter: /\/prom-client\/lib\/(counter|histogram|validation)\.js$/,
    replace: (source) =>
      replaced(source, "const util = require('util');", "const util = { format: String, inspect: String };"),
  },
  // A garbage collection just before the server listens. The runtime collects a second later anyway.
  {
    filter: /\/elysia\/dist\/compose\.mjs$/,
    replace: (source) => replaced(source, "return isBun && Bun.gc(!1), fn;", "return fn;"),
  },
  // Macros, of which there are none: each route looks for them three times.
  {
    filter: /\/elysia\/dist\/index\.mjs$/,
    replace: (source) => replaced(source, "if (iteration >= 16) return;", "return;"),
  },
  // The validation of answers of MCP clients, which are asked for nothing: half of the library.
  {
    filter: /\/@modelcontextprotocol\/sdk\/dist\/esm\/validation\/ajv-provider\.js$/,
    replace: () => "export class AjvJsonSchemaValidator {}",
  },
  // Commands that are other programs, and colors of help texts.
  {
    filter: /\/commander\/lib\/command\.js$/,
    replace: (source) =>
      withoutUtil(
        replaced(source, "import childProcess from 'node:child_process';", "const childProcess = undefined;"),
      ),
  },
  { filter: /\/commander\/lib\/help\.js$/, replace: withoutUtil },
];

function withoutUtil(source: string): string {
  return replaced(
    source,
    "import { stripVTControlCharacters } from 'node:util';",
    "const stripVTControlCharacters = Bun.stripANSI;",
  );
}

function replaced(source: string, text: string, by: string): string {
  if (!source.includes(text)) throw new Error(`a library has changed: it does not contain ${text}`);
  return source.replace(text, by);
}

const unused: BunPlugin = {
  name: "unused",
  setup(build) {
    for (const { filter, replace } of UNUSED)
      build.onLoad({ filter }, async ({ path }) => ({
        loader: "js",
        contents: replace(await Bun.file(path).text()),
      }));
  },
};

async function embedded(): Promise<string> {
  const files = (await bundle()).map(({ path, type, gzip, brotli }) => ({
    path,
    type,
    gzip: Buffer.from(gzip).toString("base64"),
    brotli: Buffer.from(brotli).toString("base64"),
  }));
  return `const files = ${JSON.stringify(files)};
    const decoded = (file) => ({
      ...file,
      gzip: Uint8Array.fromBase64(file.gzip),
      brotli: Uint8Array.fromBase64(file.brotli),
    });
    export const loadAssets = async () => files.map(decoded);`;
}
