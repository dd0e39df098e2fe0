PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_deliveries` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`result_pk` integer,
	`monitor_pk` integer,
	`channel_pk` integer NOT NULL,
	`channel_id` text NOT NULL,
	`channel_type` text NOT NULL,
	`transition` text NOT NULL,
	`status` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`first_attempt_at` integer,
	`last_attempt_at` integer,
	`answer` text,
	`error` text,
	`delivered_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`result_pk`) REFERENCES `check_results`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
INSERT INTO `__new_deliveries`("pk", "id", "result_pk", "monitor_pk", "channel_pk", "channel_id", "channel_type", "transition", "status", "attempts", "next_attempt_at", "first_attempt_at", "last_attempt_at", "answer", "error", "delivered_at", "created_at") SELECT "pk", "id", "result_pk", "monitor_pk", "channel_pk", "channel_id", "channel_type", "transition", "status", "attempts", "next_attempt_at", "first_attempt_at", "last_attempt_at", "answer", "error", "delivered_at", "created_at" FROM `deliveries`;--> statement-breakpoint
DROP TABLE `deliveries`;--> statement-breakpoint
ALTER TABLE `__new_deliveries` RENAME TO `deliveries`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_id_unique` ON `deliveries` (`id`);--> statement-breakpoint
CREATE INDEX `deliveries_result` ON `deliveries` (`result_pk`);--> statement-breakpoint
CREATE INDEX `deliveries_pending` ON `deliveries` (`channel_pk`) WHERE status = 0;--> statement-breakpoint
CREATE INDEX `deliveries_page` ON `deliveries` (`channel_pk`);--> statement-breakpoint
CREATE INDEX `deliveries_monitor` ON `deliveries` (`monitor_pk`,`channel_pk`);