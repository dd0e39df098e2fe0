CREATE TABLE `alert_bindings` (
	`monitor_pk` integer NOT NULL,
	`channel_pk` integer NOT NULL,
	`notified_status` integer, `after` integer DEFAULT 0 NOT NULL, `every` integer DEFAULT 0 NOT NULL, `kept_for_outage` integer, `kept_after` integer, `kept_every` integer, `remind_at` integer, `incident` text, `remind_waits_until` integer,
	PRIMARY KEY(`monitor_pk`, `channel_pk`),
	FOREIGN KEY (`monitor_pk`) REFERENCES `monitors`(`pk`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`channel_pk`) REFERENCES `alert_channels`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE INDEX `alert_bindings_channel` ON `alert_bindings` (`channel_pk`);
CREATE TABLE `alert_channels` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`organization_pk` integer NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`config` text NOT NULL,
	`enabled` integer NOT NULL,
	`notify_on` text NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `ref` text, `retired_at` integer,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX `alert_channels_id_unique` ON `alert_channels` (`id`);
CREATE INDEX `alert_channels_organization` ON `alert_channels` (`organization_pk`);
CREATE TABLE `api_keys` (
	`pk` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`organization_pk` integer NOT NULL,
	`name` text NOT NULL,
	`hash` blob NOT NULL,
	`prefix` text NOT NULL,
	`role` text NOT NULL,
	`expires_at` integer,
	`last_used_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX `api_keys_id_unique` ON `api_keys` (`id`);
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);
CREATE INDEX `api_keys_organization` ON `api_keys` (`organization_pk`);
CREATE TABLE `check_results` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`monitor_pk` integer NOT NULL,
	`status` integer NOT NULL,
	`timings` blob,
	`detail_pk` integer,
	`created_at` integer NOT NULL
);
CREATE INDEX `check_results_monitor` ON `check_results` (`monitor_pk`,`status`);
CREATE TABLE `daily_rollups` (
	`monitor_pk` integer NOT NULL,
	`start` integer NOT NULL,
	`location` integer NOT NULL,
	`status` integer NOT NULL,
	`count` integer NOT NULL,
	`latency_count` integer NOT NULL,
	`latency_sum` integer NOT NULL,
	`latency_squares` integer NOT NULL,
	`shortest` integer,
	`longest` integer,
	PRIMARY KEY(`monitor_pk`, `start`, `location`, `status`)
) WITHOUT ROWID;
CREATE TABLE `default_channels` (
	`organization_pk` integer NOT NULL,
	`channel_pk` integer NOT NULL,
	PRIMARY KEY(`organization_pk`, `channel_pk`),
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`channel_pk`) REFERENCES `alert_channels`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE TABLE `deleted_channels` (
	`pk` integer PRIMARY KEY NOT NULL
);
CREATE TABLE `deleted_monitors` (
	`pk` integer PRIMARY KEY NOT NULL
);
CREATE TABLE `details` (
	`pk` integer PRIMARY KEY NOT NULL,
	`monitor_pk` integer NOT NULL,
	`hash` blob NOT NULL,
	`text` text NOT NULL,
	`used_at` integer NOT NULL
);
CREATE UNIQUE INDEX `details_hash` ON `details` (`monitor_pk`,`hash`);
CREATE TABLE `hourly_rollups` (
	`monitor_pk` integer NOT NULL,
	`start` integer NOT NULL,
	`location` integer NOT NULL,
	`status` integer NOT NULL,
	`count` integer NOT NULL,
	`latency_count` integer NOT NULL,
	`latency_sum` integer NOT NULL,
	`latency_squares` integer NOT NULL,
	`shortest` integer,
	`longest` integer,
	PRIMARY KEY(`monitor_pk`, `start`, `location`, `status`)
) WITHOUT ROWID;
CREATE TABLE `location_states` (
	`monitor_pk` integer NOT NULL,
	`location` integer NOT NULL,
	`memory` text,
	`baseline_count` integer NOT NULL,
	`baseline_sum` integer NOT NULL,
	`baseline_squares` integer NOT NULL,
	`baseline_start` integer NOT NULL,
	`restart_hour` integer,
	`restart_count` integer,
	`restart_sum` integer,
	`restart_squares` integer, `latest_at` integer, `latest_status` integer, `latest` text, `recheck_at` integer,
	PRIMARY KEY(`monitor_pk`, `location`),
	FOREIGN KEY (`monitor_pk`) REFERENCES `monitors`(`pk`) ON UPDATE no action ON DELETE cascade
) WITHOUT ROWID;
CREATE TABLE `monitor_states` (
	`monitor_pk` integer PRIMARY KEY NOT NULL,
	`organization_pk` integer NOT NULL,
	`status` integer NOT NULL,
	`status_since` integer,
	`trouble_since` integer,
	`outage_pk` integer,
	`next_check_at` integer,
	`last_result_pk` integer,
	`last_good_latency` integer,
	`deadline` integer,
	`rhythm` text,
	`suspicion` text, `places_since` integer, `status_before` integer, `blind_since` integer, `open_start` integer, `open_status` integer, `open_count` integer, `open_latency_count` integer, `open_latency_sum` integer, `open_latency_squares` integer, `open_shortest` integer, `open_longest` integer, `last_status` integer, `last_timings` blob, `last_detail_pk` integer, `last_result_at` integer,
	FOREIGN KEY (`monitor_pk`) REFERENCES `monitors`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE INDEX `monitor_states_status` ON `monitor_states` (`organization_pk`,`status`);
CREATE INDEX `monitor_states_next_check` ON `monitor_states` (`next_check_at`);
CREATE INDEX `monitor_states_deadline` ON `monitor_states` (`deadline`);
CREATE TABLE `monitors` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`organization_pk` integer NOT NULL,
	`name` text NOT NULL,
	`type` text NOT NULL,
	`config` text NOT NULL,
	`enabled` integer NOT NULL,
	`confirmations` integer DEFAULT 0 NOT NULL,
	`recoveries` integer DEFAULT 0 NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `locations` text, `down_when` text, `tags` text DEFAULT '[]' NOT NULL, `ref` text, `push_token` text, `pings_here` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX `monitors_id_unique` ON `monitors` (`id`);
CREATE INDEX `monitors_organization` ON `monitors` (`organization_pk`);
CREATE TABLE `organizations` (
	`pk` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`plan` text NOT NULL,
	`subscription` text NOT NULL,
	`created_at` integer NOT NULL
, `here_at_fault_at` integer, `maintenance_revision` integer DEFAULT 0 NOT NULL, `blind_since` integer, `had_people` integer DEFAULT false NOT NULL);
CREATE UNIQUE INDEX `organizations_id_unique` ON `organizations` (`id`);
CREATE TABLE `outages` (
	`pk` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`monitor_pk` integer NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`status` integer NOT NULL,
	`reason` text,
	`result_pk` integer NOT NULL
, `organization_pk` integer DEFAULT 0 NOT NULL, `acknowledged_at` integer, `acknowledged_by` text, `note` text, `maintenance_id` text, `timings` blob, `detail_pk` integer);
CREATE UNIQUE INDEX `outages_id_unique` ON `outages` (`id`);
CREATE INDEX `outages_monitor` ON `outages` (`monitor_pk`,`started_at`);
CREATE TABLE `service` (
	`pk` integer PRIMARY KEY NOT NULL,
	`alive_at` integer NOT NULL,
	`steady_at` integer
, `dns_answered_at` integer, `sealed_until` integer);
CREATE TABLE `sessions` (
	`pk` integer PRIMARY KEY NOT NULL,
	`api_key_pk` integer NOT NULL,
	`hash` blob NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`api_key_pk`) REFERENCES `api_keys`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX `sessions_hash_unique` ON `sessions` (`hash`);
CREATE INDEX `sessions_api_key` ON `sessions` (`api_key_pk`);
CREATE INDEX `sessions_end` ON `sessions` (`expires_at`);
CREATE TABLE `nodes` (
	`pk` integer PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`version` text NOT NULL,
	`started_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`checks_per_second` integer NOT NULL
, `retention_days` integer, `has_left` integer DEFAULT false NOT NULL);
CREATE TABLE `locations` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`organization_pk` integer NOT NULL,
	`name` text NOT NULL,
	`key_hash` blob NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer,
	`version` text,
	`silent_at` integer,
	`at_fault_at` integer,
	`revision` integer DEFAULT 1 NOT NULL,
	`waiting` integer DEFAULT 0 NOT NULL,
	`dropped` integer DEFAULT 0 NOT NULL,
	`lag_ms` integer,
	`stream` text,
	`acknowledged` text, `replaced_streams` text DEFAULT '[]' NOT NULL, `stream_returned_at` integer, `ping_access` text,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX `locations_id_unique` ON `locations` (`id`);
CREATE UNIQUE INDEX `locations_key_hash_unique` ON `locations` (`key_hash`);
CREATE UNIQUE INDEX `locations_name` ON `locations` (`organization_pk`,`name`);
CREATE INDEX `location_states_latest` ON `location_states` (`latest_status`,`location`) WHERE latest_status IS NOT NULL;
CREATE INDEX `location_states_recheck` ON `location_states` (`location`,`recheck_at`) WHERE recheck_at IS NOT NULL;
CREATE TABLE `audit_entries` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`organization_pk` integer NOT NULL,
	`created_at` integer NOT NULL,
	`actor` text NOT NULL,
	`address` text,
	`action` text NOT NULL,
	`resource` text NOT NULL,
	`changed` text NOT NULL,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX `audit_entries_id_unique` ON `audit_entries` (`id`);
CREATE INDEX `audit_entries_page` ON `audit_entries` (`organization_pk`);
CREATE INDEX `audit_entries_age` ON `audit_entries` (`created_at`);
CREATE TABLE `maintenance_runs` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`organization_pk` integer NOT NULL,
	`maintenance_id` text NOT NULL,
	`title` text NOT NULL,
	`selector` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX `maintenance_runs_start` ON `maintenance_runs` (`maintenance_id`,`starts_at`);
CREATE INDEX `maintenance_runs_organization` ON `maintenance_runs` (`organization_pk`,`starts_at`);
CREATE INDEX `maintenance_runs_open` ON `maintenance_runs` (`maintenance_id`) WHERE ends_at IS NULL;
CREATE TABLE `maintenances` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`organization_pk` integer NOT NULL,
	`title` text NOT NULL,
	`message` text,
	`selector` text NOT NULL,
	`starts_at` integer,
	`ends_at` integer,
	`cron` text,
	`timezone` text,
	`duration` integer,
	`until` integer,
	`notify_channel_ids` text NOT NULL,
	`ended_run` integer,
	`ended_run_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `ref` text,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX `maintenances_id_unique` ON `maintenances` (`id`);
CREATE INDEX `maintenances_organization` ON `maintenances` (`organization_pk`);
CREATE TABLE `monitor_dependencies` (
	`monitor_pk` integer NOT NULL,
	`depends_on_pk` integer NOT NULL,
	PRIMARY KEY(`monitor_pk`, `depends_on_pk`),
	FOREIGN KEY (`monitor_pk`) REFERENCES `monitors`(`pk`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`depends_on_pk`) REFERENCES `monitors`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE INDEX `monitor_dependencies_reverse` ON `monitor_dependencies` (`depends_on_pk`);
CREATE INDEX `alert_bindings_reminder` ON `alert_bindings` (`remind_at`) WHERE remind_at IS NOT NULL;
CREATE INDEX `outages_page` ON `outages` (`organization_pk`);
CREATE INDEX `outages_open` ON `outages` (`organization_pk`) WHERE ended_at IS NULL;
CREATE TABLE `incident_updates` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`incident_pk` integer NOT NULL,
	`status` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL, `edited_at` integer,
	FOREIGN KEY (`incident_pk`) REFERENCES `incidents`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX `incident_updates_id_unique` ON `incident_updates` (`id`);
CREATE INDEX `incident_updates_incident` ON `incident_updates` (`incident_pk`);
CREATE TABLE `incidents` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`page_pk` integer NOT NULL,
	`title` text NOT NULL,
	`impact` text NOT NULL,
	`component_ids` text NOT NULL,
	`started_at` integer NOT NULL,
	`resolved_at` integer,
	`outage_id` text,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`page_pk`) REFERENCES `pages`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX `incidents_id_unique` ON `incidents` (`id`);
CREATE INDEX `incidents_page` ON `incidents` (`page_pk`,`started_at`);
CREATE TABLE `page_announcements` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`page_pk` integer NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	FOREIGN KEY (`page_pk`) REFERENCES `pages`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX `page_announcements_subject` ON `page_announcements` (`page_pk`,`kind`,`subject`);
CREATE TABLE `page_components` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`page_pk` integer NOT NULL,
	`monitor_pk` integer NOT NULL,
	`name` text,
	`group_name` text,
	`position` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`page_pk`) REFERENCES `pages`(`pk`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`monitor_pk`) REFERENCES `monitors`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX `page_components_id_unique` ON `page_components` (`id`);
CREATE INDEX `page_components_page` ON `page_components` (`page_pk`,`position`);
CREATE INDEX `page_components_monitor` ON `page_components` (`monitor_pk`);
CREATE TABLE `page_mails` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`subscriber_pk` integer NOT NULL,
	`mail` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`subscriber_pk`) REFERENCES `page_subscribers`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX `page_mails_id_unique` ON `page_mails` (`id`);
CREATE INDEX `page_mails_due` ON `page_mails` (`next_attempt_at`);
CREATE INDEX `page_mails_subscriber` ON `page_mails` (`subscriber_pk`);
CREATE TABLE `page_opt_ins` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`address_hash` blob NOT NULL,
	`sent_at` integer NOT NULL
);
CREATE INDEX `page_opt_ins_address` ON `page_opt_ins` (`address_hash`);
CREATE INDEX `page_opt_ins_age` ON `page_opt_ins` (`sent_at`);
CREATE TABLE `page_subscribers` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`page_pk` integer NOT NULL,
	`email` text NOT NULL,
	`token` text NOT NULL,
	`confirmed_at` integer,
	`sent_day` integer DEFAULT 0 NOT NULL,
	`sent_count` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL, `locale` text, `written_count` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`page_pk`) REFERENCES `pages`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX `page_subscribers_token_unique` ON `page_subscribers` (`token`);
CREATE UNIQUE INDEX `page_subscribers_email` ON `page_subscribers` (`page_pk`,`email`);
CREATE TABLE `pages` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`organization_pk` integer NOT NULL,
	`slug` text NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`visibility` text NOT NULL,
	`days` integer NOT NULL,
	`min_outage` integer NOT NULL,
	`show_latency` integer NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL, `ref` text, `accent` text, `logo` text, `embed_origins` text DEFAULT '[]' NOT NULL, `language` text DEFAULT 'auto' NOT NULL, `timezone` text DEFAULT 'UTC' NOT NULL, `password_hash` text,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX `pages_id_unique` ON `pages` (`id`);
CREATE UNIQUE INDEX `pages_slug_unique` ON `pages` (`slug`);
CREATE INDEX `pages_organization` ON `pages` (`organization_pk`);
CREATE UNIQUE INDEX `alert_channels_ref` ON `alert_channels` (`organization_pk`,`ref`) WHERE ref IS NOT NULL;
CREATE UNIQUE INDEX `maintenances_ref` ON `maintenances` (`organization_pk`,`ref`) WHERE ref IS NOT NULL;
CREATE UNIQUE INDEX `monitors_ref` ON `monitors` (`organization_pk`,`ref`) WHERE ref IS NOT NULL;
CREATE UNIQUE INDEX `monitors_push_token` ON `monitors` (`push_token`) WHERE push_token IS NOT NULL;
CREATE UNIQUE INDEX `pages_ref` ON `pages` (`organization_pk`,`ref`) WHERE ref IS NOT NULL;
CREATE TABLE `outage_downs` (
	`outage_pk` integer NOT NULL,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	PRIMARY KEY(`outage_pk`, `started_at`),
	FOREIGN KEY (`outage_pk`) REFERENCES `outages`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE TABLE `released_slugs` (
	`slug` text PRIMARY KEY NOT NULL,
	`organization_pk` integer NOT NULL,
	`released_at` integer NOT NULL,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE INDEX `monitor_states_blind` ON `monitor_states` (`organization_pk`) WHERE blind_since IS NOT NULL;
CREATE VIEW `daily_totals` AS SELECT monitor_pk, start, location, status, count, latency_count, latency_sum, latency_squares, shortest, longest
  FROM daily_rollups
UNION ALL
SELECT monitor_pk, CAST(open_start / 24 * 24 AS integer), CAST(0 AS smallint), open_status, open_count,
    open_latency_count, open_latency_sum, open_latency_squares, open_shortest, open_longest
  FROM monitor_states WHERE open_start IS NOT NULL;
CREATE VIEW `hourly_totals` AS SELECT monitor_pk, start, location, status, count, latency_count, latency_sum, latency_squares, shortest, longest
  FROM hourly_rollups
UNION ALL
SELECT monitor_pk, open_start, CAST(0 AS smallint), open_status, open_count,
    open_latency_count, open_latency_sum, open_latency_squares, open_shortest, open_longest
  FROM monitor_states WHERE open_start IS NOT NULL;
CREATE TABLE "deliveries" (
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
	`outage_pk` integer,
	`hold` text,
	`review_at` integer,
	`digest_pk` integer
);
CREATE UNIQUE INDEX `deliveries_id_unique` ON `deliveries` (`id`);
CREATE INDEX `deliveries_outage` ON `deliveries` (`outage_pk`) WHERE outage_pk IS NOT NULL;
CREATE INDEX `deliveries_review` ON `deliveries` (`review_at`) WHERE review_at IS NOT NULL;
CREATE INDEX `deliveries_undecided` ON `deliveries` (`monitor_pk`,`channel_pk`) WHERE review_at IS NOT NULL;
CREATE INDEX `deliveries_result` ON `deliveries` (`result_pk`);
CREATE INDEX `deliveries_pending` ON `deliveries` (`channel_pk`) WHERE status = 0;
CREATE INDEX `deliveries_page` ON `deliveries` (`channel_pk`);
CREATE INDEX `deliveries_monitor` ON `deliveries` (`monitor_pk`,`channel_pk`);
CREATE TABLE "status_changes" (
	`result_pk` integer PRIMARY KEY NOT NULL,
	`organization_pk` integer NOT NULL,
	`monitor_pk` integer NOT NULL,
	`previous_status` integer NOT NULL,
	`created_at` integer NOT NULL,
	`status` integer NOT NULL,
	`timings` blob,
	`detail_pk` integer
);
CREATE INDEX `status_changes_page` ON `status_changes` (`organization_pk`);
CREATE INDEX `status_changes_monitor` ON `status_changes` (`monitor_pk`);
CREATE TABLE `result_segments` (
	`monitor_pk` integer NOT NULL,
	`first_pk` integer NOT NULL,
	`last_pk` integer NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`statuses` integer NOT NULL,
	`count` integer NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`monitor_pk`, `first_pk`)
) WITHOUT ROWID;
CREATE INDEX `result_segments_age` ON `result_segments` (`last_at`);
CREATE INDEX `result_segments_unusual` ON `result_segments` (`last_pk`,`statuses`) WHERE statuses & ~2322 <> 0;
CREATE TABLE `wall_links` (
	`pk` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`organization_pk` integer NOT NULL,
	`name` text NOT NULL,
	`tag` text,
	`hash` blob NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX `wall_links_id_unique` ON `wall_links` (`id`);
CREATE UNIQUE INDEX `wall_links_hash_unique` ON `wall_links` (`hash`);
CREATE INDEX `wall_links_organization` ON `wall_links` (`organization_pk`);
CREATE TABLE `job_runs` (
	`monitor_pk` integer NOT NULL,
	`number` integer NOT NULL,
	`rid` text,
	`started_at` integer NOT NULL,
	`ended_at` integer,
	`duration_ms` integer,
	`outcome` text,
	`exit_code` integer,
	PRIMARY KEY(`monitor_pk`, `number`)
) WITHOUT ROWID;
CREATE TABLE `run_outputs` (
	`monitor_pk` integer NOT NULL,
	`number` integer NOT NULL,
	`output` blob NOT NULL,
	PRIMARY KEY(`monitor_pk`, `number`)
);
CREATE TABLE `identities` (
	`pk` integer PRIMARY KEY NOT NULL,
	`person_pk` integer NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`created_at` integer NOT NULL, `last_used_at` integer,
	FOREIGN KEY (`person_pk`) REFERENCES `people`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX `identities_subject` ON `identities` (`subject`,`issuer`);
CREATE INDEX `identities_person` ON `identities` (`person_pk`);
CREATE TABLE `invites` (
	`pk` integer PRIMARY KEY NOT NULL,
	`hash` blob NOT NULL,
	`person_pk` integer NOT NULL,
	`organization_pk` integer,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`person_pk`) REFERENCES `people`(`pk`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX `invites_hash_unique` ON `invites` (`hash`);
CREATE INDEX `invites_person` ON `invites` (`person_pk`);
CREATE TABLE `memberships` (
	`person_pk` integer NOT NULL,
	`organization_pk` integer NOT NULL,
	`role` text NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL, `name` text, `email` text, `accepted_at` integer,
	PRIMARY KEY(`person_pk`, `organization_pk`),
	FOREIGN KEY (`person_pk`) REFERENCES `people`(`pk`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE INDEX `memberships_organization` ON `memberships` (`organization_pk`);
CREATE TABLE `passkeys` (
	`pk` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`person_pk` integer NOT NULL,
	`credential_id` blob NOT NULL,
	`public_key` blob NOT NULL,
	`counter` integer NOT NULL,
	`is_backup_eligible` integer NOT NULL,
	`is_backed_up` integer NOT NULL,
	`transports` text NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`person_pk`) REFERENCES `people`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX `passkeys_id_unique` ON `passkeys` (`id`);
CREATE UNIQUE INDEX `passkeys_credentialId_unique` ON `passkeys` (`credential_id`);
CREATE INDEX `passkeys_person` ON `passkeys` (`person_pk`);
CREATE TABLE `people` (
	`pk` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`name` text,
	`password_hash` text,
	`created_at` integer NOT NULL,
	`last_seen_at` integer
);
CREATE UNIQUE INDEX `people_id_unique` ON `people` (`id`);
CREATE UNIQUE INDEX `people_email_key_unique` ON `people` (`email_key`);
CREATE TABLE `person_sessions` (
	`pk` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`hash` blob NOT NULL,
	`person_pk` integer NOT NULL,
	`organization_pk` integer NOT NULL,
	`method` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`address` text NOT NULL,
	`user_agent` text NOT NULL,
	FOREIGN KEY (`person_pk`) REFERENCES `people`(`pk`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
CREATE UNIQUE INDEX `person_sessions_id_unique` ON `person_sessions` (`id`);
CREATE UNIQUE INDEX `person_sessions_hash_unique` ON `person_sessions` (`hash`);
CREATE INDEX `person_sessions_person` ON `person_sessions` (`person_pk`);
CREATE INDEX `person_sessions_end` ON `person_sessions` (`expires_at`);
CREATE INDEX `monitors_pings_here` ON `monitors` (`pk`) WHERE pings_here;
CREATE TABLE `registrations` (
	`domain` text PRIMARY KEY NOT NULL,
	`registry` text NOT NULL,
	`facts` text,
	`answered_at` integer,
	`failing_since` integer,
	`not_found` integer NOT NULL,
	`not_found_at` integer,
	`has_no_date` integer NOT NULL,
	`next_at` integer NOT NULL,
	`paused_until` integer
);
CREATE INDEX `registrations_registry` ON `registrations` (`registry`);
CREATE INDEX `registrations_next` ON `registrations` (`next_at`);
CREATE TABLE `push_keys` (
	`pk` integer PRIMARY KEY NOT NULL,
	`public_key` blob NOT NULL,
	`private_key` blob NOT NULL
);
CREATE TABLE `seal_keys` (
	`pk` integer PRIMARY KEY NOT NULL,
	`key` blob NOT NULL
);
CREATE TABLE `used_beginnings` (
	`hash` blob PRIMARY KEY NOT NULL,
	`kept_for` text,
	`expires_at` integer NOT NULL
);
CREATE INDEX `used_beginnings_end` ON `used_beginnings` (`expires_at`);
CREATE INDEX `alert_channels_retired` ON `alert_channels` (`retired_at`) WHERE retired_at IS NOT NULL;
