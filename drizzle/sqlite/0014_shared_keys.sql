ALTER TABLE `locations` ADD `replaced_streams` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `locations` ADD `stream_returned_at` integer;