/** The command line was used wrongly, or what it asked for cannot be done; the message says what to do. */
export class UsageError extends Error {}
