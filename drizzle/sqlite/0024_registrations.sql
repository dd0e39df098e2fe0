CREATE TABLE `registrations` (
	`domain` text PRIMARY KEY NOT NULL,
	`registry` text NOT NULL,
	`facts` text,
	`answered_at` integer,
	`failing_since` integer,
	`not_found` integer NOT NULL,
	`not_found_at` integer,
	`has_no_date` integer NOT NULL,
	`next_at` integer NOT NULL,
	`paused_until` integer
);
--> statement-breakpoint
CREATE INDEX `registrations_registry` ON `registrations` (`registry`);--> statement-breakpoint
CREATE INDEX `registrations_next` ON `registrations` (`next_at`);