import type { ContentRef } from '../../../../core/document/model.ts'
import { referenceKey } from '../../../../core/document/links/references.ts'
import type { SpecSourceParts, WantedPart } from '../../../../core/openapi/described.ts'
import { type NamedOperation, operationsNamedIn } from '../../../../core/openapi/legacy.ts'
import type { Reader } from '../../../../db/schema.ts'
import type { ResolvedSource } from '../../../content/resolved-source.ts'
import type { ReadFileSpec } from '../../../openapi/file-specs.ts'
import type { SiteContent } from './site-content.ts'

/** The specifications that blocks name by addresses. */
export interface LegacySpecs {
  /** The names of the specifications, by `referenceKey`. Those of files begin with `./`, which no slug does. */
  names: Map<string, string>
  /** The parts of specifications of the organization that blocks show. */
  wanted: WantedPart[]
  /** The parts of files that blocks show, by the names of the files. */
  specs: Map<string, SpecSourceParts>
}

/**
 * Finds the specifications that were made from the URLs of blocks, and reads those that are files of the space. Nothing
 * is fetched.
 */
export async function loadLegacySpecs(
  db: Reader,
  { open, files }: SiteContent,
  sources: readonly ResolvedSource[],
  readFile: ReadFileSpec | undefined,
): Promise<LegacySpecs> {
  const found: LegacySpecs = { names: new Map(), wanted: [], specs: new Map() }
  const named = sources.flatMap(({ source, references }) =>
    operationsNamedIn(source).map((one) => ({
      ...one,
      ref: references.get(referenceKey(one.ref)) ?? one.ref,
    })),
  )
  if (named.length === 0) return found
  const { organizationId } = open.site
  const slugs = await slugsByUrl(db, organizationId, named)
  const ofFiles = new Map<string, WantedPart[]>()
  for (const { ref, path, method } of named) {
    const spec = ref.kind === 'openapi' ? ref.spec : ref.kind === 'url' ? slugs.get(ref.url) : undefined
    const want = (name: string): WantedPart => ({ kind: 'operation', spec: name, path, method })
    if (spec !== undefined) {
      found.names.set(referenceKey(ref), spec)
      found.wanted.push(want(spec))
    } else if (ref.kind === 'file') ofFiles.set(ref.file, [...(ofFiles.get(ref.file) ?? []), want(ref.file)])
  }
  for (const [id, wanted] of readFile ? ofFiles : []) {
    const file = files.get(id)
    const parts = file && (await readFile?.(file, organizationId, wanted))
    if (!file || !parts) continue
    const name = found.specs.has(`./${file.name}`) ? `./${file.name}?${id}` : `./${file.name}`
    const ref: ContentRef = { kind: 'file', file: id }
    found.names.set(referenceKey(ref), name)
    found.specs.set(name, parts)
  }
  return found
}

async function slugsByUrl(
  db: Reader,
  organizationId: string,
  named: readonly NamedOperation[],
): Promise<Map<string, string>> {
  const urls = [...new Set(named.flatMap(({ ref }) => (ref.kind === 'url' ? [ref.url] : [])))]
  if (urls.length === 0) return new Map()
  const rows = await db
    .selectFrom('openapiSpec')
    .select(['slug', 'sourceUrl'])
    .where('organizationId', '=', organizationId)
    .where('sourceUrl', 'in', urls)
    .orderBy('id', 'desc')
    .execute()
  // Of several specifications from one URL, the oldest counts.
  return new Map(rows.map(({ slug, sourceUrl }) => [sourceUrl ?? '', slug]))
}
