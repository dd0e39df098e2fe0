ALTER TABLE `pages` ADD `accent` text;--> statement-breakpoint
ALTER TABLE `pages` ADD `logo` text;--> statement-breakpoint
ALTER TABLE `pages` ADD `embed_origins` text DEFAULT '[]' NOT NULL;