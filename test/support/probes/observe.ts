/** Prints an observation, for tests that need a process with its own environment. */
import { observation } from "./observation.ts";

const [type = "HTTP", config = "{}"] = process.argv.slice(2);
await Bun.write(Bun.stdout, JSON.stringify(await observation(type as "HTTP", JSON.parse(config))));
