ALTER TABLE `monitor_states` ADD `blind_since` integer;--> statement-breakpoint
CREATE INDEX `monitor_states_blind` ON `monitor_states` (`organization_pk`) WHERE blind_since IS NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `blind_since` integer;