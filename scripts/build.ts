/** Builds the one executable of the product, `dist/stillup`; what it runs besides the main file must be named here. */
const result = await Bun.build({
  entrypoints: ["src/main.ts", "src/probes/probe-worker.ts"],
  compile: { outfile: "dist/stillup" },
  minify: { syntax: true, whitespace: true },
  sourcemap: "linked",
});
for (const message of result.logs) console.error(message);
if (!result.success) process.exit(1);
