CREATE TABLE `cause_members` (
	`cause_pk` integer NOT NULL,
	`outage_pk` integer NOT NULL,
	`monitor_pk` integer NOT NULL,
	PRIMARY KEY(`cause_pk`, `outage_pk`),
	FOREIGN KEY (`cause_pk`) REFERENCES `causes`(`pk`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`outage_pk`) REFERENCES `outages`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `cause_members_outage` ON `cause_members` (`outage_pk`);--> statement-breakpoint
CREATE TABLE `causes` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`organization_pk` integer NOT NULL,
	`kind` text NOT NULL,
	`value` text NOT NULL,
	`label` text,
	`ends_after` text,
	`is_only_location` integer NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`refuted_at` integer,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `causes_id_unique` ON `causes` (`id`);--> statement-breakpoint
CREATE INDEX `causes_page` ON `causes` (`organization_pk`);--> statement-breakpoint
CREATE INDEX `causes_open` ON `causes` (`organization_pk`) WHERE ended_at IS NULL;