CREATE TABLE "seal_keys" (
	"pk" integer PRIMARY KEY NOT NULL,
	"key" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "used_beginnings" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"kept_for" text,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
DROP TABLE "oidc_attempts" CASCADE;--> statement-breakpoint
DROP TABLE "passkey_challenges" CASCADE;--> statement-breakpoint
CREATE INDEX "used_beginnings_end" ON "used_beginnings" USING btree ("expires_at");