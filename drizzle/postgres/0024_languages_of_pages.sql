ALTER TABLE "page_subscribers" ADD COLUMN "locale" text;--> statement-breakpoint
ALTER TABLE "pages" ADD COLUMN "language" text DEFAULT 'auto' NOT NULL;--> statement-breakpoint
ALTER TABLE "pages" ADD COLUMN "timezone" text DEFAULT 'UTC' NOT NULL;