ALTER TABLE `identities` ADD `last_used_at` integer;--> statement-breakpoint
ALTER TABLE `memberships` ADD `name` text;--> statement-breakpoint
ALTER TABLE `memberships` ADD `email` text;--> statement-breakpoint
ALTER TABLE `memberships` ADD `accepted_at` integer;--> statement-breakpoint
-- Whether somebody who is disabled had accepted is not known, unless nobody else could have let them in.
UPDATE memberships SET accepted_at = created_at WHERE state = 'active';--> statement-breakpoint
UPDATE memberships SET accepted_at = created_at WHERE state = 'disabled'
	AND NOT EXISTS (SELECT 1 FROM memberships AS other WHERE other.person_pk = memberships.person_pk AND other.organization_pk <> memberships.organization_pk)
	AND (
		EXISTS (SELECT 1 FROM people WHERE people.pk = memberships.person_pk AND people.password_hash IS NOT NULL)
		OR EXISTS (SELECT 1 FROM passkeys WHERE passkeys.person_pk = memberships.person_pk)
		OR EXISTS (SELECT 1 FROM identities WHERE identities.person_pk = memberships.person_pk)
	);--> statement-breakpoint
UPDATE memberships SET email = (SELECT email FROM people WHERE people.pk = memberships.person_pk) WHERE accepted_at IS NULL;--> statement-breakpoint
UPDATE memberships SET name = (SELECT name FROM people WHERE people.pk = memberships.person_pk) WHERE accepted_at IS NULL
	AND NOT EXISTS (SELECT 1 FROM memberships AS other WHERE other.person_pk = memberships.person_pk AND other.organization_pk <> memberships.organization_pk);
