/** Builds `dist/stillup` for this machine. */
import { compile } from "./package/compile.ts";

await compile("dist/stillup");
