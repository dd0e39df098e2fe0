/** Prints what an HTTP probe sees of a URL, for tests that need a process with surroundings of its own. */
import { observation } from "./observation.ts";

const [url = ""] = process.argv.slice(2);
await Bun.write(Bun.stdout, JSON.stringify(await observation("HTTP", { url })));
