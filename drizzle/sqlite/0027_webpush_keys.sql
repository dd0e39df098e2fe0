CREATE TABLE `push_keys` (
	`pk` integer PRIMARY KEY NOT NULL,
	`public_key` blob NOT NULL,
	`private_key` blob NOT NULL
);
