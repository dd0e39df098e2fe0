CREATE TABLE "push_keys" (
	"pk" integer PRIMARY KEY NOT NULL,
	"public_key" "bytea" NOT NULL,
	"private_key" "bytea" NOT NULL
);
