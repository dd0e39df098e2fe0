// In the place of the types of Node.js, which libraries that the page knows only by type would bring.
export {};
