/** Groups and links in the page tree, inserted and changed by batches. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOn, insert, update } from '../batches.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada } = world
const group = (title: string, more: object = {}) => ({ operation: 'insert_group', title, ...more })
const link = (title: string, target: object, more: object = {}) => ({
  operation: 'insert_link',
  title,
  target,
  ...more,
})
const web = { kind: 'url', url: 'https://example.com/' }

test('groups and links are inserted at their place, with their fields, and pages go into a new group', async () => {
  const { send, tree, page } = await draftOn(world)
  const looks = { emoji: '1f4d8', icon: 'book', hidden: true, linkTitle: 'Short', condition: 'true' }
  const { status, body, text } = await send(
    insert('# Home'),
    group('The  Guides', { ref: 'guides', at: 0, noIndex: true, noRobotsIndex: true, ...looks }),
    insert('# Setup', { into: 'guides', ref: 'setup' }),
    link('Website', web, { into: 'guides', at: 0, ...looks }),
    link('To the setup', { kind: 'page', page: 'setup' }),
  )
  assert.equal(status, 200, text)
  assert.deepEqual(await tree(), [['The Guides', ['Website', 'Setup']], 'Home', 'To the setup'])
  const [, made, setup, website, inside] = body.changes
  assert.deepEqual([made.object, made.ref], ['created_page', 'guides'])

  const { type, slug, path, noIndex, noRobotsIndex, ...shown } = await page(made.page.id)
  assert.deepEqual([type, slug, path], ['group', 'the-guides', 'the-guides'])
  const looksOf = ({ emoji, icon, hidden, linkTitle, condition }: Record<string, unknown>) => ({
    emoji,
    icon,
    hidden,
    linkTitle,
    condition,
  })
  assert.deepEqual([noIndex, noRobotsIndex, looksOf(shown)], [true, true, looks])
  const out = await page(website.page.id)
  assert.deepEqual([out.type, out.target, out.href, looksOf(out)], ['link', web, web.url, looks])
  assert.deepEqual((await page(inside.page.id)).target, { kind: 'page', page: setup.page.id })
  assert.equal((await page(setup.page.id)).path, 'the-guides/setup')
})

test('title, target, emoji and icon of groups and links can change, merge, and be reverted', async () => {
  const { made, spaceId, changeRequest } = await draftOn(world)
  const [page, part, out] = await made(insert('# Home'), group('Part'), link('Out', web))
  const merge = (id: string) => ada(`POST /v1/spaces/${spaceId}/change-requests/${id}/merge`)
  assert.equal((await merge(changeRequest.id)).status, 200)

  const [left, right] = [await draftOn(world, spaceId), await draftOn(world, spaceId)]
  const target = { kind: 'anchor', anchor: 'top', page }
  await left.send(update(part!, { title: 'Section', icon: 'bolt' }), update(out!, { target }))
  await right.send(update(part!, { emoji: '1f4d8' }), update(out!, { title: 'Elsewhere' }))
  assert.equal((await merge(left.changeRequest.id)).body.result, 'merge')
  assert.equal((await merge(right.changeRequest.id)).body.result, 'merge')
  const { pages } = (await ada(`GET /v1/spaces/${spaceId}/content/pages`)).body
  const { title, icon, emoji } = pages[1]
  assert.deepEqual([title, icon, emoji], ['Section', 'bolt', '1f4d8'])
  assert.deepEqual([pages[2].title, pages[2].target], ['Elsewhere', target])

  const back = await draftOn(world, spaceId)
  await back.send(update(out!, { target: web }), { operation: 'delete_page', page: part })
  await back.send(...[out, part].map((id) => ({ operation: 'revert_page', page: id })))
  assert.deepEqual((await back.page(out!)).target, target)
  assert.equal((await back.page(part!)).title, 'Section')
})

test('a target that is a path is resolved, and a target that does not exist is a broken link', async () => {
  const { made, page } = await draftOn(world)
  const [setup] = await made(insert('# Setup'))
  const [there, lost] = await made(
    link('There', { kind: 'url', url: 'setup.md#top' }),
    link('Lost', { kind: 'url', url: 'lost.md' }),
  )
  assert.deepEqual((await page(there!)).target, { kind: 'anchor', anchor: 'top', page: setup })
  assert.deepEqual((await page(lost!)).target, { kind: 'url', url: 'lost.md' })
})

test('invalid groups and links are refused, and the error names the field', async () => {
  const { made, send } = await draftOn(world)
  const [home, part, out] = await made(insert('# Home'), group('Part'), link('Out', web))
  const refused: [object, string][] = [
    [group(''), 'title'],
    [{ operation: 'insert_group' }, 'title'],
    [group('A', { slug: 'part' }), 'slug'],
    [group('A', { into: home }), 'into'],
    [group('A', { description: 'a' }), 'description'],
    [group('A', { target: web }), 'target'],
    [{ operation: 'insert_link', title: 'A' }, 'target'],
    [{ operation: 'insert_link', target: web }, 'title'],
    [link('A', { kind: 'url', url: 'javascript:alert(1)' }), 'target'],
    [link('A', { kind: 'url', url: ' ' }), 'target'],
    [link('A', { kind: 'page' }), 'target'],
    [link('A', { kind: 'poem' }), 'target.kind'],
    [link('A', web, { slug: 'a' }), 'slug'],
    [link('A', web, { into: out }), 'into'],
    [link('A', web, { tags: [{ tag: 'a' }] }), 'tags'],
    [update(part!, { layout: { width: 'wide' } }), 'layout'],
    [update(out!, { cover: { ref: web } }), 'cover'],
    [update(out!, { target: null }), 'target'],
  ]
  for (const [change, field] of refused) {
    const { status, body } = await send(insert('# Two'), change)
    assert.equal(status, 400, JSON.stringify(change))
    assert.equal(body.error.details[0].path, `body.changes.1.${field}`, body.error.message)
  }
})

test('a condition in the address of a link or a redirect is refused, also if it is encoded', async () => {
  const { made, send } = await draftOn(world)
  const [out = ''] = await made(link('Out', web))
  const condition = '{% if visitor.claims.plan %}zq{% endif %}'
  for (const part of [
    condition,
    encodeURIComponent(condition),
    encodeURIComponent('{%- if visitor.claims.a -%}'),
  ]) {
    const target = { kind: 'url', url: `https://example.com/${part}` }
    for (const change of [
      link('L', target),
      update(out, { target }),
      { operation: 'update_redirects', redirects: { 'old/page': target } },
    ]) {
      const { status, text } = await send(change)
      assert.equal(status, 400, text)
    }
  }
  for (const part of ['%7B%25', '%20%25', '?q=%7B%25%20if%20a%20%25%7D', '%E0%A4%A'])
    assert.equal(
      (await send(link('L', { kind: 'url', url: `https://example.com/${part}` }))).status,
      200,
      part,
    )
})
