CREATE TABLE `job_runs` (
	`monitor_pk` integer NOT NULL,
	`number` integer NOT NULL,
	`rid` text,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`duration_ms` integer,
	`outcome` text,
	`exit_code` integer,
	PRIMARY KEY(`monitor_pk`, `number`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `run_outputs` (
	`monitor_pk` integer NOT NULL,
	`number` integer NOT NULL,
	`output` blob NOT NULL,
	PRIMARY KEY(`monitor_pk`, `number`)
);
