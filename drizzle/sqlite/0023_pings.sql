ALTER TABLE `locations` ADD `ping_access` text;--> statement-breakpoint
ALTER TABLE `monitors` ADD `pings_here` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `monitors_pings_here` ON `monitors` (`pk`) WHERE pings_here;