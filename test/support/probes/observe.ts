/** Prints observations that are made one after another, a line for each, for tests that need a process with its own environment. */
import { observation } from "./observation.ts";

const [type = "HTTP", config = "{}", times = "1"] = process.argv.slice(2);
for (let at = 0; at < Number(times); at++)
  process.stdout.write(`${JSON.stringify(await observation(type as "HTTP", JSON.parse(config)))}\n`);
