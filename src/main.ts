import { run } from "./cli/program.ts";

// Libraries create long messages for developers otherwise. No command has loaded them yet.
process.env.NODE_ENV = "production";

process.exit(await run(process.argv.slice(2)));
