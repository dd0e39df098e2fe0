CREATE TABLE `person_channels` (
	`person_pk` integer NOT NULL,
	`channel_pk` integer NOT NULL,
	PRIMARY KEY(`person_pk`, `channel_pk`),
	FOREIGN KEY (`person_pk`) REFERENCES `people`(`pk`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`channel_pk`) REFERENCES `alert_channels`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `person_channels_channel` ON `person_channels` (`channel_pk`);--> statement-breakpoint
CREATE TABLE `schedule_overrides` (
	`pk` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`schedule_pk` integer NOT NULL,
	`person_pk` integer NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`schedule_pk`) REFERENCES `schedules`(`pk`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`person_pk`) REFERENCES `people`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `schedule_overrides_id_unique` ON `schedule_overrides` (`id`);--> statement-breakpoint
CREATE INDEX `schedule_overrides_schedule` ON `schedule_overrides` (`schedule_pk`);--> statement-breakpoint
CREATE INDEX `schedule_overrides_person` ON `schedule_overrides` (`person_pk`);--> statement-breakpoint
CREATE TABLE `schedules` (
	`pk` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`organization_pk` integer NOT NULL,
	`name` text NOT NULL,
	`timezone` text NOT NULL,
	`layers` text NOT NULL,
	`ref` text,
	`calendar_hash` blob,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `schedules_id_unique` ON `schedules` (`id`);--> statement-breakpoint
CREATE INDEX `schedules_organization` ON `schedules` (`organization_pk`);--> statement-breakpoint
CREATE UNIQUE INDEX `schedules_ref` ON `schedules` (`organization_pk`,`ref`) WHERE ref IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `schedules_calendar` ON `schedules` (`calendar_hash`) WHERE calendar_hash IS NOT NULL;--> statement-breakpoint
ALTER TABLE `alert_bindings` ADD `routed` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `alert_channels` ADD `schedule_pk` integer REFERENCES schedules(pk);--> statement-breakpoint
CREATE UNIQUE INDEX `alert_channels_schedule` ON `alert_channels` (`schedule_pk`) WHERE schedule_pk IS NOT NULL;