// Replaces the types of Node.js, which the types of some libraries refer to. Page code must not use them.
export {};
