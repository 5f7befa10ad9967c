/** Reverting a page in a change request, and changing the primary content of a live space. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOn, insert, update } from '../batches.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada, organizationId } = world
const PAGE =
  '---\nunknown: 1\n---\n\n# Page\n\nFirst\n\n* a\n* b\n\n{% hint style="info" %}\nInside\n{% endhint %}\n\nLast\n'

/** A change request on a space with these pages: Home; Page, its child Below and grandchild Deep; Last. */
async function imported() {
  const { spaceId, revision } = await spaceWith(
    world,
    archiveOf({
      'SUMMARY.md':
        '# Summary\n\n* [Home](README.md)\n* [Page](page.md)\n  * [Below](below.md)\n    * [Deep](deep.md)\n* [Last](last.md)\n',
      'README.md': '# Home\n',
      'page.md': PAGE,
      'below.md': '# Below\n',
      'deep.md': '# Deep\n',
      'last.md': '# Last\n',
    }),
  )
  const draft = await draftOn(world, spaceId)
  const [home, page, last] = (await ada(`GET /v1/spaces/${spaceId}/content/pages`)).body.pages
  const [below] = page.pages
  return {
    ...draft,
    base: revision,
    ids: { home: home.id, page: page.id, below: below.id, deep: below.pages[0].id, last: last.id },
  }
}
const BEFORE = ['Home', ['Page', [['Below', ['Deep']]]], 'Last']
const revert = (page: string, more: object = {}) => ({ operation: 'revert_page', page, ...more })

test('reverting a page restores its fields, body and position from the base of the change request', async () => {
  const { send, page, tree, markdown, ids } = await imported()
  const before = await page(ids.page)
  await send(
    update(ids.page, { title: 'T', slug: 's', emoji: '1f4d8', document: { markdown: 'x' }, into: ids.home }),
  )
  assert.deepEqual(await tree(), [['Home', [['T', [['Below', ['Deep']]]]]], 'Last'])
  await send(revert(ids.page))
  assert.deepEqual(await tree(), BEFORE)
  assert.deepEqual(await page(ids.page), before)
  assert.equal(await markdown(ids.page), PAGE)
})

test('reverting an added page deletes it with its added descendants and moves other children up', async () => {
  const { made, send, tree, ids } = await imported()
  const [added] = await made(
    insert('# Added', { ref: 'added', at: 1 }),
    insert('# Added below', { into: 'added' }),
    update(ids.last, { into: 'added' }),
  )
  await send(update(ids.deep, { into: added, at: 0 }))
  assert.deepEqual(await tree(), ['Home', ['Added', ['Deep', 'Added below', 'Last']], ['Page', ['Below']]])
  await send(revert(added!))
  assert.deepEqual(await tree(), ['Home', 'Deep', 'Last', ['Page', ['Below']]])
})

test('a page that moves up when its parent is deleted keeps a slug that only the parent had', async () => {
  const { made, send, page, tree, ids } = await imported()
  const [added] = await made(insert('# Last', { slug: 'setup' }))
  await send(update(ids.last, { into: added, slug: 'setup' }), revert(added!))
  assert.deepEqual(await tree(), BEFORE)
  assert.equal((await page(ids.last)).slug, 'setup')
})

test('reverting a deletion restores the page and its descendants, except pages that are elsewhere now', async () => {
  const { send, tree, markdown, ids } = await imported()
  await send({ operation: 'delete_page', page: ids.page })
  assert.deepEqual(await tree(), ['Home', 'Last'])
  const { body } = await send(revert(ids.page))
  assert.deepEqual(
    body.changes.map(({ object }: { object: string }) => object),
    ['created_page', 'created_page', 'created_page'],
  )
  assert.deepEqual(await tree(), BEFORE)
  assert.equal(await markdown(ids.page), PAGE)

  await send(update(ids.deep, { into: null }), { operation: 'delete_page', page: ids.page }, revert(ids.page))
  assert.deepEqual(await tree(), ['Home', ['Page', ['Below']], 'Last', 'Deep'])
  await send({ operation: 'delete_page', page: ids.page }, revert(ids.below))
  assert.deepEqual(await tree(), ['Home', 'Last', 'Deep', 'Below'], 'without its parent it stands above')
})

