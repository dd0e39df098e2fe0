/**
 * The config of a monitor for the operator `->>`, which refuses JSON that contains the character NUL anywhere. Only the
 * numbers of a config are read this way: in texts, this replaces what looks like that character.
 */
export const CONFIG = `replace(config::text, 'u0000', 'u0001')::json`;
