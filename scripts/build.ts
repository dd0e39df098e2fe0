/** Builds the one executable of the product, `dist/stillup`; what it runs besides the main file must be named here. */
import type { BunPlugin } from "bun";
import { bundle } from "../src/dashboard/bundle.ts";

const assets = await bundle();

/** Puts the finished files of the page where the sources would bundle them. */
const page: BunPlugin = {
  name: "page",
  setup(build) {
    build.onLoad({ filter: /\/src\/dashboard\/assets\.ts$/ }, () => ({ loader: "js", contents: embedded() }));
  },
};

function embedded(): string {
  const files = assets.map(({ path, type, gzip, brotli }) => ({
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

const result = await Bun.build({
  entrypoints: ["src/main.ts", "src/probes/probe-worker.ts"],
  compile: { outfile: "dist/stillup" },
  plugins: [page],
  minify: { syntax: true, whitespace: true },
  sourcemap: "linked",
});
for (const message of result.logs) console.error(message);
if (!result.success) process.exit(1);
