ALTER TABLE "alert_channels" ADD COLUMN "language" text;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "language" text;--> statement-breakpoint
ALTER TABLE "people" ADD COLUMN "language" text;