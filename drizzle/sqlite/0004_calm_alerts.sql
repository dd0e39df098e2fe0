CREATE TABLE `audit_entries` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`organization_pk` integer NOT NULL,
	`created_at` integer NOT NULL,
	`actor` text NOT NULL,
	`address` text,
	`action` text NOT NULL,
	`resource` text NOT NULL,
	`changed` text NOT NULL,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_entries_id_unique` ON `audit_entries` (`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_page` ON `audit_entries` (`organization_pk`);--> statement-breakpoint
CREATE INDEX `audit_entries_age` ON `audit_entries` (`created_at`);--> statement-breakpoint
CREATE TABLE `maintenance_runs` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization_pk` integer NOT NULL,
	`maintenance_id` text NOT NULL,
	`title` text NOT NULL,
	`selector` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `maintenance_runs_start` ON `maintenance_runs` (`maintenance_id`,`starts_at`);--> statement-breakpoint
CREATE INDEX `maintenance_runs_organization` ON `maintenance_runs` (`organization_pk`,`starts_at`);--> statement-breakpoint
CREATE INDEX `maintenance_runs_open` ON `maintenance_runs` (`maintenance_id`) WHERE ends_at IS NULL;--> statement-breakpoint
CREATE TABLE `maintenances` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`organization_pk` integer NOT NULL,
	`title` text NOT NULL,
	`message` text,
	`selector` text NOT NULL,
	`starts_at` integer,
	`ends_at` integer,
	`cron` text,
	`timezone` text,
	`duration` integer,
	`until` integer,
	`notify_channel_ids` text NOT NULL,
	`ended_run` integer,
	`ended_run_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `maintenances_id_unique` ON `maintenances` (`id`);--> statement-breakpoint
CREATE INDEX `maintenances_organization` ON `maintenances` (`organization_pk`);--> statement-breakpoint
CREATE TABLE `monitor_dependencies` (
	`monitor_pk` integer NOT NULL,
	`depends_on_pk` integer NOT NULL,
	PRIMARY KEY(`monitor_pk`, `depends_on_pk`),
	FOREIGN KEY (`monitor_pk`) REFERENCES `monitors`(`pk`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`depends_on_pk`) REFERENCES `monitors`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `monitor_dependencies_reverse` ON `monitor_dependencies` (`depends_on_pk`);--> statement-breakpoint
CREATE TABLE `status_changes` (
	`result_pk` integer PRIMARY KEY NOT NULL,
	`organization_pk` integer NOT NULL,
	`monitor_pk` integer NOT NULL,
	`previous_status` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`result_pk`) REFERENCES `check_results`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `status_changes_page` ON `status_changes` (`organization_pk`);--> statement-breakpoint
CREATE INDEX `status_changes_monitor` ON `status_changes` (`monitor_pk`);--> statement-breakpoint
ALTER TABLE `alert_bindings` ADD `after` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `alert_bindings` ADD `every` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `alert_bindings` ADD `kept_for_outage` integer;--> statement-breakpoint
ALTER TABLE `alert_bindings` ADD `kept_after` integer;--> statement-breakpoint
ALTER TABLE `alert_bindings` ADD `kept_every` integer;--> statement-breakpoint
ALTER TABLE `alert_bindings` ADD `remind_at` integer;--> statement-breakpoint
CREATE INDEX `alert_bindings_reminder` ON `alert_bindings` (`remind_at`) WHERE remind_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `outage_pk` integer;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `hold` text;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `review_at` integer;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `digest_pk` integer;--> statement-breakpoint
CREATE INDEX `deliveries_outage` ON `deliveries` (`outage_pk`) WHERE outage_pk IS NOT NULL;--> statement-breakpoint
CREATE INDEX `deliveries_review` ON `deliveries` (`review_at`) WHERE review_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `deliveries_undecided` ON `deliveries` (`monitor_pk`,`channel_pk`) WHERE review_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `monitors` ADD `tags` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `maintenance_revision` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `outages` ADD `organization_pk` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `outages` ADD `acknowledged_at` integer;--> statement-breakpoint
ALTER TABLE `outages` ADD `acknowledged_by` text;--> statement-breakpoint
ALTER TABLE `outages` ADD `note` text;--> statement-breakpoint
ALTER TABLE `outages` ADD `maintenance_id` text;--> statement-breakpoint
CREATE INDEX `outages_page` ON `outages` (`organization_pk`);--> statement-breakpoint
CREATE INDEX `outages_open` ON `outages` (`organization_pk`) WHERE ended_at IS NULL;--> statement-breakpoint
UPDATE `outages` SET `organization_pk` = coalesce((SELECT `organization_pk` FROM `monitors` WHERE `pk` = `outages`.`monitor_pk`), 0);