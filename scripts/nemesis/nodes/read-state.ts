import type { Client } from "../../../test/support/requests/client.ts";
import type { Log, LoggedMonitor, NodeView, StoredDelivery, StoredResult } from "../log.ts";

/** Results and deliveries of one page. */
const PAGE = 200;

/** All results of each monitor, by name, oldest first. */
export async function readResults(
  client: Client,
  monitors: readonly LoggedMonitor[],
): Promise<Log["results"]> {
  const results: Log["results"] = {};
  for (const { name, id, timeout } of monitors) {
    const rows = await readAll<ResultBody>(client, `/api/v1/monitors/${id}/results`);
    results[name] = rows.map((row) => resultOf(row, timeout));
  }
  return results;
}

/** All deliveries of each channel, by name. @param ids of the channels, by name */
export async function readDeliveries(
  client: Client,
  ids: Record<string, string>,
): Promise<Log["deliveries"]> {
  const deliveries: Log["deliveries"] = {};
  for (const [name, id] of Object.entries(ids)) {
    const rows = await readAll<DeliveryBody>(client, `/api/v1/alerts/${id}/deliveries`);
    deliveries[name] = rows.map(({ monitor, ...row }) => ({ ...row, monitor: monitor.name }));
  }
  return deliveries;
}

/** @param order IDs */
export function ordered(deliveries: Log["deliveries"], order: readonly string[]): Log["deliveries"] {
  const places = new Map(order.map((id, place) => [id, place]));
  const placeOf = ({ id }: StoredDelivery) => places.get(id) ?? 0;
  return Object.fromEntries(
    Object.entries(deliveries).map(([channel, rows]) => [
      channel,
      rows.toSorted((one, other) => placeOf(one) - placeOf(other)),
    ]),
  );
}

/** Each monitor as a node shows it. */
export async function readView(
  client: Client,
  { name: node, monitors }: { name: string; monitors: readonly LoggedMonitor[] },
): Promise<NodeView> {
  const view: NodeView = { node, statuses: {}, latest: {} };
  const { body } = await client.get("/api/v1/monitors?range=1d");
  for (const { name, status } of body.data) view.statuses[name] = status;
  for (const { name, id } of monitors) {
    const page = await client.get(`/api/v1/monitors/${id}/results?limit=1`);
    view.latest[name] = page.body.data[0]?.id ?? null;
  }
  return view;
}

interface ResultBody extends Pick<StoredResult, "id" | "status" | "alertTriggered"> {
  createdAt: string;
  latencyMs: number | null;
  detail: { reason?: string; message?: string } | null;
}
type DeliveryBody = Omit<StoredDelivery, "monitor"> & { monitor: { name: string } };

/** A check without an answer took until its timeout, or no time: it was refused. */
function resultOf(
  { id, status, alertTriggered, createdAt, latencyMs, detail }: ResultBody,
  timeout: number,
): StoredResult {
  const took = latencyMs ?? (detail?.reason === "timeout" ? timeout : 0);
  const reason = detail?.message ?? detail?.reason;
  return { id, status, alertTriggered, createdAt: Date.parse(createdAt), took, reason };
}

async function readAll<Row>(client: Client, path: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (let cursor = ""; ; ) {
    const { status, body } = await client.get(`${path}?limit=${PAGE}${cursor}`);
    if (status !== 200) throw new Error(`GET ${path} was answered ${status}: ${JSON.stringify(body)}`);
    rows.push(...body.data);
    if (!body.cursor) return rows.reverse();
    cursor = `&cursor=${body.cursor}`;
  }
}
