CREATE TABLE `wall_links` (
	`pk` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`organization_pk` integer NOT NULL,
	`name` text NOT NULL,
	`tag` text,
	`hash` blob NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `wall_links_id_unique` ON `wall_links` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `wall_links_hash_unique` ON `wall_links` (`hash`);--> statement-breakpoint
CREATE INDEX `wall_links_organization` ON `wall_links` (`organization_pk`);