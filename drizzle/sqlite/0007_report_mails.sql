CREATE TABLE `report_letters` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`report_pk` integer NOT NULL,
	`recipient` text NOT NULL,
	`period` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`report_pk`) REFERENCES `report_mails`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `report_letters_id_unique` ON `report_letters` (`id`);--> statement-breakpoint
CREATE INDEX `report_letters_due` ON `report_letters` (`next_attempt_at`);--> statement-breakpoint
CREATE INDEX `report_letters_report` ON `report_letters` (`report_pk`);--> statement-breakpoint
CREATE TABLE `report_mails` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`organization_pk` integer NOT NULL,
	`title` text NOT NULL,
	`kind` text NOT NULL,
	`selector` text NOT NULL,
	`channel_ids` text,
	`recipients` text,
	`timezone` text NOT NULL,
	`local_time` text NOT NULL,
	`language` text NOT NULL,
	`done_until` text NOT NULL,
	`next_at` integer NOT NULL,
	`ref` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `report_mails_id_unique` ON `report_mails` (`id`);--> statement-breakpoint
CREATE INDEX `report_mails_organization` ON `report_mails` (`organization_pk`);--> statement-breakpoint
CREATE INDEX `report_mails_next` ON `report_mails` (`next_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `report_mails_ref` ON `report_mails` (`organization_pk`,`ref`) WHERE ref IS NOT NULL;