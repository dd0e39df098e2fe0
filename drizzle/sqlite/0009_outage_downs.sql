CREATE TABLE `outage_downs` (
	`outage_pk` integer NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	PRIMARY KEY(`outage_pk`, `started_at`),
	FOREIGN KEY (`outage_pk`) REFERENCES `outages`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
-- Until now an outage counted wholly by its worst status: down, expired, no_cert, missing or failed.
INSERT INTO outage_downs (outage_pk, started_at) SELECT pk, started_at FROM outages WHERE status IN (2, 6, 7, 9, 12);
