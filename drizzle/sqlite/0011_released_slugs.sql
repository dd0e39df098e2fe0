CREATE TABLE `released_slugs` (
	`slug` text PRIMARY KEY NOT NULL,
	`organization_pk` integer NOT NULL,
	`released_at` integer NOT NULL,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
