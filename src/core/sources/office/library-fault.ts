/** True for what a reader of documents throws if a document is not what it expects, nested too deeply included. */
export function isLibraryFault(error: unknown): error is Error {
  return error instanceof Error && !('code' in error)
}
