import type { Asset } from "./asset.ts";
import { bundle } from "./bundle.ts";

/** All files of the page. `scripts/build.ts` replaces this module by one that has the bundled files. */
export function loadAssets(): Promise<Asset[]> {
  return bundle();
}
