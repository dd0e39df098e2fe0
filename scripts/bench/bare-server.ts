/** Answers every request to `/api/v1/status` with the JSON of its argument: plain Elysia without stillup. */
import { Elysia } from "elysia";

const constant = JSON.parse(process.argv[2] ?? "{}");
const app = new Elysia().get("/api/v1/status", () => constant).listen({ hostname: "127.0.0.1", port: 0 });
console.log(`listening on http://127.0.0.1:${app.server?.port}`);
process.on("SIGTERM", () => process.exit(0));
