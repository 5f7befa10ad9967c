/** Fails a whole import, which then writes nothing. The message is for the user and names the file. */
export class ImportRefused extends Error {
  /** A path in the repository, or an entry of the archive. Absent if the fault is not in one file. */
  readonly path: string | undefined

  constructor(message: string, path?: string) {
    super(message)
    this.name = 'ImportRefused'
    this.path = path
  }
}
