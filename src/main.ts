import { run } from "./cli/program.ts";

process.exit(await run(process.argv.slice(2)));
