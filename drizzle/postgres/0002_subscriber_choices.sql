ALTER TABLE "maintenances" ADD COLUMN "notify_subscribers" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "page_subscribers" ADD COLUMN "component_ids" json;