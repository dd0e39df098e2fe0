import { type Asset, assetOf } from "./asset.ts";
import { PATHS } from "./paths.ts";

/**
 * The files with which a browser installs the page (behavior 21.60). The addresses of the manifest and the service worker never
 * change.
 *
 * @param html the HTML file, which names the other files that the page starts with, and so its version
 */
export async function installable(html: string): Promise<Asset[]> {
  const icons = await Promise.all(ICONS.map(readIcon));
  const manifest = new TextEncoder().encode(JSON.stringify(manifestOf(icons)));
  return [
    assetOf("/service-worker.js", "text/javascript;charset=utf-8", await buildWorker(html, icons)),
    assetOf("/manifest.webmanifest", "application/manifest+json", manifest),
    ...icons,
  ];
}

/** The beginnings of the paths that need a session: a wall and an invitation stay what they are. */
const SECTIONS = [...new Set(PATHS.map((path) => path.split("/")[1]))].filter(
  (section) => section && section !== "wall" && section !== "invite",
);

const STARTING_FILES = /(?:href|src)="(\/assets\/[^"]+\.(?:js|css))"/g;

async function buildWorker(html: string, [icon]: Asset[]) {
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

async function readIcon(name: string): Promise<Asset> {
  const plain = await Bun.file(new URL(`./web/worker/${name}`, import.meta.url)).bytes();
  const path = `/assets/${name.replace(".", `-${Bun.hash(plain).toString(36).slice(0, 8)}.`)}`;
  return assetOf(path, "image/png", plain);
}

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
