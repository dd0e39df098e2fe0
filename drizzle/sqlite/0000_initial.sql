CREATE TABLE `alert_bindings` (
	`monitor_pk` integer NOT NULL,
	`channel_pk` integer NOT NULL,
	`notified_status` integer,
	PRIMARY KEY(`monitor_pk`, `channel_pk`),
	FOREIGN KEY (`monitor_pk`) REFERENCES `monitors`(`pk`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`channel_pk`) REFERENCES `alert_channels`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `alert_bindings_channel` ON `alert_bindings` (`channel_pk`);--> statement-breakpoint
CREATE TABLE `alert_channels` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`organization_pk` integer NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`config` text NOT NULL,
	`enabled` integer NOT NULL,
	`notify_on` text NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `alert_channels_id_unique` ON `alert_channels` (`id`);--> statement-breakpoint
CREATE INDEX `alert_channels_organization` ON `alert_channels` (`organization_pk`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`pk` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`organization_pk` integer NOT NULL,
	`name` text NOT NULL,
	`hash` blob NOT NULL,
	`prefix` text NOT NULL,
	`role` text NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_id_unique` ON `api_keys` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_organization` ON `api_keys` (`organization_pk`);--> statement-breakpoint
CREATE TABLE `check_results` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`monitor_pk` integer NOT NULL,
	`status` integer NOT NULL,
	`timings` blob,
	`detail_pk` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `check_results_monitor` ON `check_results` (`monitor_pk`,`status`);--> statement-breakpoint
CREATE TABLE `daily_rollups` (
	`monitor_pk` integer NOT NULL,
	`start` integer NOT NULL,
	`location` integer NOT NULL,
	`status` integer NOT NULL,
	`count` integer NOT NULL,
	`latency_count` integer NOT NULL,
	`latency_sum` integer NOT NULL,
	`latency_squares` integer NOT NULL,
	`shortest` integer,
	`longest` integer,
	PRIMARY KEY(`monitor_pk`, `start`, `location`, `status`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `default_channels` (
	`organization_pk` integer NOT NULL,
	`channel_pk` integer NOT NULL,
	PRIMARY KEY(`organization_pk`, `channel_pk`),
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`channel_pk`) REFERENCES `alert_channels`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `deleted_channels` (
	`pk` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `deleted_monitors` (
	`pk` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `deliveries` (
	`pk` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`result_pk` integer NOT NULL,
	`monitor_pk` integer NOT NULL,
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
	FOREIGN KEY (`result_pk`) REFERENCES `check_results`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_id_unique` ON `deliveries` (`id`);--> statement-breakpoint
CREATE INDEX `deliveries_result` ON `deliveries` (`result_pk`);--> statement-breakpoint
CREATE INDEX `deliveries_pending` ON `deliveries` (`channel_pk`) WHERE status = 0;--> statement-breakpoint
CREATE INDEX `deliveries_page` ON `deliveries` (`channel_pk`,`result_pk`);--> statement-breakpoint
CREATE INDEX `deliveries_monitor` ON `deliveries` (`monitor_pk`,`channel_pk`);--> statement-breakpoint
CREATE TABLE `details` (
	`pk` integer PRIMARY KEY NOT NULL,
	`monitor_pk` integer NOT NULL,
	`hash` blob NOT NULL,
	`text` text NOT NULL,
	`used_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `details_hash` ON `details` (`monitor_pk`,`hash`);--> statement-breakpoint
CREATE TABLE `hourly_rollups` (
	`monitor_pk` integer NOT NULL,
	`start` integer NOT NULL,
	`location` integer NOT NULL,
	`status` integer NOT NULL,
	`count` integer NOT NULL,
	`latency_count` integer NOT NULL,
	`latency_sum` integer NOT NULL,
	`latency_squares` integer NOT NULL,
	`shortest` integer,
	`longest` integer,
	PRIMARY KEY(`monitor_pk`, `start`, `location`, `status`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `location_states` (
	`monitor_pk` integer NOT NULL,
	`location` integer NOT NULL,
	`memory` text,
	`baseline_count` integer NOT NULL,
	`baseline_sum` integer NOT NULL,
	`baseline_squares` integer NOT NULL,
	`baseline_start` integer NOT NULL,
	`restart_hour` integer,
	`restart_count` integer,
	`restart_sum` integer,
	`restart_squares` integer,
	PRIMARY KEY(`monitor_pk`, `location`),
	FOREIGN KEY (`monitor_pk`) REFERENCES `monitors`(`pk`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `monitor_states` (
	`monitor_pk` integer PRIMARY KEY NOT NULL,
	`organization_pk` integer NOT NULL,
	`status` integer NOT NULL,
	`status_since` integer,
	`trouble_since` integer,
	`outage_pk` integer,
	`next_check_at` integer,
	`last_result_pk` integer,
	`last_good_latency` integer,
	`deadline` integer,
	`rhythm` text,
	`suspicion` text,
	FOREIGN KEY (`monitor_pk`) REFERENCES `monitors`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `monitor_states_status` ON `monitor_states` (`organization_pk`,`status`);--> statement-breakpoint
CREATE INDEX `monitor_states_next_check` ON `monitor_states` (`next_check_at`);--> statement-breakpoint
CREATE INDEX `monitor_states_deadline` ON `monitor_states` (`deadline`);--> statement-breakpoint
CREATE TABLE `monitors` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`organization_pk` integer NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`config` text NOT NULL,
	`enabled` integer NOT NULL,
	`confirmations` integer DEFAULT 0 NOT NULL,
	`recoveries` integer DEFAULT 0 NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `monitors_id_unique` ON `monitors` (`id`);--> statement-breakpoint
CREATE INDEX `monitors_organization` ON `monitors` (`organization_pk`);--> statement-breakpoint
CREATE TABLE `organizations` (
	`pk` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`plan` text NOT NULL,
	`subscription` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organizations_id_unique` ON `organizations` (`id`);--> statement-breakpoint
CREATE TABLE `outages` (
	`pk` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`monitor_pk` integer NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`status` integer NOT NULL,
	`reason` text,
	`result_pk` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `outages_id_unique` ON `outages` (`id`);--> statement-breakpoint
CREATE INDEX `outages_monitor` ON `outages` (`monitor_pk`,`started_at`);--> statement-breakpoint
CREATE TABLE `service` (
	`pk` integer PRIMARY KEY NOT NULL,
	`alive_at` integer NOT NULL,
	`steady_at` integer
);
--> statement-breakpoint
CREATE TABLE `sessions` (
	`pk` integer PRIMARY KEY NOT NULL,
	`api_key_pk` integer NOT NULL,
	`hash` blob NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`api_key_pk`) REFERENCES `api_keys`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_hash_unique` ON `sessions` (`hash`);--> statement-breakpoint
CREATE INDEX `sessions_api_key` ON `sessions` (`api_key_pk`);--> statement-breakpoint
CREATE INDEX `sessions_end` ON `sessions` (`expires_at`);