import { isDeepStrictEqual } from 'node:util'
import { Type } from 'typebox'
import { onSpace, type OnSpace } from '../../../access/checks/on.ts'
import { atLeast } from '../../../access/roles/roles.ts'
import type { ComputedSource } from '../../../core/content/revision.ts'
import { indexTree } from '../../../core/content/tree/tree.ts'
import type { Database } from '../../../db/schema.ts'
import { invalidField, notFound } from '../../../http/errors.ts'
import { route } from '../../../http/route.ts'
import { InSpace, oneOf } from '../../../model/common.ts'
import { needRevision } from '../../../model/content/commit.ts'
import { pagesOf } from '../../../model/content/content.ts'
import { DocumentSchema } from '../../../model/content/documents/document.ts'
import { File, Page, ReusableContent, toPages } from '../../../model/content/documents/page.ts'
import { documentOfMarkdown } from '../../../model/content/documents/read-document.ts'
import { computedIn, loadOutline, markdownOfPage } from '../../../model/openapi/computed-pages.ts'
import { ComputedPagesSource, SpecDependencies } from '../../../model/openapi/computed-source.ts'
import { OPENAPI_SOURCE, pagesOfSpec, specOf } from '../../../model/openapi/spec-pages.ts'
import { readerContent } from '../../../model/sites/published/content/reader-content.ts'
import { onReadableSpace } from '../../../model/sites/published/on-reader.ts'
import { because } from '../../../core/languages/reasons.ts'

const Seed = Type.String({
  maxLength: 255,
  description: 'The ids are made of it: the same source and seed give the same ids.',
})
/** The name of a tag or schema, or the place of an operation. */
const Name = { minLength: 1, maxLength: 4_000 }

const ABOUT =
  'The specification belongs to the organization of the space. Guests can only name those of the computed pages of the space.'

export const getComputedDocument = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/content/computed/document',
  summary: 'Compute the body of a page from an OpenAPI specification',
  description: `\`source\` is the \`computed\` of a page. The document is empty if the specification has nothing of this name. ${ABOUT} A site token computes the pages that its reader sees: \`seed\` is the \`computedSeed\` of such a page.`,
  access: onReadableSpace(),
  readers: true,
  params: InSpace,
  body: Type.Object({
    source: Type.Object({
      type: oneOf([OPENAPI_SOURCE]),
      props: Type.Object({
        doc: oneOf(['models', 'operations', 'info']),
        page: Type.Optional(Type.String({ ...Name, description: 'The name of a tag' })),
        operation: Type.Optional(
          Type.String({ ...Name, description: 'The JSON pointer of the only operation' }),
        ),
        schema: Type.Optional(Type.String({ ...Name, description: 'The name of the only schema' })),
        source: Type.Optional(
          Type.String({
            ...Name,
            description: 'The id of the computed page, to whose other pages names lead',
          }),
        ),
      }),
      dependencies: SpecDependencies,
    }),
    seed: Seed,
  }),
  returns: DocumentSchema,
  audit: false,
  reads: true,
  async prepare(context) {
    const { db, urls, space, body, reading } = context
    const { source, seed } = body
    if (reading) {
      const revision = await needRevision(db.read, space.id, reading.variant.revisionId)
      const reader = await readerContent({ db: db.read, urls }, reading, revision)
      const page = reader.tree.get(seed)
      if (page?.type !== 'document' || !isSameSource(page.computed, source)) throw notFound('page')
      return reader.document(page)
    }
    if (source.props.doc !== 'models' && source.props.page === undefined)
      throw invalidField('body.source.props.page', because('not-tag-name'))
    const spec = await needOutline(context, db, source.dependencies.spec.ref.spec)
    return documentOfMarkdown(db.read, space.id, markdownOfPage(spec, source))
  },
  handler: async ({ prepared }) => prepared,
})

export const getComputedRevision = route({
  method: 'POST',
  path: '/v1/spaces/:spaceId/content/computed/revision',
  summary: 'Compute the pages of an OpenAPI specification',
  description: `\`source\` is the \`computed\` of a computed page. With the id of that page as the \`seed\`, the pages have the ids that they have in the space. ${ABOUT}`,
  access: onSpace('read'),
  params: InSpace,
  body: Type.Object({
    source: ComputedPagesSource,
    seed: Seed,
  }),
  returns: Type.Object({
    pages: Type.Array(Page),
    files: Type.Array(File, { description: 'Always empty' }),
    reusableContents: Type.Array(ReusableContent, { description: 'Always empty' }),
  }),
  audit: false,
  reads: true,
  async prepare(context) {
    const { db, urls, space, body } = context
    const { source, seed } = body
    const spec = await needOutline(context, db, source.dependencies.spec.ref.spec)
    const nothing = indexTree(new Map())
    const { versionAt } = spec
    const place = { id: seed, parent: null, order: '', computed: source, createdAt: versionAt }
    const pages = await pagesOfSpec(nothing, place, spec)
    const tree = nothing.apply(new Map(pages.map(({ page }) => [page.id, page])))
    const computed = {
      version: JSON.stringify([spec.lastVersion, body]),
      specs: new Map([[spec.slug, spec]]),
    }
    const revision = { spaceId: space.id, pages: null }
    return {
      pages: toPages({ urls, revision, tree, metadata: false, computed }, null),
      files: [],
      reusableContents: [],
    }
  },
  handler: async ({ prepared }) => prepared,
})

/** Whether two sources compute the same page, in whatever order their fields are. */
function isSameSource(known: ComputedSource | undefined, sent: ComputedSource): boolean {
  const { type, props } = sent
  return (
    known?.type === type &&
    specOf(known) === specOf(sent) &&
    isDeepStrictEqual({ ...known.props }, { ...props })
  )
}

/** The specification that a source names. @throws 400 if the caller may not see it, or it has no version */
async function needOutline(
  { space, organizationRole }: Pick<OnSpace, 'space' | 'organizationRole'>,
  db: Database,
  slug: string,
) {
  const isNamed = async () => {
    const tree = await pagesOf(db.read, await needRevision(db.read, space.id, space.revisionId))
    return computedIn(tree).some(({ computed }) => specOf(computed) === slug)
  }
  const isSeen = atLeast(organizationRole, 'read') || (await isNamed())
  const spec = isSeen ? await loadOutline(db.read, space.organizationId, slug) : undefined
  if (!spec)
    throw invalidField(
      'body.source.dependencies.spec.ref.spec',
      because('specification-without-version', { slug: JSON.stringify(slug) }),
    )
  return spec
}
