ALTER TABLE `alert_channels` ADD `language` text;--> statement-breakpoint
ALTER TABLE `organizations` ADD `language` text;--> statement-breakpoint
ALTER TABLE `people` ADD `language` text;