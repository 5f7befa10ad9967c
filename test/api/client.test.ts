import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientOf, conforms, faultsIn, shapeOf } from '../client.ts'
import { corpusArchive, withoutCorpora } from '../corpus.ts'
import { firstOf } from '../effort.ts'
import { archiveOf, publish, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const client = clientOf(world)

let imported: Promise<{ spaceId: string; revision: string }> | undefined
/** A space with a real documentation, for tests that change nothing in it. */
const elsa = () => (imported ??= spaceWith(world, corpusArchive('elsa-docs')))

test('the client drives a space from creation to a published site', { skip: withoutCorpora }, async () => {
  const { data: user } = await client.user.getAuthenticatedUser()
  conforms('GET', '/user', 200, user)

  const organizations = await client.orgs.listOrganizationsForAuthenticatedUser()
  conforms('GET', '/orgs', 200, organizations.data)
  const { data: organization } = await client.orgs.updateOrganizationById(organizationId, { title: 'Acme' })
  conforms('PATCH', '/orgs/{organizationId}', 200, organization)
  assert.equal((await client.orgs.getOrganizationById(organizationId)).data.title, 'Acme')

  const { data: space } = await client.orgs.createSpace(organizationId, { title: 'Elsa', emoji: '1f4d8' })
  conforms('POST', '/orgs/{organizationId}/spaces', 201, space)
  const { data: storage } = await client.orgs.generateStorageUploadUrl(organizationId, {
    file: { name: 'elsa.zip', type: 'application/zip', size: corpusArchive('elsa-docs').length },
    kind: 'import_file',
  })
  await fetch(storage.url, { method: 'PUT', body: Buffer.from(corpusArchive('elsa-docs')) })
  // The kinds of import of that version do not include archives, so the body follows our description.
  const { data: result } = await client.spaces.importContent(space.id, { url: storage.url, source: 'zip' })
  assert(result.importedResources > 180)

  const { data: read } = await client.spaces.getSpaceById(space.id)
  conforms('GET', '/spaces/{spaceId}', 200, read)
  const { data: revision } = await client.spaces.getCurrentRevision(space.id)
  conforms('GET', '/spaces/{spaceId}/content', 200, revision)
  const { data: byId } = await client.spaces.getRevisionById(space.id, revision.id)
  conforms('GET', '/spaces/{spaceId}/revisions/{revisionId}', 200, byId)
  assert.deepEqual(byId, revision)
  imported ??= Promise.resolve({ spaceId: space.id, revision: revision.id })
  const { data: changes } = await client.spaces.getRevisionSemanticChanges(space.id, revision.id, {
    limit: 500,
  })
  conforms('GET', '/spaces/{spaceId}/revisions/{revisionId}/changes', 200, changes)
  assert(changes.changes.length > 180)

  const { data: files } = await client.spaces.listFiles(space.id, { limit: 3 })
  conforms('GET', '/spaces/{spaceId}/content/files', 200, files)
  const second = await client.spaces.listFiles(space.id, { limit: 3, page: files.next?.page ?? '' })
  assert.notEqual(second.data.items[0]?.id, files.items[0]?.id)

  const { data: page } = await client.spaces.getPageByPath(
    space.id,
    encodeURIComponent('getting-started/concepts'),
  )
  conforms('GET', '/spaces/{spaceId}/content/path/{pagePath}', 200, page)
  const { data: document } = await client.spaces.getPageDocumentInRevisionById(space.id, revision.id, page.id)
  assert.equal(document.object, 'document')

  const { data: site } = await client.orgs.createSite(organizationId, { title: 'Elsa', spaces: [space.id] })
  conforms('POST', '/orgs/{organizationId}/sites', 201, site)
  const { data: published } = await client.orgs.publishSite(organizationId, site.id)
  assert('urls' in published && published.urls.published)
  const { data: content } = await client.orgs.getPublishedContentSite(organizationId, site.id)
  conforms('GET', '/orgs/{organizationId}/sites/{siteId}/published', 200, content)
  const sites = await client.orgs.listSites(organizationId)
  conforms('GET', '/orgs/{organizationId}/sites', 200, sites.data)
})

test('links and backlinks match the client’s description', { skip: withoutCorpora }, async () => {
  const { spaceId } = await elsa()
  const { id } = (await ada(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'Links' })).body
  const { data: links } = await client.spaces.listSpaceLinks(spaceId, { limit: 1000 })
  conforms('GET', '/spaces/{spaceId}/links', 200, links)
  assert(links.stats.total > 100)
  const { data: some } = await client.spaces.listSpaceLinks(spaceId, { limit: 10 })
  conforms('GET', '/spaces/{spaceId}/links', 200, some)
  assert(some.next)
  const { data: broken } = await client.spaces.listChangeRequestLinks(spaceId, id, { brokenContext: 'space' })
  conforms('GET', '/spaces/{spaceId}/change-requests/{changeRequestId}/links', 200, broken)
  assert.equal(broken.count, links.stats.broken.total)

  type Place = { kind: string; page?: { id: string }; file?: { id: string } }
  type Link = { targetReference?: Place; locationReferences: Place[] }
  const toA = (kind: string) =>
    (links.items as Link[]).find((link) => link.targetReference?.kind === kind) as Link
  const page = toA('page').targetReference?.page
  const from = toA('page').locationReferences[0]?.page
  const file = toA('file').targetReference?.file
  const content = { '': '', '/change-requests/{changeRequestId}': `/change-requests/${id}` }
  for (const [path, base] of Object.entries(content)) {
    for (const [rest, thing] of [
      ['page/{pageId}/links', `page/${from?.id}/links`],
      ['page/{pageId}/backlinks', `page/${page?.id}/backlinks`],
      ['files/{fileId}/backlinks', `files/${file?.id}/backlinks`],
    ] as const) {
      const { status, text, body } = await ada(`GET /v1/spaces/${spaceId}${base}/content/${thing}?limit=5`)
      assert.equal(status, 200, text)
      conforms('GET', `/spaces/{spaceId}${path}/content/${rest}`, 200, body)
      assert(body.items.length > 0, rest)
    }
  }
})

