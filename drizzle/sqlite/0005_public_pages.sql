CREATE TABLE `incident_updates` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`incident_pk` integer NOT NULL,
	`status` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`incident_pk`) REFERENCES `incidents`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `incident_updates_id_unique` ON `incident_updates` (`id`);--> statement-breakpoint
CREATE INDEX `incident_updates_incident` ON `incident_updates` (`incident_pk`);--> statement-breakpoint
CREATE TABLE `incidents` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`page_pk` integer NOT NULL,
	`title` text NOT NULL,
	`impact` text NOT NULL,
	`component_ids` text NOT NULL,
	`started_at` integer NOT NULL,
	`resolved_at` integer,
	`outage_id` text,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`page_pk`) REFERENCES `pages`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `incidents_id_unique` ON `incidents` (`id`);--> statement-breakpoint
CREATE INDEX `incidents_page` ON `incidents` (`page_pk`,`started_at`);--> statement-breakpoint
CREATE TABLE `page_announcements` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`page_pk` integer NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`page_pk`) REFERENCES `pages`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `page_announcements_subject` ON `page_announcements` (`page_pk`,`kind`,`subject`);--> statement-breakpoint
CREATE TABLE `page_components` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`page_pk` integer NOT NULL,
	`monitor_pk` integer NOT NULL,
	`name` text,
	`group_name` text,
	`position` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`page_pk`) REFERENCES `pages`(`pk`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`monitor_pk`) REFERENCES `monitors`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `page_components_id_unique` ON `page_components` (`id`);--> statement-breakpoint
CREATE INDEX `page_components_page` ON `page_components` (`page_pk`,`position`);--> statement-breakpoint
CREATE INDEX `page_components_monitor` ON `page_components` (`monitor_pk`);--> statement-breakpoint
CREATE TABLE `page_mails` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`subscriber_pk` integer NOT NULL,
	`mail` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`subscriber_pk`) REFERENCES `page_subscribers`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `page_mails_id_unique` ON `page_mails` (`id`);--> statement-breakpoint
CREATE INDEX `page_mails_due` ON `page_mails` (`next_attempt_at`);--> statement-breakpoint
CREATE INDEX `page_mails_subscriber` ON `page_mails` (`subscriber_pk`);--> statement-breakpoint
CREATE TABLE `page_opt_ins` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`address_hash` blob NOT NULL,
	`sent_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `page_opt_ins_address` ON `page_opt_ins` (`address_hash`);--> statement-breakpoint
CREATE INDEX `page_opt_ins_age` ON `page_opt_ins` (`sent_at`);--> statement-breakpoint
CREATE TABLE `page_subscribers` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`page_pk` integer NOT NULL,
	`email` text NOT NULL,
	`token` text NOT NULL,
	`confirmed_at` integer,
	`sent_day` integer DEFAULT 0 NOT NULL,
	`sent_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`page_pk`) REFERENCES `pages`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `page_subscribers_token_unique` ON `page_subscribers` (`token`);--> statement-breakpoint
CREATE UNIQUE INDEX `page_subscribers_email` ON `page_subscribers` (`page_pk`,`email`);--> statement-breakpoint
CREATE TABLE `pages` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`organization_pk` integer NOT NULL,
	`slug` text NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`visibility` text NOT NULL,
	`days` integer NOT NULL,
	`min_outage` integer NOT NULL,
	`show_latency` integer NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `pages_id_unique` ON `pages` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `pages_slug_unique` ON `pages` (`slug`);--> statement-breakpoint
CREATE INDEX `pages_organization` ON `pages` (`organization_pk`);