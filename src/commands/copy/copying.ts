/** What all parts of a copy of an organization share. */
import { shorten } from '../../core/text/shorten.ts'
import { type Call, RefusedCall } from '../client.ts'
import type { ReportedProblem } from '../import/import-report.ts'
import type { ProgressBar } from '../progress-bar.ts'
import type { Journal } from './journal.ts'
import { type JsonRecord, jsonText } from './json.ts'
import { listed } from './patient-calls.ts'

/** A copy of an organization from one server to another. */
export interface Copying {
  source: Call
  target: Call
  /** The id of the organization in the source. */
  from: string
  /** The id of the organization in the target. */
  to: string
  journal: Journal
  bar: ProgressBar
  /** A folder for downloads, which is removed at the end. */
  folder: string
  /** The address of the source without the path of the API. */
  sourceUrl: string
  problems: ReportedProblem[]
}

type LossKind = 'unread' | 'unwritten' | 'copied-differently'

/** Adds a line to the report. @param what the name of what was not copied, such as `Space “Guide”` */
export function reportOn({ problems }: Copying, kind: LossKind, what: string, message: string): void {
  problems.push({ kind, path: what, message })
}

/** Reads something of the source. If the source refuses it, the report has the reason, and the copy goes on. */
export function reading<T>(copying: Copying, what: string, work: () => Promise<T>): Promise<T | undefined> {
  return reported(copying, 'unread', what, work)
}

/** Writes something to the target. If the target refuses it, the report has the reason, and the copy goes on. */
export function writing<T>(copying: Copying, what: string, work: () => Promise<T>): Promise<T | undefined> {
  return reported(copying, 'unwritten', what, work)
}

async function reported<T>(
  copying: Copying,
  kind: LossKind,
  what: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof RefusedCall)) throw error
    reportOn(copying, kind, what, error.message)
    return undefined
  }
}

/**
 * Makes something in the target once. If an earlier run may have made it without noting so, it is looked for first.
 * @returns its id in the target; undefined if the target refuses it
 */
export async function madeOnce(
  copying: Copying,
  { kind, id, what }: { kind: string; id: string; what: string },
  create: () => Promise<string>,
  find: () => Promise<string | undefined>,
): Promise<string | undefined> {
  const { journal } = copying
  const known = journal.target(kind, id)
  if (known !== undefined) return known
  const target = await writing(copying, what, async () => {
    const found = journal.isBegun(kind, id) ? await find() : undefined
    journal.begin(kind, id)
    return found ?? create()
  })
  if (target !== undefined) journal.record(kind, id, target)
  return target
}

/** Notes what the target has of a kind before the first run makes something of it. */
export async function noteEarlier(copying: Copying, kind: string, path: string): Promise<void> {
  const { journal, target } = copying
  await doneOnce(copying, `earlier ${kind}`, () =>
    writing(copying, reportLabel('List', path), async () => {
      for (const { id } of await listed(target, path)) journal.noteEarlier(kind, jsonText(id))
    }),
  )
}

/** Does a step once. If something of it could not be read or written, another run does it again. */
export async function doneOnce(copying: Copying, step: string, work: () => Promise<unknown>): Promise<void> {
  const { journal } = copying
  if (journal.isDone(step)) return
  if (await isWhole(copying, work)) journal.done(step)
}

/** Does a part of the copy. @returns whether everything of it could be read and written */
export async function isWhole({ problems }: Copying, work: () => Promise<unknown>): Promise<boolean> {
  const before = problems.length
  await work()
  return problems.slice(before).every(({ kind }) => kind === 'copied-differently')
}

/**
 * Sends fields. If the target refuses them together, each is sent alone, so that one that it does not know keeps none of the
 * others out.
 */
export async function writeSettings(
  copying: Copying,
  what: string,
  { method = 'PATCH', path }: { method?: string; path: string },
  fields: JsonRecord,
): Promise<void> {
  const names = Object.keys(fields)
  if (names.length === 0) return
  const { target } = copying
  const isAccepted = await target(method, path, fields).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof RefusedCall)) throw error
      return false
    },
  )
  if (isAccepted) return
  for (const name of names)
    await writing(copying, `${what}, ${name}`, () => target(method, path, { [name]: fields[name] }))
}

/** The name of something in a report. */
export function reportLabel(kind: string, title: string): string {
  return `${kind} “${shorten(title === '' ? 'Untitled' : title, 60)}”`
}
