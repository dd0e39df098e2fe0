import type { BunPlugin } from "bun";
import { bundle } from "../../src/dashboard/bundle.ts";

/**
 * Compiles the executable of the product. Entry points besides the main file are listed here. The same sources give the
 * same bytes in any folder.
 *
 * @param outfile path of the executable; its last part is also a name inside the executable
 * @param target of `bun build --compile`, such as `bun-linux-arm64`; default: this machine
 * @throws if the sources can't be bundled, or the runtime of the target is not available
 */
export async function compile(outfile: string, target?: Bun.Build.CompileTarget): Promise<void> {
  await Bun.build({
    entrypoints: ["src/main.ts", "src/probes/probe-worker.ts", "src/store/sqlite/checkpoint-worker.ts"],
    compile: { outfile, ...(target && { target }) },
    plugins: [await page(), themes],
    // Without this, Bun writes the paths of libraries on the build machine.
    define: { __dirname: JSON.stringify("/$bunfs/root") },
    minify: { syntax: true, whitespace: true },
    sourcemap: "linked",
    // Halves the start time. Only the same version of the runtime can read the bytecode.
    bytecode: isThisRuntime(target),
    format: "esm",
    // Without this, each command and the probe thread read the modules of all commands.
    splitting: true,
  });
}

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
      build.onLoad({ filter: /\/src\/dashboard\/assets\.ts$/ }, () => ({ loader: "js", contents }));
    },
  };
}

/** The viewer of the API has no theme (`customCss` is empty), and loading the package of themes would delay each start. */
const themes: BunPlugin = {
  name: "themes",
  setup(build) {
    build.onLoad({ filter: /\/@scalar\/themes\/dist\/index\.js$/ }, () => ({
      loader: "js",
      contents: `export const elysiajsTheme = "";`,
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
