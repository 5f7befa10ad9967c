/** Copies OpenAPI specifications: the newest version of each. */
import { RefusedCall } from '../client.ts'
import { type Copying, reportLabel, reading, reportOn, writeSettings, writing } from './copying.ts'
import { fieldsIn, type JsonRecord, jsonRecord, jsonRecords, segment, someText, jsonText } from './json.ts'
import { listed } from './patient-calls.ts'

/** Copies the specifications that the target lacks, under their slugs. */
export async function copySpecifications(copying: Copying): Promise<void> {
  const { source, target, from, to, journal } = copying
  const path = `/orgs/${segment(from)}/openapi`
  const into = `/orgs/${segment(to)}/openapi`
  const specs = (await reading(copying, 'OpenAPI specifications', () => listed(source, path))) ?? []
  if (specs.length === 0) return
  const existing = await writing(copying, 'OpenAPI specifications', () => listed(target, into))
  if (!existing) return
  const slugs = new Set(existing.map(({ slug }) => jsonText(slug)))
  for (const [nth, spec] of specs.entries()) {
    copying.bar.show({ label: 'Specifications', done: nth, total: specs.length })
    const slug = jsonText(spec.slug)
    const what = reportLabel('OpenAPI specification', slug)
    if (journal.target('specification', slug) !== undefined) continue
    if (slugs.has(slug) && !journal.isBegun('specification', slug)) {
      reportOn(copying, 'unwritten', what, 'the target has another specification with this slug')
      continue
    }
    const found = await reading(copying, what, () => specificationSource(copying, path, spec))
    if (!found) continue
    journal.begin('specification', slug)
    const at = `${into}/${segment(slug)}`
    if (!(await writing(copying, what, () => target('PUT', at, { source: found })))) continue
    const settings = fieldsIn(spec, ['visibility', 'requestProxy'])
    await writeSettings(copying, what, { path: at }, settings)
    journal.record('specification', slug, slug)
  }
}

/** The address of a specification, or else its text as it was written, or else as the server bundles it. */
async function specificationSource({ source }: Copying, path: string, spec: JsonRecord): Promise<JsonRecord> {
  const url = someText(spec.sourceURL)
  if (url !== undefined) return { url }
  const newest = `${path}/${segment(jsonText(spec.slug))}/versions/latest/content`
  try {
    const text = someText((await source('GET', `${newest}/raw`)).text)
    if (text !== undefined) return { text }
  } catch (error) {
    if (!(error instanceof RefusedCall) || error.status !== 404) throw error
  }
  const { filesystem } = await source('GET', newest)
  const [file] = jsonRecords(filesystem)
  const specification = jsonRecord(file?.specification)
  if (Object.keys(specification).length > 0) return { text: JSON.stringify(specification) }
  throw new RefusedCall('the source returns neither an address nor a text of it', 404)
}
