import { type Asset, bundle } from "./bundle.ts";

/** All files of the page. `scripts/build.ts` puts the finished files in the place of this module. */
export function loadAssets(): Promise<Asset[]> {
  return bundle();
}
