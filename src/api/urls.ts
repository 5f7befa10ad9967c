import { type Static, Type } from 'typebox'
import { anyoneKnown } from '../access/checks/on.ts'
import { needChangeRequest } from '../access/checks/on-change-request.ts'
import type { Reader, Row } from '../db/schema.ts'
import { notFound } from '../http/errors.ts'
import { route } from '../http/route.ts'
import type { Urls } from '../http/urls.ts'
import { oneOf } from '../model/common.ts'
import { needRevision } from '../model/content/commit.ts'
import { expandedPagesOf } from '../model/openapi/computed-pages.ts'
import { Page, toPage } from '../model/content/documents/page.ts'
import { Collection, toCollection } from '../model/places/collection.ts'
import { Space, toSpace } from '../model/places/space.ts'
import { ChangeRequest, toChangeRequest } from '../model/proposals/change-request.ts'
import { onContentUrl, type ReadableContent, readUrl } from '../model/sites/published/resolve/content-url.ts'
import { checkClaims, lookUpPublished } from '../model/sites/published/resolve/resolve-url.ts'
import { redirected } from '../model/sites/redirects/redirects.ts'

/** A URL can hold the token of a visitor or of a preview. */
const LONGEST_URL = 8192
const LONGEST_JWT = 12_000
const Address = Type.String({ minLength: 1, maxLength: LONGEST_URL, description: 'An absolute URL' })
const RedirectOnError = Type.Optional(
  Type.Boolean({
    default: false,
    description:
      'Whether a visitor whose token is not valid is sent to the sign-in page. A visitor without a token always is.',
  }),
)

const PublishedContent = Type.Object(
  {
    organization: Type.String(),
    site: Type.String(),
    siteSection: Type.Optional(Type.String({ description: 'Present if the site has sections' })),
    siteSpace: Type.String(),
    space: Type.String(),
    changeRequest: Type.Optional(Type.String({ description: 'The change request that the URL previews' })),
    revision: Type.Optional(Type.String({ description: 'The revision that the URL previews' })),
    pathname: Type.String({ description: 'The path of the page, after `basePath`' }),
    basePath: Type.String({ description: 'The path of the space in the URL, with slashes at both ends' }),
    siteBasePath: Type.String({ description: 'The path of the site in the URL, with slashes at both ends' }),
    canonicalUrl: Type.String(),
    complete: Type.Boolean({
      description:
        'Whether the rest of a longer URL can only be the path of a page, not a section or a space',
    }),
    apiToken: Type.String({
      description:
        'A JWT that reads by the API what this reader may read of the site. It is the same text for the same reader and place until the end of the UTC day, and valid for five minutes more at most.',
    }),
    shareKey: Type.Optional(Type.String({ description: 'The key of the share link in the URL' })),
    contextId: Type.Optional(
      Type.String({ description: 'A hash of the claims of the reader, for caches; absent without claims' }),
    ),
    preview: Type.Optional(Type.Boolean({ description: 'True in a preview of the site' })),
  },
  { title: 'PublishedSiteContent' },
)

const PublishedRedirect = Type.Object(
  {
    target: oneOf(['content', 'external'], {
      description: '`content`: another address of the site; `external`: the sign-in page of its backend',
    }),
    redirect: Type.String(),
  },
  { title: 'PublishedRedirect' },
)
const Lookup = Type.Union([PublishedContent, PublishedRedirect])

const ABOUT =
  'The URL is of a site on the host name of its organization, at a host name of its own, at the origin of its `proxy`, or below `/sites/`. If several organizations name an origin, it leads only members of one of them to a site. It can have the key of a share link, `?preview=` with the token of a preview, `?jwt_token=` and `?visitor.<claim>=`. A former path or name redirects. The response is 404 if the site is not published or not for this reader, and 401 if they have to sign in and there is no sign-in page to send them to.'

