/** An import that is refused as a whole: nothing of it is kept. The message is for the user and names the file. */
export class ImportRefused extends Error {
  /** Path in the repository or entry of the archive; absent when the fault is not in one file. */
  readonly path: string | undefined

  constructor(message: string, path?: string) {
    super(message)
    this.name = 'ImportRefused'
    this.path = path
  }
}
