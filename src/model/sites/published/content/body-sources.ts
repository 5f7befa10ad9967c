/** Loads the Markdown that the body of a page consists of, before anything in it is decided for a reader. */
import { hash } from 'node:crypto'
import { INCLUDE_DEPTH } from '../../../../core/document/shape/limits.ts'
import type { PageRecord, ReusableRecord } from '../../../../core/content/revision.ts'
import type { BodyTask } from '../../../../core/reading/body.ts'
import type { Reader, Row } from '../../../../db/schema.ts'
import { linkTargetsOf } from '../../../content/content.ts'
import type { ThreadWork } from '../../../content/in-thread.ts'
import { type ResolvedSource, resolvedSources } from '../../../content/resolved-source.ts'
import { computedMarkdown } from '../../../openapi/computed-pages.ts'
import type { Variant } from '../open-site.ts'
import type { SeenPages } from './seen-pages.ts'

/** The Markdown of a page, and that of the reusable contents that it includes, by id. */
interface BodySources {
  page: ResolvedSource
  included: Map<string, ResolvedSource>
}

/** Loads the Markdown of a page and of everything that it includes, at any depth. */
export async function loadSources(
  db: Reader,
  { organizationId }: Pick<Row<'site'>, 'organizationId'>,
  content: Pick<SeenPages, 'revision' | 'tree'> & { reusables: ReadonlyMap<string, ReusableRecord> },
  page: PageRecord,
): Promise<BodySources> {
  const { revision, tree, reusables } = content
  const targets = await linkTargetsOf(db, revision, tree)
  const [stored] = await resolvedSources(db, revision, targets, [page])
  const computed = await computedMarkdown(db, organizationId, page)
  const main = computed === undefined ? stored! : asSource(computed)
  const included = new Map<string, ResolvedSource>()
  for (let depth = 0, fresh = [main]; fresh.length > 0 && depth < INCLUDE_DEPTH; depth++) {
    const wanted = new Set(fresh.flatMap(includedBy).filter((id) => !included.has(id) && reusables.has(id)))
    const named = [...wanted].map((id) => reusables.get(id)!)
    fresh = await resolvedSources(
      db,
      revision,
      targets,
      named.map(({ document, path }) => ({ document, file: path })),
    )
    named.forEach(({ id }, index) => included.set(id, fresh[index]!))
  }
  return { page: main, included }
}

/** Where the work on a page is done: at once if the page is quick and includes nothing. */
export function workOn(
  db: Reader,
  { variant }: { variant: Pick<Variant, 'spaceId'> },
  { page, included, specs, legacy }: BodyTask,
): ThreadWork {
  const isPlain = included.size === 0 && specs.size === 0 && legacy === undefined
  return { db, spaceId: variant.spaceId, sources: isPlain ? [page.source] : 'slow' }
}

/** The addresses of other pages in Markdown that was made for a computed page. */
const PAGE_ADDRESS = /\]\((\/pages\/([0-9a-f]{24}))\)/g

/** Markdown that is stored nowhere. Its references mean what they say. */
function asSource(source: string): ResolvedSource {
  const named = [...source.matchAll(PAGE_ADDRESS)].map(
    ([, address, page]) => [address!, { kind: 'page', page: page! }] as const,
  )
  return { hash: hash('sha256', source), source, references: new Map(named), anchors: [] }
}

function includedBy({ references }: ResolvedSource): string[] {
  const refs = [...references.values()]
  return refs.flatMap((ref) => (ref.kind === 'reusable-content' ? [ref.reusableContent] : []))
}