test('every page of a corpus matches the client’s description', { skip: withoutCorpora }, async () => {
  const { spaceId, revision } = await elsa()
  const ids: string[] = []
  const collect = (pages: { type: string; id: string; pages?: [] }[]) => {
    for (const page of pages) {
      if (page.type === 'document') ids.push(page.id)
      collect(page.pages ?? [])
    }
  }
  collect((await ada(`GET /v1/spaces/${spaceId}/revisions/${revision}/pages`)).body.pages)
  assert(ids.length > 150)
  const faults = new Set<string>()
  for (const id of firstOf(ids, 15)) {
    const { body } = await ada(`GET /v1/spaces/${spaceId}/content/page/${id}`)
    conforms('GET', '/spaces/{spaceId}/content/page/{pageId}', 200, body)
    for (const fault of faultsIn(body.document)) faults.add(fault)
  }
  assert.deepEqual([...faults], [])
  assert(shapeOf('paragraph') && shapeOf('tabs') && shapeOf('link'), 'there is a shape to check against')
})

test('the result of a batch matches the client’s description', async () => {
  const { data: space } = await client.orgs.createSpace(organizationId, { title: 'Edited' })
  const opened = await ada(`POST /v1/spaces/${space.id}/change-requests`, { subject: 'A change' })
  const batch = await ada(`POST ${opened.body.urls.location}/content`, {
    changes: [
      { operation: 'insert_page', document: { markdown: '---\nicon: bolt\n---\n\n# One' }, ref: 'one' },
      { operation: 'insert_page', document: {}, title: 'Two', into: 'one', hidden: true, emoji: '1f4d8' },
      { operation: 'insert_files', files: [{ name: 'a.txt', base64: 'YQ==', contentType: 'text/plain' }] },
    ],
  })
  conforms('GET', '/spaces/{spaceId}/change-requests/{changeRequestId}', 200, batch.body)
  const { data: revision } = await client.spaces.getRevisionById(space.id, batch.body.revision)
  conforms('GET', '/spaces/{spaceId}/revisions/{revisionId}', 200, revision)
  const { data: page } = await client.spaces.getPageInRevisionById(
    space.id,
    revision.id,
    revision.pages[0].id,
  )
  conforms('GET', '/spaces/{spaceId}/revisions/{revisionId}/page/{pageId}', 200, page)
  assert.deepEqual([page.title, page.pages[0].title, revision.files[0].name], ['One', 'Two', 'a.txt'])
})

