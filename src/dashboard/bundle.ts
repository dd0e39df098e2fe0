import { type Asset, assetOf } from "./asset.ts";
import { PLUGINS } from "./bundle-plugins.ts";
import { installable } from "./installable.ts";

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

/** Bundles the page. The build embeds the result in the executable; a server that runs from source calls it at the first request. */
export async function bundle(): Promise<Asset[]> {
  const { outputs } = await Bun.build({
    entrypoints: [SOURCE],
    target: "browser",
    splitting: true,
    plugins: PLUGINS,
    minify: true,
    banner: HINT,
    publicPath: "/assets/",
    naming: { entry: "[name].[ext]", chunk: "[name]-[hash].[ext]", asset: "[name]-[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const page = outputs.find(({ path }) => path.endsWith("/index.html"));
  if (!page) throw new Error("The page was not built.");
  const html = (await page.text()).replace("</head>", `${INSTALL_LINK}</head>`);
  const others = outputs.filter((output) => output !== page);
  return [
    assetOf("/", page.type, new TextEncoder().encode(html)),
    ...(await Promise.all(others.map(compress))),
    ...(await installable(html)),
  ];
}

async function compress(output: Bun.BuildArtifact): Promise<Asset> {
  const name = output.path.replace(/^.*\//, "");
  const content =
    name.endsWith(".js") && output.size < SMALL
      ? new TextEncoder().encode((await output.text()).replace(HINT, ""))
      : new Uint8Array(await output.arrayBuffer());
  return assetOf(`/assets/${name}`, output.type, content);
}
