ALTER TABLE `maintenances` ADD `notify_subscribers` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `page_subscribers` ADD `component_ids` text;