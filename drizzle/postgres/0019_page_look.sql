ALTER TABLE "pages" ADD COLUMN "accent" text;--> statement-breakpoint
ALTER TABLE "pages" ADD COLUMN "logo" text;--> statement-breakpoint
ALTER TABLE "pages" ADD COLUMN "embed_origins" json DEFAULT '[]'::json NOT NULL;