/** Copies the templates of pages that an organization keeps. */
import { type Copying, reading, writing } from './copying.ts'
import { type JsonRecord, jsonText, segment } from './json.ts'
import { RefusedCall } from '../client.ts'
import { listed } from './patient-calls.ts'

const FIELDS = ['title', 'description', 'emoji', 'markdown'] as const

/** Adds the templates that the target does not have with the same fields. */
export async function copyPageTemplates(copying: Copying): Promise<void> {
  const { source, target, from, to } = copying
  const path = `/orgs/${segment(from)}/page-templates`
  const own = await reading(copying, 'Templates of pages', () => ownTemplates(source, path))
  if (!own || own.length === 0) return
  const there = `/orgs/${segment(to)}/page-templates`
  const existing = await writing(copying, 'Templates of pages', () => ownTemplates(target, there))
  if (!existing) return
  const known = new Set(existing.map(fieldsKey))
  for (const one of own)
    if (!known.has(fieldsKey(one)))
      await writing(copying, `Template “${jsonText(one.title)}”`, () => target('POST', there, fieldsIn(one)))
}

/** The templates that members have kept, each with its text. Other servers have no templates. */
async function ownTemplates(call: Copying['source'], path: string): Promise<JsonRecord[]> {
  const all = await listed(call, path).catch((error: unknown) => {
    if (error instanceof RefusedCall && error.status === 404) return []
    throw error
  })
  const own: JsonRecord[] = []
  for (const { id, builtIn } of all)
    if (builtIn !== true) own.push(await call('GET', `${path}/${segment(jsonText(id))}`))
  return own
}

const fieldsIn = (one: JsonRecord) => Object.fromEntries(FIELDS.map((name) => [name, jsonText(one[name])]))

const fieldsKey = (one: JsonRecord): string => JSON.stringify(fieldsIn(one))
