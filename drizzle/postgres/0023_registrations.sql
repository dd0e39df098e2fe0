CREATE TABLE "registrations" (
	"domain" text PRIMARY KEY NOT NULL,
	"registry" text NOT NULL,
	"facts" json,
	"answered_at" bigint,
	"failing_since" bigint,
	"not_found" integer NOT NULL,
	"not_found_at" bigint,
	"has_no_date" boolean NOT NULL,
	"next_at" bigint NOT NULL,
	"paused_until" bigint
);
--> statement-breakpoint
CREATE INDEX "registrations_registry" ON "registrations" USING btree ("registry");--> statement-breakpoint
CREATE INDEX "registrations_next" ON "registrations" USING btree ("next_at");