/** Prints the observation of a URL, for tests that need a process with its own environment. */
import { observation } from "./observation.ts";

const [url = ""] = process.argv.slice(2);
await Bun.write(Bun.stdout, JSON.stringify(await observation("HTTP", { url })));
