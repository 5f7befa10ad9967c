/** The variables and redirects of a space, changed by batches. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftOn, insert } from '../batches.ts'
import { archiveOf, spaceWith } from '../importing.ts'
import { createWorld } from '../world.ts'

const world = await createWorld()
const { ada } = world
const variables = (values: object) => ({ operation: 'update_variables', variables: values })
const redirects = (values: object) => ({ operation: 'update_redirects', redirects: values })
const toPage = (page: string) => ({ kind: 'page', page })
const web = { kind: 'url', url: 'https://example.com/old' }

/** A draft of a space with variables and redirects. */
async function draft(space?: string) {
  const files = {
    'README.md': '# Home\n',
    'setup.md': '# Setup\n',
    '.gitbook.yaml': 'redirects:\n  old/setup: setup.md\n  gone: https://example.com/gone\n',
    '.gitbook/vars.yaml': 'plan: free\nseats: 3\n',
  }
  const one = await draftOn(world, space ?? (await spaceWith(world, archiveOf(files))).spaceId)
  const base = `/v1/spaces/${one.spaceId}/change-requests/${one.changeRequest.id}`
  const content = async () => (await ada(`GET ${base}/content`)).body
  return {
    ...one,
    base,
    content,
    at: (path: string) => ada(`GET ${base}/content/path/${encodeURIComponent(path)}`),
  }
}

test('variables are set and removed by name, and the others stay', async () => {
  const { send, content } = await draft()
  assert.deepEqual((await content()).variables, { plan: 'free', seats: 3 })
  const { status, body } = await send(variables({ plan: 'team', trial: false }), variables({ seats: null }))
  assert.equal(status, 200)
  assert.deepEqual(body.changes, [])
  assert.deepEqual((await content()).variables, { plan: 'team', trial: false })

  const { id } = await content()
  await send(variables({ plan: 'team', never: null }))
  assert.equal((await content()).id, id, 'nothing changed')
  await send(variables({ plan: null, trial: null }))
  assert.equal((await content()).variables, undefined)
})

test('redirects lead from old paths to pages and URLs, and are removed by path', async () => {
  const { send, content, at } = await draft()
  const imported = (await content()).redirects
  const setup = imported['old/setup'].page
  assert.deepEqual(imported, {
    'old/setup': toPage(setup),
    gone: { kind: 'url', url: 'https://example.com/gone' },
  })

  const made = await send(
    insert('# New', { ref: 'new' }),
    redirects({ '/Früher/neu/': toPage('new'), elsewhere: web, 'OLD/Setup': toPage('new'), gone: null }),
  )
  assert.equal(made.status, 200, made.text)
  const fresh = made.body.changes[0].page.id
  assert.deepEqual((await content()).redirects, {
    'old/setup': toPage(fresh),
    'Früher/neu': toPage(fresh),
    elsewhere: web,
  })
  assert.equal((await at('früher/NEU')).body.id, fresh)
  assert.equal((await at('old/setup')).body.id, fresh)

  await send({ operation: 'delete_page', page: fresh })
  assert.deepEqual((await content()).redirects['old/setup'], { kind: 'url', url: 'new.md' })
  assert.equal((await at('old/setup')).status, 404)
})

test('changes of different names merge, and changes of the same name are a conflict', async () => {
  const first = await draft()
  const [left, right] = [await draft(first.spaceId), await draft(first.spaceId)]
  await left.send(variables({ plan: 'left' }), redirects({ left: web }))
  await right.send(variables({ plan: 'right', seats: 4 }), redirects({ right: web, gone: null }))
  assert.equal((await ada(`POST ${left.base}/merge`)).body.result, 'merge')
  assert.equal((await ada(`POST ${right.base}/merge`)).body.result, 'conflicts')
  const { items } = (await ada(`GET ${right.base}/conflicts`)).body
  assert.deepEqual(
    items.map(({ field, name }: { field: string; name: string }) => [field, name]),
    [['variables', 'plan']],
  )
  const now = await right.content()
  assert.equal(now.variables.seats, 4)
  assert.deepEqual(Object.keys(now.redirects).toSorted(), ['left', 'old/setup', 'right'])
})

test('invalid names, values and targets are refused, and the error names them', async () => {
  const { send, content } = await draft()
  const [home] = (await content()).pages
  const made = await send({ operation: 'insert_group', title: 'Part' })
  const group = made.body.changes[0].page.id
  const many = Object.fromEntries(Array.from({ length: 999 }, (_, i) => [`v${i}`, i]))
  const refused: [object, string][] = [
    [variables({ '1a': 'a' }), 'variables'],
    [variables({ 'a b': null }), 'variables'],
    [variables({ a: 'a'.repeat(257) }), 'variables.a'],
    [variables({ a: ['a'] }), 'variables.a'],
    [variables(many), 'variables'],
    [{ operation: 'update_variables' }, 'variables'],
    [redirects({ '': web }), 'redirects'],
    [redirects({ ' / ': web }), 'redirects'],
    [redirects({ 'https://example.com/a': web }), 'redirects'],
    [redirects({ 'a?b': web }), 'redirects'],
    [redirects({ ['a'.repeat(2049)]: web }), 'redirects'],
    [redirects({ a: { kind: 'url', url: 'javascript:alert(1)' } }), 'redirects.a'],
    [redirects({ a: { kind: 'url', url: 'setup.md' } }), 'redirects.a'],
    [redirects({ a: { kind: 'file', file: 'a' } }), 'redirects.a'],
    [redirects({ a: { kind: 'page', page: home.id, space: 'other' } }), 'redirects.a'],
    [redirects({ a: toPage('nothing') }), 'redirects.a'],
    [redirects({ a: toPage(group) }), 'redirects.a'],
    [redirects({ a: 'setup' }), 'redirects.a'],
    [redirects(Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`r${i}`, web]))), 'redirects'],
  ]
  for (const [change, field] of refused) {
    const { status, body } = await send(insert('# Two'), change)
    assert.equal(status, 400, JSON.stringify(change).slice(0, 200))
    assert.equal(body.error.details[0].path, `body.changes.1.${field}`, body.error.message)
  }
})
