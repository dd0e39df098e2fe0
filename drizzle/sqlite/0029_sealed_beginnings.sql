CREATE TABLE `seal_keys` (
	`pk` integer PRIMARY KEY NOT NULL,
	`key` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `used_beginnings` (
	`hash` blob PRIMARY KEY NOT NULL,
	`kept_for` text,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `used_beginnings_end` ON `used_beginnings` (`expires_at`);--> statement-breakpoint
DROP TABLE `oidc_attempts`;--> statement-breakpoint
DROP TABLE `passkey_challenges`;