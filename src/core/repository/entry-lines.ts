/** Finds the lines of a table of contents that problems are about. */
import { readInlineLink } from './inline-link.ts'
import type { Problem } from './model.ts'
import { decodeAddress } from '../text/file-paths.ts'

/** Gives problems with entries of a table of contents their lines, in place. @param path the table of contents */
export function placeEntries(problems: readonly Problem[], path: string, text: string): void {
  const entries = problems.filter(
    (one) => one.path === path && one.address !== undefined && one.line === undefined,
  )
  if (entries.length === 0) return
  const lines = linesByAddress(text)
  const seen = new Map<string, number>()
  for (const problem of entries) {
    const address = problem.address!
    const all = lines.get(address) ?? []
    // The first line of a page that is listed again is the page itself.
    const nth = seen.get(address) ?? (problem.kind === 'repeated-page' ? 1 : 0)
    seen.set(address, nth + 1)
    const line = all[Math.min(nth, all.length - 1)]
    if (line !== undefined) problem.line = line
  }
}

function linesByAddress(text: string): Map<string, number[]> {
  const lines = new Map<string, number[]>()
  for (const [i, line] of text.split(/\r\n|\n|\r/).entries()) {
    const written = readInlineLink(line)?.address.replace(/#.*$/, '') ?? ''
    if (written === '') continue
    const address = decodeAddress(written)
    const known = lines.get(address)
    if (known) known.push(i + 1)
    else lines.set(address, [i + 1])
  }
  return lines
}
