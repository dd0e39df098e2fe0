ALTER TABLE "nodes" ADD COLUMN "retention_days" integer;--> statement-breakpoint
ALTER TABLE "nodes" ADD COLUMN "has_left" boolean DEFAULT false NOT NULL;