/** Copies the glossary. */
import { type Copying, reading, writing } from './copying.ts'
import { type JsonRecord, jsonRecord, segment } from './json.ts'
import { listed } from './patient-calls.ts'

/** The most changes of a request (`GlossaryChanges`). */
const MOST_CHANGES = 1000

/** Adds the entries that the target does not have with the same terms. */
export async function copyGlossary(copying: Copying): Promise<void> {
  const { source, target, from, to } = copying
  const what = 'Glossary'
  const entries = await reading(copying, what, () =>
    listed(source, `/orgs/${segment(from)}/translations-glossary`),
  )
  if (!entries || entries.length === 0) return
  const path = `/orgs/${segment(to)}/translations-glossary`
  const existing = await writing(copying, what, () => listed(target, path))
  if (!existing) return
  const known = new Set(existing.map(termsKey))
  const missing = entries.filter((entry) => !known.has(termsKey(entry)))
  for (let at = 0; at < missing.length; at += MOST_CHANGES) {
    const operations = missing
      .slice(at, at + MOST_CHANGES)
      .map(({ translations }) => ({ type: 'insert', translations }))
    await writing(copying, what, () => target('PUT', path, { operations }))
  }
}

/** The terms of an entry as a text, which is the same for the same terms. */
function termsKey({ translations }: JsonRecord): string {
  return JSON.stringify(Object.entries(jsonRecord(translations)).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
