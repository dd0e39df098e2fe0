CREATE TABLE `identities` (
	`pk` integer PRIMARY KEY NOT NULL,
	`person_pk` integer NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`person_pk`) REFERENCES `people`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_subject` ON `identities` (`subject`,`issuer`);--> statement-breakpoint
CREATE INDEX `identities_person` ON `identities` (`person_pk`);--> statement-breakpoint
CREATE TABLE `invites` (
	`pk` integer PRIMARY KEY NOT NULL,
	`hash` blob NOT NULL,
	`person_pk` integer NOT NULL,
	`organization_pk` integer,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`person_pk`) REFERENCES `people`(`pk`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invites_hash_unique` ON `invites` (`hash`);--> statement-breakpoint
CREATE INDEX `invites_person` ON `invites` (`person_pk`);--> statement-breakpoint
CREATE TABLE `memberships` (
	`person_pk` integer NOT NULL,
	`organization_pk` integer NOT NULL,
	`role` text NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`person_pk`, `organization_pk`),
	FOREIGN KEY (`person_pk`) REFERENCES `people`(`pk`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`organization_pk`) REFERENCES `organizations`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `memberships_organization` ON `memberships` (`organization_pk`);--> statement-breakpoint
CREATE TABLE `oidc_attempts` (
	`pk` integer PRIMARY KEY NOT NULL,
	`hash` blob NOT NULL,
	`browser_hash` blob NOT NULL,
	`issuer` text NOT NULL,
	`nonce` text NOT NULL,
	`code_verifier` text NOT NULL,
	`session_pk` integer,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`session_pk`) REFERENCES `person_sessions`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `oidc_attempts_hash_unique` ON `oidc_attempts` (`hash`);--> statement-breakpoint
CREATE INDEX `oidc_attempts_session` ON `oidc_attempts` (`session_pk`);--> statement-breakpoint
CREATE INDEX `oidc_attempts_end` ON `oidc_attempts` (`expires_at`);--> statement-breakpoint
CREATE TABLE `passkey_challenges` (
	`pk` integer PRIMARY KEY NOT NULL,
	`hash` blob NOT NULL,
	`kind` text NOT NULL,
	`person_pk` integer,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`person_pk`) REFERENCES `people`(`pk`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passkey_challenges_hash_unique` ON `passkey_challenges` (`hash`);--> statement-breakpoint
CREATE INDEX `passkey_challenges_person` ON `passkey_challenges` (`person_pk`);--> statement-breakpoint
CREATE INDEX `passkey_challenges_end` ON `passkey_challenges` (`expires_at`);--> statement-breakpoint
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
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_id_unique` ON `passkeys` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credentialId_unique` ON `passkeys` (`credential_id`);--> statement-breakpoint
CREATE INDEX `passkeys_person` ON `passkeys` (`person_pk`);--> statement-breakpoint
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
--> statement-breakpoint
CREATE UNIQUE INDEX `people_id_unique` ON `people` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `people_email_key_unique` ON `people` (`email_key`);--> statement-breakpoint
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
--> statement-breakpoint
CREATE UNIQUE INDEX `person_sessions_id_unique` ON `person_sessions` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `person_sessions_hash_unique` ON `person_sessions` (`hash`);--> statement-breakpoint
CREATE INDEX `person_sessions_person` ON `person_sessions` (`person_pk`);--> statement-breakpoint
CREATE INDEX `person_sessions_end` ON `person_sessions` (`expires_at`);--> statement-breakpoint
ALTER TABLE `organizations` ADD `had_people` integer DEFAULT false NOT NULL;