import { ReasonedError, type Reasoned } from '../../languages/reasoned.ts'
/** A change of a batch is invalid, so the whole batch is refused. */
export class BatchRefused extends ReasonedError {
  /** The zero-based index of the change in the batch. */
  readonly index: number
  /** The field of the change that is invalid, such as `into` or `files.0.url`. */
  readonly field: string

  constructor(index: number, field: string, why: Reasoned | string) {
    super(why)
    this.index = index
    this.field = field
  }
}

/** @throws BatchRefused */
export function refuseBatch(index: number, field: string, why: Reasoned | string): never {
  throw new BatchRefused(index, field, why)
}
