import { eventually } from "../eventually.ts";
import type { Client } from "./client.ts";

/** Asserts that a monitor gets a status, and waits for it. */
export async function becomes(client: Client, monitorId: string, status: string): Promise<void> {
  await eventually(async () => {
    const { body } = await client.get(`/api/v1/monitors/${monitorId}`);
    return body.data.status === status;
  });
}
