CREATE TABLE `hour_runs` (
	`monitor_pk` integer NOT NULL,
	`first` integer NOT NULL,
	`last` integer NOT NULL,
	PRIMARY KEY(`monitor_pk`, `first`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO hour_runs (monitor_pk, first, last)
  SELECT monitor_pk, min(start), max(start) FROM (
    SELECT monitor_pk, start, start - dense_rank() OVER (PARTITION BY monitor_pk ORDER BY start) AS run FROM hourly_rollups
  ) GROUP BY monitor_pk, run;
--> statement-breakpoint
CREATE TRIGGER hourly_rollups_run AFTER INSERT ON hourly_rollups
BEGIN
  UPDATE hour_runs SET last = NEW.start WHERE monitor_pk = NEW.monitor_pk AND last = NEW.start - 1
    AND first = (SELECT max(first) FROM hour_runs WHERE monitor_pk = NEW.monitor_pk AND first <= NEW.start);
  INSERT INTO hour_runs (monitor_pk, first, last) SELECT NEW.monitor_pk, NEW.start, NEW.start
    WHERE coalesce((SELECT last FROM hour_runs WHERE monitor_pk = NEW.monitor_pk AND first <= NEW.start
      ORDER BY first DESC LIMIT 1), -1) < NEW.start;
END;
