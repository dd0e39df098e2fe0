import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { notFound } from "../errors.ts";
import type { Services } from "./services.ts";

const Query = Type.Object({ status: Type.Optional(Type.String()) });

/** Interface 4.6: without a key, for the ID is the secret. A HEAD counts like a GET; a body is never read. */
export function checkinRoutes({ recorder }: Services) {
  async function checkin({ params, query }: { params: { id: string }; query: { status?: string } }) {
    const recorded = await recorder.record({
      kind: "checkin",
      monitorId: params.id,
      status: query.status,
      at: Date.now(),
    });
    if (!recorded) throw notFound();
    return { recorded: recorded.status === "failed" ? "failure" : "ok", monitor: params.id };
  }
  return new Elysia({ prefix: "/api/v1/monitors/:id/checkin", normalize: false })
    .get("/", checkin, { query: Query })
    .post("/", checkin, { query: Query });
}
