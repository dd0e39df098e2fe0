CREATE TABLE `result_segments` (
	`monitor_pk` integer NOT NULL,
	`first_pk` integer NOT NULL,
	`last_pk` integer NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`statuses` integer NOT NULL,
	`count` integer NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`monitor_pk`, `first_pk`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `result_segments_age` ON `result_segments` (`last_at`);--> statement-breakpoint
CREATE INDEX `result_segments_unusual` ON `result_segments` (`last_pk`,`statuses`) WHERE statuses & ~2322 <> 0;--> statement-breakpoint
ALTER TABLE `service` ADD `sealed_until` integer;