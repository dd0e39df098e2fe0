import { Elysia } from "elysia";
import { countStatuses } from "../db/monitors.ts";
import { summarize } from "../domain/status.ts";
import { authentication } from "./authentication.ts";
import type { Services } from "./services.ts";

/** Interface 4.4. */
export function statusRoutes({ db }: Services) {
  return new Elysia({ prefix: "/api/v1/status" })
    .use(authentication(db))
    .get("/", async ({ caller }) => ({ data: summarize(await countStatuses(db, caller.organizationId)) }));
}
