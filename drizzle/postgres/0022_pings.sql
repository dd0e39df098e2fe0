ALTER TABLE "locations" ADD COLUMN "ping_access" text;--> statement-breakpoint
ALTER TABLE "monitors" ADD COLUMN "pings_here" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "monitors_pings_here" ON "monitors" USING btree ("pk") WHERE pings_here;