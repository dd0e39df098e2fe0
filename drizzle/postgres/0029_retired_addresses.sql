ALTER TABLE "alert_channels" ADD COLUMN "retired_at" bigint;--> statement-breakpoint
ALTER TABLE "page_subscribers" ADD COLUMN "written_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "alert_channels_retired" ON "alert_channels" USING btree ("retired_at") WHERE retired_at IS NOT NULL;