test('the client posts comments on a space and on a change request', async () => {
  const archive = archiveOf({ 'README.md': '# Home\n\nA paragraph.\n' })
  const { spaceId } = await spaceWith(world, archive, 'Discussed')
  const { body: change } = await ada(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'A change' })
  const { data: content } = await client.spaces.listPages(spaceId)
  const page: string = content.pages[0].id
  const { data: whole } = await client.spaces.getPageById(spaceId, page, { format: 'document' })
  const node: string = whole.document.nodes[0].key

  const said = (markdown: string) => ({ body: { markdown } })
  const discussions: [name: string, ids: string[], path: string][] = [
    ['Space', [spaceId], '/spaces/{spaceId}'],
    ['ChangeRequest', [spaceId, change.id], '/spaces/{spaceId}/change-requests/{changeRequestId}'],
  ]
  for (const [name, ids, base] of discussions) {
    const call = async (operation: string, ...more: unknown[]) => {
      const { data } = await client.spaces[`${operation}In${name}`](...ids, ...more)
      return data
    }
    const comments = `${base}/comments`
    const replies = `${comments}/{commentId}/replies`
    const comment = await call('postComment', { ...said('Is it?'), page, node })
    conforms('POST', comments, 200, comment)
    assert.deepEqual(comment.target.node, { id: node, preview: 'A paragraph.' })
    const sent = { resolved: true, addedReactions: ['🎉'], ...said('It is') }
    const resolved = await call('updateComment', comment.id, sent)
    conforms('PUT', `${comments}/{commentId}`, 200, resolved)
    assert.equal(resolved.status, 'resolved')
    const reply = await call('postCommentReply', comment.id, said('Yes'))
    conforms('POST', replies, 200, reply)
    const edited = await call('updateCommentReply', comment.id, reply.id, { addedReactions: ['👍'] })
    conforms('PUT', `${replies}/{commentReplyId}`, 200, edited)
    conforms('GET', `${replies}/{commentReplyId}`, 200, await call('getCommentReply', comment.id, reply.id))
    conforms('GET', replies, 200, await call('listCommentReplies', comment.id, { format: 'markdown' }))

    const query = {
      status: 'resolved',
      targetPage: page,
      authors: [ada.id],
      order: 'asc',
      format: 'markdown',
    }
    const listed = await call('listComments', query)
    conforms('GET', comments, 200, listed)
    assert.deepEqual(listed.items[0].body, { markdown: 'It is' })
    conforms('GET', `${comments}/{commentId}`, 200, await call('getComment', comment.id))
    conforms('GET', `${base}/commenters`, 200, await call('listCommenters'))
    await call('deleteCommentReply', comment.id, reply.id)
    await call('deleteComment', comment.id)
    assert.deepEqual((await call('listComments')).items, [])
  }
})

test('the client understands errors', async () => {
  await assert.rejects(
    client.spaces.getSpaceById('nothing'),
    (error: Error & { code?: number; statusCode?: number }) => {
      assert.match(error.message, /does not exist/)
      return true
    },
  )
  await assert.rejects(client.orgs.createSpace(organizationId, { title: 'x'.repeat(60) }), /body\.title/)
  assert(
    (await publish(world, (await ada(`POST /v1/orgs/${organizationId}/spaces`)).body.id, 'Empty')).address,
  )
})

test('the client sets merge rules, requests reviews and submits one', async () => {
  const { data: space } = await client.orgs.createSpace(organizationId, { title: 'Reviewed' })
  const users = [ada.id]
  const mergeRules = {
    type: 'rules',
    rules: [
      { rule: 'require_specific_reviewers', users },
      { rule: 'allow_bypass', users },
      { rule: 'require_up_to_date_change_request' },
      { rule: 'custom', expression: 'reviews.length > 0' },
    ],
  }
  const { data: guarded } = await client.spaces.updateSpaceById(space.id, { mergeRules })
  conforms('PATCH', '/spaces/{spaceId}', 200, guarded)
  assert.deepEqual(guarded.mergeRules, mergeRules)
  const { data: organization } = await client.orgs.updateOrganizationById(organizationId, { mergeRules })
  conforms('PATCH', '/orgs/{organizationId}', 200, organization)
  assert.deepEqual(organization.mergeRules, mergeRules)
  await client.orgs.updateOrganizationById(organizationId, { mergeRules: { type: 'none' } })

  const base = '/spaces/{spaceId}/change-requests/{changeRequestId}'
  const { data: change } = await client.spaces.createChangeRequest(space.id, { subject: 'A change' })
  const asking = { users, subject: 'Please review' }
  const requested = await client.spaces.requestReviewersForChangeRequest(space.id, change.id, asking)
  conforms('POST', `${base}/requested-reviewers`, 200, requested.data)
  const waiting = await client.spaces.getRequestedReviewersByChangeRequestId(space.id, change.id)
  conforms('GET', `${base}/requested-reviewers`, 200, waiting.data)
  assert.equal(waiting.data.items[0].user.id, ada.id)

  const sent = { status: 'approved', comment: { markdown: 'Good' } }
  const { data: review } = await client.spaces.submitChangeRequestReview(space.id, change.id, sent)
  conforms('POST', `${base}/reviews`, 201, review)
  assert.equal(review.requestedBy.id, ada.id)
  const query = { format: 'markdown', outdated: false }
  const { data: reviews } = await client.spaces.getReviewsByChangeRequestId(space.id, change.id, query)
  conforms('GET', `${base}/reviews`, 200, reviews)
  assert.deepEqual(reviews.items[0].comment.body, { markdown: 'Good' })
  await client.spaces.requestReviewersForChangeRequest(space.id, change.id, { users })
  await client.spaces.removeRequestedReviewerFromChangeRequest(space.id, change.id, ada.id)
  assert.equal(
    (await client.spaces.getRequestedReviewersByChangeRequestId(space.id, change.id)).data.count,
    0,
  )
})
