import type { Connections } from "../../../src/store/postgres/connections.ts";
import { statusCodes } from "../../../src/store/status-codes.ts";
import type { Sql } from "../../../src/store/tx.ts";

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;

/** How many days the history has, the last of which is today. */
const DAYS = 90;

/** How many rounds of checks one statement writes. */
const ROUNDS = 100;

const { up, down, degraded } = statusCodes;

/**
 * Writes the history of HTTP monitors as the recorder writes it in 90 days: an organization with the ID `bench`, its
 * monitors 1 to `monitors`, their results in the order of time, and their rollups by hour and day. One result in a
 * thousand is down, and five in all are degraded.
 *
 * @param results of each monitor
 * @param now milliseconds since 1970
 */
export async function fillPostgresHistory(
  connections: Connections,
  { monitors, results, now }: { monitors: number; results: number; now: number },
): Promise<void> {
  await addMonitors(connections, monitors, now);
  const step = (DAYS * DAY) / results;
  const start = now - DAYS * DAY;
  const partitions: string[] = [];
  for (let day = Math.floor(start / DAY) * DAY; day <= now; day += DAY)
    partitions.push(await createPartition(connections, day));
  for (let first = 0; first < results; first += ROUNDS) {
    const last = Math.min(first + ROUNDS, results) - 1;
    await connections.query(INSERT_RESULTS, [first, last, monitors, start, step, down, up, degraded]);
  }
  for (const partition of partitions) {
    await connections.query(rollupsOf("hourly_rollups", partition, HOUR));
    await connections.query(rollupsOf("daily_rollups", partition, DAY));
    await connections.query(`VACUUM (ANALYZE) ${partition}`);
  }
  await connections.query(UPDATE_STATES, [up, start, now - DAY]);
  for (const table of ["hourly_rollups", "daily_rollups", "details", "monitor_states"])
    await connections.query(`VACUUM (ANALYZE) ${table}`);
}

async function addMonitors({ query }: Sql, monitors: number, now: number): Promise<void> {
  await query(
    `INSERT INTO organizations (id, name, plan, subscription, created_at) VALUES ('bench', 'bench', 'free', 'none', $1)`,
    [now],
  );
  await query(
    `INSERT INTO monitors (id, organization_pk, name, type, config, enabled, created_at, updated_at)
     SELECT 'monitor' || at, (SELECT pk FROM organizations), 'monitor ' || at, 'HTTP',
       '{"url":"http://127.0.0.1:1/","interval":86400}', true, $2, $2
     FROM generate_series(1, $1::integer) AS at ORDER BY at`,
    [monitors, now],
  );
  await query(
    `INSERT INTO monitor_states (monitor_pk, organization_pk, status)
     SELECT pk, organization_pk, 0 FROM monitors`,
  );
  await query(
    `INSERT INTO location_states (monitor_pk, location, baseline_count, baseline_sum, baseline_squares, baseline_start)
     SELECT pk, 0, 1000, 500000, 260000000, $1 FROM monitors`,
    [Math.floor(now / HOUR) - 24 * 7],
  );
  await query(
    `INSERT INTO details (monitor_pk, hash, text, used_at)
     SELECT pk, decode(md5(pk || text), 'hex'), text, $1
     FROM monitors, (VALUES ('{"statusCode":200,"address":"192.0.2.7"}'),
       ('{"reason":"refused","message":"connect ECONNREFUSED 192.0.2.7:443"}')) AS texts (text) ORDER BY pk, text DESC`,
    [now],
  );
}

/** @returns its name */
async function createPartition({ query }: Sql, day: number): Promise<string> {
  const name = `check_results_${new Date(day).toISOString().slice(0, 10).replaceAll("-", "")}`;
  await query(
    `CREATE TABLE IF NOT EXISTS ${name} PARTITION OF check_results FOR VALUES FROM (${day}) TO (${day + DAY})`,
  );
  return name;
}

/** The timings of a usual check: latency, look-up and connection, in six bytes. */
const INSERT_RESULTS = `INSERT INTO check_results (created_at, monitor_pk, detail_pk, status, timings)
  SELECT floor($4::float8 + (round + monitor / ($3 + 1)::float8) * $5::float8)::bigint, monitor,
    2 * monitor - CASE WHEN status = $6 THEN 0 ELSE 1 END, status,
    CASE WHEN status <> $6 THEN decode('33', 'hex') || set_byte(set_byte('\\x0000', 0, 128 + (round * 31 + monitor) % 128), 1, 16 + round % 64) || decode('3c8004', 'hex') END
  FROM generate_series($1::integer, $2::integer) AS round, generate_series(1, $3::integer) AS monitor,
    LATERAL (SELECT CASE WHEN monitor = 7 AND round BETWEEN 101 AND 105 THEN $8::integer
      WHEN (round * 31 + monitor * 17) % 1009 = 0 THEN $6::integer ELSE $7::integer END AS status) AS judged
  ORDER BY round, monitor`;

function rollupsOf(table: string, partition: string, length: number): string {
  return `INSERT INTO ${table} (monitor_pk, start, location, status, count, latency_count, latency_sum, latency_squares,
      shortest, longest)
    SELECT monitor_pk, created_at / ${length} * ${length / HOUR} AS start, 0, status, count(*), count(timings),
      500 * count(timings), 260000 * count(timings), CASE WHEN count(timings) > 0 THEN 200 END,
      CASE WHEN count(timings) > 0 THEN 900 END
    FROM ${partition} GROUP BY monitor_pk, start, status ORDER BY start, monitor_pk`;
}

const UPDATE_STATES = `UPDATE monitor_states SET status = $1, status_since = $2, last_result_pk = pk, last_status = latest.status,
    last_timings = timings, last_detail_pk = detail_pk, last_result_at = created_at
  FROM (SELECT DISTINCT ON (monitor_pk) * FROM check_results WHERE created_at >= $3
    ORDER BY monitor_pk, pk DESC) AS latest
  WHERE latest.monitor_pk = monitor_states.monitor_pk`;
