CREATE TABLE `nodes` (
	`pk` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`version` text NOT NULL,
	`started_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`checks_per_second` integer NOT NULL
);
