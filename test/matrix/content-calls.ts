/** Requests that read, change, propose and review content. */
import { changeRequest, content, inOrg, type Make, org, space, withBody } from './makers.ts'
import { OPENAPI_CALLS } from './openapi-calls.ts'
import { REPOSITORY_CALLS } from './repository-calls.ts'
import type { Things } from './things.ts'

interface BatchIds {
  pageId: string
  revisionId: string
  fileId: string
  reusableContentId: string
}

/** A batch with every reference that a change can contain. */
const batch =
  (line: (t: Things) => Promise<BatchIds & Record<string, string>>): Make =>
  async (t, { person }) => {
    const params = await line(t)
    const { pageId: page, revisionId: revision, fileId: file, reusableContentId: reusableContent } = params
    const files = [{ name: 'a.md', upload: await t.uploadOf(person.id) }]
    return {
      params,
      body: {
        revision,
        changes: [
          { operation: 'insert_page', document: { markdown: '# New' }, into: page },
          { operation: 'update_page', page, title: 'Renamed' },
          { operation: 'revert_page', page, revision },
          { operation: 'insert_files', files },
          { operation: 'update_redirects', redirects: { old: { kind: 'page', page } } },
          { operation: 'delete_page', page },
          { operation: 'update_file', file, upload: await t.uploadOf(person.id) },
          { operation: 'delete_files', files: [file] },
          { operation: 'update_reusable_content', reusableContent, title: 'Renamed' },
          { operation: 'delete_reusable_content', reusableContent },
        ],
      },
    }
  }

/** The changes of one page. */
const changesOf =
  (line: (t: Things) => Promise<{ pageId: string } & Record<string, string>>): Make =>
  async (t) => {
    const params = await line(t)
    return { params, query: { pageId: params.pageId } }
  }

/** The pages below a page. */
const levelOf =
  (line: (t: Things) => Promise<{ pageId: string } & Record<string, string>>): Make =>
  async (t) => {
    const params = await line(t)
    return { params, query: { parent: params.pageId } }
  }
const PRESENT = { client: 'tab', state: 'editing', block: 'some' }

