import { brotliCompressSync, constants } from "node:zlib";
import type { BunPlugin } from "bun";

/** One file of the page. */
export interface Asset {
  /** Such as `/assets/page-1a2b3c.js`; the name changes with the content. The page itself is at `/`. */
  path: string;
  type: string;
  gzip: Uint8Array;
  brotli: Uint8Array;
}

const SOURCE = new URL("./web/index.html", import.meta.url).pathname;

/** Preact stands in for React, at a fifth of its size: on a phone the script is what one waits for. */
const preact: BunPlugin = {
  name: "preact",
  setup(build) {
    const places: Record<string, string> = {
      react: "preact/compat",
      "react-dom": "preact/compat",
      "react-dom/client": "preact/compat/client",
      "react/jsx-runtime": "preact/jsx-runtime",
    };
    build.onResolve({ filter: /^react(-dom)?(\/|$)/ }, ({ path }) => {
      const place = places[path];
      return place ? { path: Bun.resolveSync(place, import.meta.dir) } : undefined;
    });
  },
};

/** Bundles the page from its sources. The executable is built with what this gives; from the sources it runs at first use. */
export async function bundle(): Promise<Asset[]> {
  const result = await Bun.build({
    entrypoints: [SOURCE],
    target: "browser",
    splitting: true,
    plugins: [preact],
    minify: true,
    // Has V8 compile all of it beside the page's thread, where else each function would be compiled when it is first called.
    banner: "//# allFunctionsCalledOnLoad",
    publicPath: "/assets/",
    naming: { entry: "[name].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return Promise.all(result.outputs.map(compressed));
}

async function compressed(output: Bun.BuildArtifact): Promise<Asset> {
  const plain = new Uint8Array(await output.arrayBuffer());
  const name = output.path.replace(/^.*\//, "");
  return {
    path: name === "index.html" ? "/" : `/assets/${name}`,
    type: output.type,
    gzip: Bun.gzipSync(plain, { level: 9 }),
    brotli: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  };
}
