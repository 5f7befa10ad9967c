/** A command that is invalid or cannot be carried out. The message explains what to do, and is printed without a stack. */
export class UsageError extends Error {}
