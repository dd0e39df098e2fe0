CREATE TABLE `locations` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`organization_pk` integer NOT NULL,
	`name` text NOT NULL,
	`key_hash` blob NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer,
	`version` text,
	`silent_at` integer,
	`at_fault_at` integer,
	`revision` integer DEFAULT 1 NOT NULL,
	`waiting` integer DEFAULT 0 NOT NULL,
	`dropped` integer DEFAULT 0 NOT NULL,
	`lag_ms` integer,
	`stream` text,
	`acknowledged` text,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `locations_id_unique` ON `locations` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `locations_key_hash_unique` ON `locations` (`key_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `locations_name` ON `locations` (`organization_pk`,`name`);--> statement-breakpoint
ALTER TABLE `location_states` ADD `latest_at` integer;--> statement-breakpoint
ALTER TABLE `location_states` ADD `latest_status` integer;--> statement-breakpoint
ALTER TABLE `location_states` ADD `latest` text;--> statement-breakpoint
ALTER TABLE `location_states` ADD `recheck_at` integer;--> statement-breakpoint
CREATE INDEX `location_states_latest` ON `location_states` (`latest_status`,`location`) WHERE latest_status IS NOT NULL;--> statement-breakpoint
CREATE INDEX `location_states_recheck` ON `location_states` (`location`,`recheck_at`) WHERE recheck_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `monitor_states` ADD `places_since` integer;--> statement-breakpoint
ALTER TABLE `monitor_states` ADD `status_before` integer;--> statement-breakpoint
ALTER TABLE `monitors` ADD `locations` text;--> statement-breakpoint
ALTER TABLE `monitors` ADD `down_when` text;--> statement-breakpoint
ALTER TABLE `organizations` ADD `here_at_fault_at` integer;