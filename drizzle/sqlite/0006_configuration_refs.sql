ALTER TABLE `alert_channels` ADD `ref` text;--> statement-breakpoint
CREATE UNIQUE INDEX `alert_channels_ref` ON `alert_channels` (`organization_pk`,`ref`) WHERE ref IS NOT NULL;--> statement-breakpoint
ALTER TABLE `maintenances` ADD `ref` text;--> statement-breakpoint
CREATE UNIQUE INDEX `maintenances_ref` ON `maintenances` (`organization_pk`,`ref`) WHERE ref IS NOT NULL;--> statement-breakpoint
ALTER TABLE `monitors` ADD `ref` text;--> statement-breakpoint
ALTER TABLE `monitors` ADD `push_token` text;--> statement-breakpoint
CREATE UNIQUE INDEX `monitors_ref` ON `monitors` (`organization_pk`,`ref`) WHERE ref IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `monitors_push_token` ON `monitors` (`push_token`) WHERE push_token IS NOT NULL;--> statement-breakpoint
ALTER TABLE `pages` ADD `ref` text;--> statement-breakpoint
CREATE UNIQUE INDEX `pages_ref` ON `pages` (`organization_pk`,`ref`) WHERE ref IS NOT NULL;