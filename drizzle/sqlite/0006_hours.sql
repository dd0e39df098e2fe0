ALTER TABLE `alert_bindings` ADD `hours` text;--> statement-breakpoint
ALTER TABLE `alert_bindings` ADD `kept_hours` text;