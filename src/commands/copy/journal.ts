/** The state file of a copy: what has been made in the target, so that another run continues and makes nothing twice. */
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs'
import { isRecord } from '../../core/data/is-record.ts'
import { UsageError } from '../usage.ts'
import { jsonText } from './json.ts'

const MOST_BYTES = 500 * 1024 * 1024
const VERSION = 1

/** The organizations of a copy. */
export interface CopyEnds {
  /** The address of the API and the id of the organization, joined. */
  from: string
  to: string
}

/**
 * The file is a list of lines, each the JSON of one entry, to which entries are only added: a process that is killed leaves at
 * most half a line.
 */
export class Journal {
  readonly #file: string
  /** The ids of the target by those of the source, by kind. */
  readonly #made = new Map<string, Map<string, string>>()
  readonly #targets = new Set<string>()
  readonly #begun = new Set<string>()

  /** @throws UsageError if the file belongs to another copy, or is no state file */
  constructor(file: string, ends: CopyEnds) {
    this.#file = file
    const lines = journalLines(file)
    if (lines.length > 0) this.#read(lines, ends)
    else this.#write({ lectern: VERSION, ...ends })
  }

  #read(lines: readonly string[], { from, to }: CopyEnds): void {
    for (const [nth, line] of lines.entries()) {
      const entry = parsed(line)
      if (nth === 0) {
        if (entry?.lectern !== VERSION) throw new UsageError(`${this.#file} is no state file of an import`)
        if (entry.from !== from || entry.to !== to)
          throw new UsageError(
            `${this.#file} belongs to the import from ${jsonText(entry.from)} into ${jsonText(entry.to)}. Name another file with --state`,
          )
      } else if (entry) this.#note(entry)
    }
    // A line that was cut off must not take in the next one.
    appendFileSync(this.#file, '\n')
  }

  #note({ kind, id, target }: Record<string, unknown>): void {
    const key = `${jsonText(kind)} ${jsonText(id)}`
    if (typeof target !== 'string') this.#begun.add(key)
    else {
      const made = this.#made.get(jsonText(kind)) ?? new Map<string, string>()
      this.#made.set(jsonText(kind), made.set(jsonText(id), target))
      this.#targets.add(`${jsonText(kind)} ${target}`)
    }
  }

  #write(entry: Record<string, unknown>): void {
    appendFileSync(this.#file, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
  }

  /** The id in the target of something of the source. */
  target(kind: string, id: string): string | undefined {
    return this.#made.get(kind)?.get(id)
  }

  /** Whether something of the target is a copy, or was there before the first run. */
  isTaken(kind: string, target: string): boolean {
    return this.#targets.has(`${kind} ${target}`) || this.target(`earlier ${kind}`, target) !== undefined
  }

  /** Notes something that the target had before the first run, so that it is never taken for a copy. */
  noteEarlier(kind: string, target: string): void {
    this.record(`earlier ${kind}`, target, '')
  }

  /** Whether a run began to make something and may have ended before it noted the result. */
  isBegun(kind: string, id: string): boolean {
    return this.#begun.has(`${kind} ${id}`)
  }

  begin(kind: string, id: string): void {
    if (this.isBegun(kind, id)) return
    this.#add({ kind, id })
  }

  record(kind: string, id: string, target: string): void {
    if (this.target(kind, id) === target) return
    this.#add({ kind, id, target })
  }

  #add(entry: { kind: string; id: string; target?: string }): void {
    this.#write(entry)
    this.#note(entry)
  }

  /** Whether a step is done. */
  isDone(step: string): boolean {
    return this.target('step', step) !== undefined
  }

  done(step: string): void {
    this.record('step', step, '')
  }

  /** The ids of a kind that have a target, each with that target. */
  entries(kind: string): Iterable<[id: string, target: string]> {
    return this.#made.get(kind) ?? []
  }
}

function journalLines(file: string): string[] {
  if (!existsSync(file)) return []
  if (statSync(file).size > MOST_BYTES) throw new UsageError(`${file} is too large for a state file`)
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
