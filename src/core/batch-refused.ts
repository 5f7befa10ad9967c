/** A change that cannot be made, so that none of its batch is. */
export class BatchRefused extends Error {
  /** Zero-based, among the changes of the batch. */
  readonly index: number
  /** The field of the change that is wrong, such as `into` or `files.0.url`. */
  readonly field: string

  constructor(index: number, field: string, message: string) {
    super(message)
    this.index = index
    this.field = field
  }
}

/** @throws BatchRefused */
export function refuse(index: number, field: string, message: string): never {
  throw new BatchRefused(index, field, message)
}