export const resolvePublishedContentByUrl = route({
  method: 'POST',
  path: '/v1/urls/published',
  summary: 'Resolve the URL of a published site for a reader',
  description: ABOUT,
  access: anyoneKnown(),
  body: Type.Object({
    url: Address,
    redirectOnError: RedirectOnError,
    visitor: Type.Optional(
      Type.Object({
        jwtToken: Type.Optional(Type.String({ maxLength: LONGEST_JWT })),
        unsignedClaims: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      }),
    ),
  }),
  returns: Lookup,
  audit: false,
  reads: true,
  // It writes nothing, so it needs no transaction.
  async prepare({ db, me, urls, sealing, now, body: { url, redirectOnError, visitor } }) {
    checkClaims('body.visitor.unsignedClaims', visitor?.unsignedClaims)
    return lookUpPublished(
      { db: db.read, me, urls, sealing, now: () => now },
      {
        url: readUrl('body.url', url),
        jwtToken: visitor?.jwtToken,
        unsignedClaims: visitor?.unsignedClaims,
        redirectOnError,
      },
    )
  },
  handler: async ({ prepared }) => prepared,
})

export const getPublishedContentByUrl = route({
  method: 'GET',
  path: '/v1/urls/published',
  summary: 'Resolve the URL of a published site for a reader without claims of their own',
  description: ABOUT,
  access: anyoneKnown(),
  query: Type.Object({
    url: Address,
    visitorAuthToken: Type.Optional(Type.String({ maxLength: LONGEST_JWT })),
    redirectOnError: RedirectOnError,
  }),
  returns: Lookup,
  async handler({ db, me, urls, sealing, now, query: { url, visitorAuthToken, redirectOnError } }) {
    return lookUpPublished(
      { db, me, urls, sealing, now: () => now },
      {
        url: readUrl('query.url', url),
        jwtToken: visitorAuthToken,
        redirectOnError,
      },
    )
  },
})

const ContentAtUrl = Type.Union([
  Type.Object({ collection: Collection }),
  Type.Object({
    space: Space,
    changeRequest: Type.Optional(ChangeRequest),
    page: Type.Optional(Page),
  }),
])

export const getContentByUrl = route({
  method: 'GET',
  path: '/v1/urls/content',
  summary: 'Resolve a URL to the collection, space, change request or page that it names',
  description:
    'The URL is one of the app, of the API, or of a published site. The response is 404 if it names nothing, or nothing that the caller can read by their own rights.',
  access: onContentUrl(),
  query: Type.Object({ url: Address }),
  returns: ContentAtUrl,
  async handler({ db, urls, readable }) {
    for (const named of readable) {
      if (named.kind === 'collection')
        return { collection: toCollection(urls, named.collection.collection, named.collection.role) }
      const found = await inNamedSpace({ db, urls }, named)
      if (found) return found
    }
    throw notFound('content')
  },
})

/** Returns the content that a URL names in a space that the caller can read; undefined if no page is at its path. */
async function inNamedSpace(
  { db, urls }: { db: Reader; urls: Urls },
  named: Extract<ReadableContent, { kind: 'space' }>,
): Promise<Static<typeof ContentAtUrl> | undefined> {
  const { space, role, organizationRole } = named.space
  const changeRequest =
    named.changeRequest === undefined ? undefined : await needChangeRequest(db, space.id, named.changeRequest)
  const revisionId = named.revision ?? changeRequest?.revisionId ?? space.revisionId
  const page = named.path === '' ? undefined : await pageAtUrl(db, urls, space, revisionId, named.path)
  if (named.path !== '' && !page) return undefined
  return {
    space: await toSpace(urls, db, space, role),
    ...(changeRequest
      ? { changeRequest: await toChangeRequest(urls, db, changeRequest, organizationRole !== null) }
      : {}),
    ...(page ? { page } : {}),
  }
}

async function pageAtUrl(
  db: Reader,
  urls: Urls,
  { id, organizationId }: Row<'space'>,
  revisionId: string,
  path: string,
): Promise<Page | undefined> {
  const revision = await needRevision(db, id, revisionId)
  const { shown: tree, ...computed } = await expandedPagesOf(db, organizationId, revision)
  const page = tree.byPath(path) ?? (await redirected(db, revision, tree, path))
  return page && toPage({ urls, revision, tree, metadata: true, computed }, page)
}
