import { english } from "../../src/dashboard/languages/english.ts";
import { texts } from "../../src/dashboard/web/languages/texts.ts";

/* Preloaded (bunfig.toml): in a browser, the page loads the texts before it calls what these tests call. */

Object.assign(texts, english);
