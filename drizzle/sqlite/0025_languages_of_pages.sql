ALTER TABLE `page_subscribers` ADD `locale` text;--> statement-breakpoint
ALTER TABLE `pages` ADD `language` text DEFAULT 'auto' NOT NULL;--> statement-breakpoint
ALTER TABLE `pages` ADD `timezone` text DEFAULT 'UTC' NOT NULL;