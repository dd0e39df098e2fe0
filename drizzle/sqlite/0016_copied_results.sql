CREATE TABLE `__new_deliveries` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`result_pk` integer,
	`monitor_pk` integer,
	`channel_pk` integer NOT NULL,
	`channel_id` text NOT NULL,
	`channel_type` text NOT NULL,
	`transition` text NOT NULL,
	`status` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`first_attempt_at` integer,
	`last_attempt_at` integer,
	`answer` text,
	`error` text,
	`delivered_at` integer,
	`created_at` integer NOT NULL,
	`outage_pk` integer,
	`hold` text,
	`review_at` integer,
	`digest_pk` integer
);
--> statement-breakpoint
INSERT INTO `__new_deliveries`("pk", "id", "result_pk", "monitor_pk", "channel_pk", "channel_id", "channel_type", "transition", "status", "attempts", "next_attempt_at", "first_attempt_at", "last_attempt_at", "answer", "error", "delivered_at", "created_at", "outage_pk", "hold", "review_at", "digest_pk") SELECT "pk", "id", "result_pk", "monitor_pk", "channel_pk", "channel_id", "channel_type", "transition", "status", "attempts", "next_attempt_at", "first_attempt_at", "last_attempt_at", "answer", "error", "delivered_at", "created_at", "outage_pk", "hold", "review_at", "digest_pk" FROM `deliveries`;--> statement-breakpoint
-- No number is given again, also not one of a deleted row.
DELETE FROM sqlite_sequence WHERE name = '__new_deliveries';--> statement-breakpoint
INSERT INTO sqlite_sequence (name, seq) SELECT '__new_deliveries', seq FROM sqlite_sequence WHERE name = 'deliveries';--> statement-breakpoint
DROP TABLE `deliveries`;--> statement-breakpoint
ALTER TABLE `__new_deliveries` RENAME TO `deliveries`;--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_id_unique` ON `deliveries` (`id`);--> statement-breakpoint
CREATE INDEX `deliveries_outage` ON `deliveries` (`outage_pk`) WHERE outage_pk IS NOT NULL;--> statement-breakpoint
CREATE INDEX `deliveries_review` ON `deliveries` (`review_at`) WHERE review_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `deliveries_undecided` ON `deliveries` (`monitor_pk`,`channel_pk`) WHERE review_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `deliveries_result` ON `deliveries` (`result_pk`);--> statement-breakpoint
CREATE INDEX `deliveries_pending` ON `deliveries` (`channel_pk`) WHERE status = 0;--> statement-breakpoint
CREATE INDEX `deliveries_page` ON `deliveries` (`channel_pk`);--> statement-breakpoint
CREATE INDEX `deliveries_monitor` ON `deliveries` (`monitor_pk`,`channel_pk`);--> statement-breakpoint
CREATE TABLE `__new_status_changes` (
	`result_pk` integer PRIMARY KEY NOT NULL,
	`organization_pk` integer NOT NULL,
	`monitor_pk` integer NOT NULL,
	`previous_status` integer NOT NULL,
	`created_at` integer NOT NULL,
	`status` integer NOT NULL,
	`timings` blob,
	`detail_pk` integer
);
--> statement-breakpoint
INSERT INTO `__new_status_changes`("result_pk", "organization_pk", "monitor_pk", "previous_status", "created_at", "status", "timings", "detail_pk") SELECT "result_pk", "organization_pk", status_changes."monitor_pk", "previous_status", status_changes."created_at", "status", "timings", "detail_pk" FROM `status_changes` JOIN `check_results` ON check_results.pk = result_pk;--> statement-breakpoint
DROP TABLE `status_changes`;--> statement-breakpoint
ALTER TABLE `__new_status_changes` RENAME TO `status_changes`;--> statement-breakpoint
CREATE INDEX `status_changes_page` ON `status_changes` (`organization_pk`);--> statement-breakpoint
CREATE INDEX `status_changes_monitor` ON `status_changes` (`monitor_pk`);--> statement-breakpoint
ALTER TABLE `monitor_states` ADD `last_status` integer;--> statement-breakpoint
ALTER TABLE `monitor_states` ADD `last_timings` blob;--> statement-breakpoint
ALTER TABLE `monitor_states` ADD `last_detail_pk` integer;--> statement-breakpoint
ALTER TABLE `monitor_states` ADD `last_result_at` integer;--> statement-breakpoint
ALTER TABLE `outages` ADD `timings` blob;--> statement-breakpoint
ALTER TABLE `outages` ADD `detail_pk` integer;--> statement-breakpoint
UPDATE `monitor_states` SET (`last_status`, `last_timings`, `last_detail_pk`, `last_result_at`) = (SELECT `status`, `timings`, `detail_pk`, `created_at` FROM `check_results` WHERE `check_results`.`pk` = `last_result_pk`);--> statement-breakpoint
UPDATE `outages` SET (`timings`, `detail_pk`) = (SELECT `timings`, `detail_pk` FROM `check_results` WHERE `check_results`.`pk` = `result_pk`);
