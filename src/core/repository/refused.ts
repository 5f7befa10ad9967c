import { ReasonedError, type Reasoned } from '../languages/reasoned.ts'

/** Fails a whole import, which then writes nothing. The message is for the user and names the file. */
export class ImportRefused extends ReasonedError {
  override name = 'ImportRefused'
  /** A path in the repository, or an entry of the archive. Absent if the fault is not in one file. */
  readonly path: string | undefined

  constructor(why: Reasoned | string, path?: string) {
    super(why)
    this.path = path
  }
}
