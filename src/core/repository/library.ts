import { repositoryLimits } from './model.ts'
import type { PageReading, ReadPage } from './model.ts'
import { ImportRefused } from './refused.ts'
import { decodeText } from './text.ts'

/** Opens the Markdown sources of a repository. */
export interface Library<R extends PageReading> {
  /** Reads a source; an empty one for a page without a file. */
  open(path: string | undefined): Promise<{ source: string; reading: R }>
  /** Throws `ImportRefused` with the names of the sources that were opened and are no text. */
  refuseUnreadable(): void
}

/** At most this many files are named in one message. */
const named = 10

/** Sources that are no text are remembered and not refused at once, so that one message can name them all. */
export function openLibrary<R extends PageReading>(
  files: ReadonlyMap<string, Uint8Array>,
  read: ReadPage<R>,
): Library<R> {
  const unreadable: string[] = []

  return {
    async open(path) {
      if (path === undefined) return { source: '', reading: await read('', '') }

      const bytes = files.get(path) ?? new Uint8Array()
      if (bytes.length > repositoryLimits.documentBytes)
        throw new ImportRefused(`"${path}" is larger than 5 MB`, path)
      const source = decodeText(bytes)
      if (source === undefined) unreadable.push(path)

      return { source: source ?? '', reading: await read(source ?? '', path) }
    },

    refuseUnreadable() {
      if (unreadable.length === 0) return
      const names = unreadable.slice(0, named).map((path) => `"${path}"`)
      if (unreadable.length > named) names.push(`${unreadable.length - named} more`)
      throw new ImportRefused(`Not UTF-8 text: ${names.join(', ')}`, unreadable[0])
    },
  }
}
