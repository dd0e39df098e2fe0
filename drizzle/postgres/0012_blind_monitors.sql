ALTER TABLE "monitor_states" ADD COLUMN "blind_since" bigint;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "blind_since" bigint;--> statement-breakpoint
CREATE INDEX "monitor_states_blind" ON "monitor_states" USING btree ("organization_pk") WHERE blind_since IS NOT NULL;