/** Sends changes of content in batches. */
import { RefusedCall } from '../client.ts'
import { type Copying, reportOn } from './copying.ts'
import { type JsonRecord, jsonRecord, jsonRecords, someText, jsonText } from './json.ts'

const MOST_CHANGES = 50
/** A request may have 8 MB. */
const MOST_CHARACTERS = 2_000_000

/** A change of content, with what it is for. */
export interface LabelledChange {
  /** The name of the page or file in a report. */
  what: string
  change: JsonRecord
  /** Gets the id of what an insertion made; an empty text for another change. */
  done?: (id: string) => void
  /** What to do if the target refuses the change; by default, the report has it. */
  refused?: (message: string) => Promise<void>
}

/**
 * Sends changes in their order. If the target refuses a batch, each of its changes is sent alone, so that one that it does not
 * understand keeps none of the others out.
 * @param base the path of the content, such as `/spaces/…/content`
 */
export async function sendChanges(
  copying: Copying,
  base: string,
  changes: readonly LabelledChange[],
): Promise<void> {
  let batch: LabelledChange[] = []
  let size = 0
  for (const one of changes) {
    const length = JSON.stringify(one.change).length
    if (batch.length > 0 && (batch.length >= MOST_CHANGES || size + length > MOST_CHARACTERS)) {
      await sendBatch(copying, base, batch)
      batch = []
      size = 0
    }
    batch.push(one)
    size += length
  }
  if (batch.length > 0) await sendBatch(copying, base, batch)
}

async function sendBatch(copying: Copying, base: string, batch: readonly LabelledChange[]): Promise<void> {
  const answer = await sent(copying, base, batch)
  if (!(answer instanceof RefusedCall)) return accept(batch, answer)
  if (batch.length > 1) {
    for (const one of batch) await sendBatch(copying, base, [one])
    return
  }
  const [one] = batch
  if (one?.refused) return one.refused(answer.message)
  reportOn(copying, 'unwritten', one?.what ?? '', answer.message)
}

async function sent({ target }: Copying, base: string, batch: readonly LabelledChange[]) {
  const changes = batch.map(({ change }, nth) =>
    jsonText(change.operation).startsWith('insert_') && change.operation !== 'insert_files'
      ? { ...change, ref: `r${nth}` }
      : change,
  )
  try {
    return await target('POST', `${base}?compat=false`, { changes })
  } catch (error) {
    if (error instanceof RefusedCall) return error
    throw error
  }
}

/** Hands out the ids of what a batch made. */
function accept(batch: readonly LabelledChange[], answer: JsonRecord): void {
  const byRef = new Map<string, string>()
  for (const made of jsonRecords(answer.changes)) {
    const thing = jsonRecord(made.page ?? made.reusableContent)
    const id = someText(thing.id)
    if (id !== undefined) byRef.set(jsonText(made.ref), id)
  }
  const files = jsonRecords(answer.insertedFiles)
  let file = 0
  for (const [nth, { change, done }] of batch.entries()) {
    const isInsertion = jsonText(change.operation).startsWith('insert_')
    const id =
      change.operation === 'insert_files' ? jsonText(files[file++]?.id) : (byRef.get(`r${nth}`) ?? '')
    // What has no id here is found by the next run.
    if (!isInsertion || id !== '') done?.(id)
  }
}
