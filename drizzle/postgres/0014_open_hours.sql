ALTER TABLE "monitor_states" ADD COLUMN "open_start" integer;--> statement-breakpoint
ALTER TABLE "monitor_states" ADD COLUMN "open_status" smallint;--> statement-breakpoint
ALTER TABLE "monitor_states" ADD COLUMN "open_count" integer;--> statement-breakpoint
ALTER TABLE "monitor_states" ADD COLUMN "open_latency_count" integer;--> statement-breakpoint
ALTER TABLE "monitor_states" ADD COLUMN "open_latency_sum" bigint;--> statement-breakpoint
ALTER TABLE "monitor_states" ADD COLUMN "open_latency_squares" bigint;--> statement-breakpoint
ALTER TABLE "monitor_states" ADD COLUMN "open_shortest" integer;--> statement-breakpoint
ALTER TABLE "monitor_states" ADD COLUMN "open_longest" integer;--> statement-breakpoint
CREATE VIEW "daily_totals" AS (SELECT monitor_pk, start, location, status, count, latency_count, latency_sum, latency_squares, shortest, longest
  FROM daily_rollups
UNION ALL
SELECT monitor_pk, CAST(open_start / 24 * 24 AS integer), CAST(0 AS smallint), open_status, open_count,
    open_latency_count, open_latency_sum, open_latency_squares, open_shortest, open_longest
  FROM monitor_states WHERE open_start IS NOT NULL);--> statement-breakpoint
CREATE VIEW "hourly_totals" AS (SELECT monitor_pk, start, location, status, count, latency_count, latency_sum, latency_squares, shortest, longest
  FROM hourly_rollups
UNION ALL
SELECT monitor_pk, open_start, CAST(0 AS smallint), open_status, open_count,
    open_latency_count, open_latency_sum, open_latency_squares, open_shortest, open_longest
  FROM monitor_states WHERE open_start IS NOT NULL);