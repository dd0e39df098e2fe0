ALTER TABLE "locations" ADD COLUMN "replaced_streams" json DEFAULT '[]'::json NOT NULL;--> statement-breakpoint
ALTER TABLE "locations" ADD COLUMN "stream_returned_at" bigint;