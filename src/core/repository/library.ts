import { because } from '../languages/reasons.ts'
import { frontMatterExcess } from '../document/front-matter/front-matter.ts'
import { unreadableMessage } from '../document/show-source.ts'
import type { PageReading, Problem, ReadPage } from './model.ts'
import { ImportRefused } from './refused.ts'
import { decodeText } from './decode-text.ts'
import { faultParameters } from '../languages/reasoned.ts'

/** Opens the Markdown sources of a repository. */
export interface Library<R extends PageReading> {
  /** Reads a source. Returns an empty one for a page without a file. */
  open(path: string | undefined): Promise<{ source: string; reading: R }>
  /** Throws `ImportRefused` with the names of the opened sources that are not text. */
  refuseUnreadable(): void
}

/** The most files that one message names. */
const named = 10

/**
 * Collects sources that are not text, so that one message can name them all. Text that is not readable as Markdown is
 * imported unchanged and reported in `problems`, and so is a page that exceeds a limit.
 * @param long the sources of the parts of long pages, by path
 */
export function openLibrary<R extends PageReading>(
  files: ReadonlyMap<string, Uint8Array>,
  read: ReadPage<R>,
  { long, problems }: { long: ReadonlyMap<string, string>; problems: Problem[] },
): Library<R> {
  const unreadable: string[] = []

  return {
    async open(path) {
      if (path === undefined) return { source: '', reading: await read('', '') }

      const source = long.get(path) ?? decodeText(files.get(path) ?? new Uint8Array())
      if (source === undefined) unreadable.push(path)

      const reading = await read(source ?? '', path)
      const head = frontMatterExcess(source ?? '')
      // The page is kept as it is: its reader notices a limit in linear time each time, so that it costs little.
      if (head !== undefined)
        problems.push({ kind: 'setting', path, ...because('front-matter-not-used', faultParameters(head)) })
      else if (reading.excess !== undefined && reading.unreadable === undefined)
        problems.push({ kind: 'setting', path, ...because('title-cut', faultParameters(reading.excess)) })
      if (reading.unreadable !== undefined) {
        problems.push({ kind: 'unreadable', path, ...unreadableMessage(reading.unreadable) })
      }
      for (const part of reading.unshown ?? []) problems.push({ path, ...part })
      return { source: source ?? '', reading }
    },

    refuseUnreadable() {
      if (unreadable.length === 0) return
      const names = unreadable.slice(0, named).map((path) => `"${path}"`)
      if (unreadable.length > named) names.push(`${unreadable.length - named} more`)
      throw new ImportRefused(because('import-files-not-utf-8', { paths: names.join(', ') }), unreadable[0])
    },
  }
}
