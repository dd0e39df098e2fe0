ALTER TABLE `alert_channels` ADD `retired_at` integer;--> statement-breakpoint
CREATE INDEX `alert_channels_retired` ON `alert_channels` (`retired_at`) WHERE retired_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `page_subscribers` ADD `written_count` integer DEFAULT 0 NOT NULL;