export const CONTENT_CALLS: Record<string, Make | Make[]> = {
  ...OPENAPI_CALLS,
  ...REPOSITORY_CALLS,
  getCurrentRevision: content,
  highlightCode: withBody(content, { blocks: [{ code: 'return 1', syntax: 'js' }] }),
  convertMarkdown: withBody(content, { markdown: '# Part' }),
  convertDocument: withBody(content, { document: { object: 'document', data: {}, nodes: [] } }),
  listPages: content,
  listPageOutline: levelOf((t) => t.content().then(({ params }) => params)),
  listFiles: content,
  listReusableContents: content,
  getFileById: content,
  getPageById: content,
  getPageByPath: content,
  getPageDocument: content,
  listSpacePageMetaLinks: content,
  getEmbedByUrlInSpace: async (t) => ({
    params: (await t.content()).params,
    // No request is sent for an address that is not public.
    query: { url: 'http://10.0.0.1/page' },
  }),
  getDocumentById: content,
  getReusableContentById: content,
  getReusableContentDocument: content,
  getRevisionById: content,
  listPagesInRevisionById: content,
  listPageOutlineInRevision: levelOf((t) => t.content().then(({ params }) => params)),
  listReusableContentsInRevision: content,
  listFilesInRevisionById: content,
  getFileInRevisionById: content,
  getPageInRevisionById: content,
  getPageInRevisionByPath: content,
  getPageDocumentInRevisionById: content,
  listRevisionPageMetaLinks: content,
  getReusableContentInRevisionById: content,
  getReusableContentDocumentInRevisionById: content,
  listPageLinksInSpace: content,
  listSpacePageBacklinks: content,
  listSpaceFileBacklinks: content,
  listSpaceReusableContentBacklinks: content,
  listSpaceLinks: content,
  searchSpaceContent: async (t) => ({ params: (await t.content()).params, query: { query: 'word' } }),
  listPageLinksInChangeRequest: changeRequest,
  listChangeRequestPageBacklinks: changeRequest,
  listChangeRequestFileBacklinks: changeRequest,
  listChangeRequestReusableContentBacklinks: changeRequest,
  listChangeRequestLinks: changeRequest,
  listRevisions: content,
  listPageRevisionsInSpace: content,
  listPageRevisionsInChangeRequest: changeRequest,
  listChangeRequestRevisions: changeRequest,
  getRevisionSummary: async (t) => ({ params: (await t.content()).params }),
  getRevisionSemanticChanges: changesOf((t) => t.content().then(({ params }) => params)),
  restoreRevision: [
    async (t) => ({ params: await t.edited('live') }),
    async (t) => ({ params: await t.edited('locked'), asks: 'space: review' }),
    async (t) => ({
      params: await t.edited('locked', [{ rule: 'require_at_least_one_review' }]),
      asks: 'space: admin',
    }),
  ],
  importContentInPageById: async (t) => {
    const { spaceId, pageId } = await t.live()
    return { params: { spaceId, pageId }, body: { url: (await t.upload(true)).url, source: 'markdown' } }
  },
  importContent: [
    async (t) => ({
      params: { spaceId: await t.space() },
      body: { url: (await t.upload(true)).url, source: 'markdown' },
    }),
    async (t) => {
      const { spaceId, revisionId } = await t.edited('live')
      const sync = { kind: 'archive', key: '0'.repeat(64), name: 'a.md', exported: revisionId }
      return { params: { spaceId }, body: { url: (await t.upload(true)).url, source: 'markdown', sync } }
    },
  ],
  getImportProgress: async (t) => ({ params: { spaceId: await t.space() } }),
  getSpaceGitInfo: async (t) => {
    const sync = { kind: 'archive', key: '0'.repeat(64), name: 'a.md' }
    const { spaceId } = await t.edited('live', [], { sync })
    return { params: { spaceId } }
  },
  updateContent: batch((t) => t.live()),
  updateContentInChangeRequest: batch((t) => t.changeRequest()),
  downloadFile: async (t) => {
    const { params, signature } = await t.content()
    return { params, query: { signature } }
  },

  exportContent: async (t) => {
    const { params } = await t.content()
    return { params: { spaceId: params.spaceId } }
  },
  getSpacePdf: async (t) => {
    const { params } = await t.content()
    return { params, query: { page: params.pageId, only: 'true' } }
  },
  getChangeRequestPdf: async (t) => {
    const params = await t.changeRequest()
    return { params, query: { page: params.pageId, only: 'true' } }
  },
  downloadBook: async (t) => {
    // Its cover has the title, so the file of each organization is another one.
    const spaceId = await t.space({ title: `Book of ${t.organizationId}` })
    const { body } = await t.admin(`GET /v1/spaces/${spaceId}/pdf`)
    const { pathname, searchParams } = new URL(body.url as string)
    const [hash = '', name = ''] = pathname.split('/').slice(-2)
    return {
      params: { spaceId, hash, name: decodeURIComponent(name) },
      query: Object.fromEntries(searchParams),
    }
  },

  createChangeRequest: withBody(space, { subject: 'A change' }),
  getChangeRequestById: changeRequest,
  listenToSpace: space,
  listenToChangeRequest: changeRequest,
  updatePresenceInSpace: async (t) => {
    const { pageId, ...params } = (await t.content()).params
    return { params, body: { ...PRESENT, page: pageId } }
  },
  updatePresenceInChangeRequest: async (t) => {
    const { pageId, ...params } = await t.changeRequest()
    return { params, body: { ...PRESENT, page: pageId } }
  },
  listChangeRequestsForSpace: [
    space,
    async (t) => ({
      params: { spaceId: await t.space() },
      query: {
        creator: await t.member(),
        contributor: await t.member(),
        requestedReviewer: await t.member(),
      },
    }),
  ],
  listChangeRequestsForOrganization: [
    org,
    async (t) => ({
      params: inOrg(t),
      query: {
        creator: await t.member(),
        contributor: await t.member(),
        requestedReviewer: await t.member(),
        space: await t.space(),
      },
    }),
  ],
  updateChangeRequestById: [
    withBody(changeRequest, { subject: 'Another change', status: 'open' }),
    // Created by another user.
    async (t) => ({
      params: await t.changeRequest(),
      body: { status: 'archived' },
      asks: 'space: review',
    }),
  ],

  updateChangeRequest: changeRequest,
  checkChangeRequestMerge: async (t) => ({ params: await t.proposed() }),
  mergeChangeRequest: async (t) => ({ params: await t.proposed() }),
  getContributorsByChangeRequestId: changeRequest,
  getChangeRequestChanges: changesOf((t) => t.changeRequest()),
  listMergeConflicts: changeRequest,
  resolveMergeConflict: [
    async (t) => ({ params: await t.conflict(), body: { side: 'own' } }),
    async (t) => ({ params: await t.conflict(), body: { content: 'More' } }),
  ],
  reopenMergeConflict: async (t) => ({ params: await t.resolvedConflict() }),

  getRevisionOfChangeRequestById: changeRequest,
  listPagesInChangeRequest: changeRequest,
  listPageOutlineInChangeRequest: levelOf((t) => t.changeRequest()),
  listReusableContentsInChangeRequest: changeRequest,
  listFilesInChangeRequestById: changeRequest,
  getFileInChangeRequestById: changeRequest,
  getPageInChangeRequestById: changeRequest,
  getPageInChangeRequestByPath: changeRequest,
  getPageDocumentInChangeRequestById: changeRequest,
  listChangeRequestPageMetaLinks: changeRequest,
  getReusableContentInChangeRequestById: changeRequest,
  getReusableContentDocumentInChangeRequestById: changeRequest,
  importContentInChangeRequest: async (t) => ({
    params: await t.changeRequest(),
    body: { url: (await t.upload(true)).url, source: 'markdown' },
  }),
  importContentInChangeRequestPageById: async (t) => ({
    params: await t.changeRequest(),
    body: { url: (await t.upload(true)).url, source: 'markdown' },
  }),
  getReviewsByChangeRequestId: changeRequest,
  submitChangeRequestReview: [
    withBody(changeRequest, { status: 'approved', comment: { markdown: 'Good' } }),
    async (t) => {
      const params = await t.changeRequest()
      return { params, body: { status: 'approved', revision: params.revisionId } }
    },
    async (t) => {
      const params = await t.changeRequest()
      const comments = [{ body: { markdown: 'Here' }, page: params.pageId }]
      return { params, body: { status: 'approved', comments } }
    },
  ],
  getChangeRequestReviewDraft: async (t, { person }) => ({ params: await t.reviewDraft(person.id) }),
  saveChangeRequestReviewDraft: withBody(changeRequest, {
    comment: { markdown: 'Good' },
    comments: [{ body: { markdown: 'Here' } }],
  }),
  deleteChangeRequestReviewDraft: async (t, { person }) => ({ params: await t.reviewDraft(person.id) }),
  getChangeRequestReviewById: async (t) => ({ params: await t.review() }),
  getRequestedReviewersByChangeRequestId: changeRequest,
  requestReviewersForChangeRequest: async (t) => ({
    params: await t.changeRequest(),
    body: { users: [await t.member()], subject: 'Please review' },
  }),
  removeRequestedReviewerFromChangeRequest: async (t) => {
    const [params, userId] = [await t.changeRequest(), await t.member()]
    await t.askForReview(params, userId)
    return { params: { ...params, userId } }
  },
}