test('a restored page gets a numbered slug if its slug is taken', async () => {
  const { send, page, ids } = await imported()
  await send(
    { operation: 'delete_page', page: ids.last },
    insert('# New', { slug: 'last' }),
    revert(ids.last),
  )
  assert.equal((await page(ids.last)).slug, 'last-1')
})

test('a page can be reverted to any revision of the space', async () => {
  const { send, revision, markdown, ids } = await imported()
  await send(update(ids.page, { document: { markdown: '# Second' } }))
  const second = await revision()
  await send(update(ids.page, { document: { markdown: '# Third' } }))
  await send(revert(ids.page, { revision: second }))
  assert.equal(await markdown(ids.page), '# Second')
})

test('reverting blocks by key restores them and keeps the rest of the source byte for byte', async () => {
  const { send, document, markdown, ids } = await imported()
  const changed = PAGE.replace('First', 'First, changed')
    .replace('* b', '* b changed')
    .replace('Inside', 'Inside, changed')
    .replace('Last\n', 'Last\n\nAdded\n')
  await send(update(ids.page, { document: { markdown: changed } }))
  const [first, list, hint, , added] = (await document(ids.page)).nodes

  await send(revert(ids.page, { block: [list.key] }))
  assert.equal(await markdown(ids.page), changed.replace('* b changed', '* b'))
  await send(revert(ids.page, { block: [hint.nodes[0].key] }))
  assert.equal(
    await markdown(ids.page),
    changed.replace('* b changed', '* b').replace('Inside, changed', 'Inside'),
  )
  await send(revert(ids.page, { block: [added.key, first.key] }))
  assert.equal(await markdown(ids.page), PAGE)
})

test('reverting restores a deleted block with its key at its old position', async () => {
  const { send, document, markdown, ids } = await imported()
  const [first, list, hint, last] = (await document(ids.page)).nodes
  for (const [key, text] of [
    [first.key, 'First\n\n'],
    [list.key, '* a\n* b\n\n'],
    [hint.key, '{% hint style="info" %}\nInside\n{% endhint %}\n\n'],
    [last.key, '\n\nLast'],
  ]) {
    const without = PAGE.replace(text, '')
    assert.notEqual(without, PAGE)
    await send(update(ids.page, { document: { markdown: without } }))
    await send(revert(ids.page, { block: [key] }))
    assert.equal(await markdown(ids.page), PAGE)
  }
  await send(update(ids.page, { document: {} }))
  await send(revert(ids.page, { block: [list.key] }))
  assert.equal(await markdown(ids.page), '---\nunknown: 1\n---\n\n* a\n* b\n')
})

test('a batch can change the primary content of a live space, but not of a locked one', async () => {
  const space = (await ada(`POST /v1/orgs/${organizationId}/spaces`, { title: 'Live', editMode: 'live' }))
    .body
  const at = `/v1/spaces/${space.id}`
  const plain = await ada(`POST ${at}/content`, { changes: [insert('# One')] })
  assert.equal(plain.status, 200, plain.text)
  assert.deepEqual(plain.body, (await ada(`GET ${at}`)).body)

  const response = await ada(`POST ${at}/content?compat=false`, { changes: [insert('# Two')] })
  assert.deepEqual(Object.keys(response.body), ['space', 'revision', 'changes'])
  const { page } = response.body.changes[0]
  assert.equal(new URL(page.urls.location).pathname, `${at}/content/page/${page.id}`)
  assert.equal((await ada(`GET ${page.urls.location}`)).body.title, 'Two')

  const unsaid = await ada(`POST ${at}/content`, { changes: [revert(page.id)] })
  assert.deepEqual([unsaid.status, unsaid.body.error.details[0].path], [400, 'body.changes.0.revision'])
  const said = await ada(`POST ${at}/content`, {
    changes: [revert(page.id, { revision: plain.body.revision })],
  })
  assert.equal(said.status, 200)
  assert.equal((await ada(`GET ${at}/content/pages`)).body.pages.length, 1)

  await ada(`PATCH ${at}`, { editMode: 'locked' })
  const locked = await ada(`POST ${at}/content`, { changes: [insert('# Three')] })
  assert.equal(locked.status, 409)
  assert.match(locked.body.error.message, /open a change request/)
})
