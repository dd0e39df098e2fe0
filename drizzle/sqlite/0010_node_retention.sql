ALTER TABLE `nodes` ADD `retention_days` integer;--> statement-breakpoint
ALTER TABLE `nodes` ADD `has_left` integer DEFAULT false NOT NULL;