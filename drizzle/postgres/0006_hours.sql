ALTER TABLE "alert_bindings" ADD COLUMN "hours" json;--> statement-breakpoint
ALTER TABLE "alert_bindings" ADD COLUMN "kept_hours" json;