CREATE TABLE `evidence` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`organization_pk` integer NOT NULL,
	`monitor_pk` integer NOT NULL,
	`outage_pk` integer,
	`location` integer NOT NULL,
	`at` integer NOT NULL,
	`status` integer NOT NULL,
	`reason` text,
	`layer` text NOT NULL,
	`summary` text NOT NULL,
	`data` blob,
	FOREIGN KEY (`outage_pk`) REFERENCES `outages`(`pk`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `evidence_id_unique` ON `evidence` (`id`);--> statement-breakpoint
CREATE INDEX `evidence_monitor` ON `evidence` (`monitor_pk`,`at`);--> statement-breakpoint
CREATE INDEX `evidence_outage` ON `evidence` (`outage_pk`) WHERE outage_pk IS NOT NULL;