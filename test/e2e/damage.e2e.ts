import { expect, test } from "bun:test";
import { Binary } from "../support/product/binary.ts";
import type { Client } from "../support/requests/client.ts";

const ROUNDS = 5;

test("kill -9 at any moment of writing, deleting and pruning leaves an undamaged database with all acknowledged check-ins", async () => {
  await using binary = new Binary();
  let kept: string | undefined;
  let acknowledged = 0;
  for (let round = 0; round < ROUNDS; round++) {
    // A day is the shortest retention, so that pruning runs at the same time.
    const server = await binary.serve(["--retention-days", "1"]);
    const client = await server.client();
    kept ??= await makeJob(client);
    const moment = Math.random() * 600;
    const killed = Bun.sleep(moment).then(() => server.kill());
    const [answered] = await Promise.all([checkIn(client, kept), makeAndDelete(client), killed]);
    acknowledged += answered;
    expect(await binary.run(["check"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "data/stillup.db has no damage\n",
    });
  }
  const server = await binary.serve();
  const client = await server.client();
  const found = await countResults(client, kept ?? "");
  // The last response of each round may have been incomplete.
  expect(found).toBeGreaterThanOrEqual(acknowledged);
  expect(found).toBeLessThanOrEqual(acknowledged + ROUNDS);
}, 300_000);

async function makeJob(client: Client): Promise<string> {
  return (await client.post("/api/v1/monitors", { name: "job", type: "SCHEDULED", config: {} })).body.data.id;
}

/** Checks in until the server is gone. @returns the number of acknowledged check-ins */
async function checkIn(client: Client, id: string): Promise<number> {
  for (let answered = 0; ; answered++) {
    const response = await fetch(`${client.url}/api/v1/monitors/${id}/checkin`).catch(() => undefined);
    if (!response?.ok) return answered;
  }
}

/** Creates monitors, adds results and deletes them, until the server is gone. */
async function makeAndDelete(client: Client): Promise<void> {
  try {
    for (;;) {
      const id = await makeJob(client);
      await Promise.all(Array.from({ length: 20 }, () => client.get(`/api/v1/monitors/${id}/checkin`)));
      await client.delete(`/api/v1/monitors/${id}`);
    }
  } catch {
    // The server is gone.
  }
}

async function countResults(client: Client, id: string): Promise<number> {
  let [count, cursor] = [0, ""];
  do {
    const { body } = await client.get(
      `/api/v1/monitors/${id}/results?limit=200${cursor && `&cursor=${cursor}`}`,
    );
    count += body.data.length;
    cursor = body.cursor ?? "";
  } while (cursor);
  return count;
}
