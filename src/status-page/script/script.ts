import live from "./live.js" with { type: "text" };

/** The script of public pages, minified. */
export function liveScript(): string {
  minified ??= minify(live);
  return minified;
}

/** Minified at the first use: the transpiler takes 20 ms, which would delay each start. */
let minified: string | undefined;

function minify(source: string): string {
  const options = { loader: "js", minify: { whitespace: true, identifiers: true, syntax: true } } as const;
  return new Bun.Transpiler(options).transformSync(source).trim();
}
