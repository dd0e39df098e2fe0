CREATE TABLE `gone_monitors` (
	`monitor_pk` integer PRIMARY KEY NOT NULL,
	`gone_at` integer NOT NULL,
	`was_enabled` integer NOT NULL,
	FOREIGN KEY (`monitor_pk`) REFERENCES `monitors`(`pk`) ON UPDATE no action ON DELETE cascade
);
