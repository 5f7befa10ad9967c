import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiveOf, importArchive } from '../importing.ts'
import { createWorld } from '../world.ts'
import { discussedSpace, post, said } from './discussing.ts'

const world = await createWorld()
const { ada } = world
const one = await discussedSpace(world, 'One')
const other = await discussedSpace(world, 'Other')
const cy = await world.person('cy', 'comment')
const bases = [one.space, one.changeRequest]

test('a comment names its page and block, and quotes the block', async () => {
  const page = one.pageOf('Install')
  const block = (await one.blocksOf(page))('paragraph')
  const { target } = await post(cy, one.space, { ...said('Which one?'), page, node: block })
  assert.deepEqual(target.node, { id: block, preview: 'A computer, and a screen.' })
  const { createdAt, updatedAt, ...shown } = target.page
  assert.deepEqual(shown, { id: page, title: 'Install', path: 'install', outdated: false })
  assert(createdAt && updatedAt)

  const hint = (await one.blocksOf(page))('hint')
  const onHint = await post(cy, one.space, { ...said('Does it?'), page, node: hint })
  assert.equal(onHint.target.node.preview, 'A mouse helps.')
})

test('refuses a target that is not in the content', async () => {
  const [page, home] = [one.pageOf('Install'), one.pageOf('Home')]
  const block = (await one.blocksOf(page))('paragraph')
  const refused: [object, RegExp][] = [
    [{ node: block }, /body\.page/],
    [{ page: 'nothing' }, /body\.page/],
    [{ page: other.pageOf('Install') }, /body\.page/],
    [{ page, node: 'nothing' }, /body\.node/],
    [{ page: home, node: block }, /body\.node/],
    [{ page, node: '' }, /node/],
    [{ page, node: 'x'.repeat(1000) }, /node/],
    [{ page: '__proto__' }, /body\.page/],
  ]
  for (const base of bases) {
    for (const [fields, message] of refused) {
      const answer = await cy(`POST ${base}/comments`, { ...said('x'), ...fields })
      assert.equal(answer.status, 400, JSON.stringify(fields))
      assert.match(answer.body.error.message, message)
    }
  }
})

test('a comment follows its block, and stays readable when its page is deleted', async () => {
  const fresh = await discussedSpace(world, 'Moving')
  await ada(`PATCH ${fresh.space}`, { editMode: 'live' })
  const page = fresh.pageOf('Install')
  const blocks = await fresh.blocksOf(page)
  const fields = { ...said('Here'), page }
  const onPage = await post(cy, fresh.space, fields)
  const onHeading = await post(cy, fresh.space, { ...fields, node: blocks('heading-1') })
  const onParagraph = await post(cy, fresh.space, { ...fields, node: blocks('paragraph') })
  const before = await post(cy, fresh.changeRequest, { ...fields, node: blocks('paragraph') })
  const targetOf = async (base: string, { id }: { id: string }) =>
    (await cy(`GET ${base}/comments/${id}`)).body.target

  const edited = { 'install.md': '# Setting up\n\nNew.\n\n## Needs\n\nA computer, and two screens.\n' }
  assert.equal((await importArchive(world, fresh.spaceId, archiveOf(edited))).status, 201)
  const outdated = async (comment: { id: string }) => (await targetOf(fresh.space, comment)).page.outdated
  assert.deepEqual(
    [await outdated(onPage), await outdated(onHeading), await outdated(onParagraph)],
    [false, false, false],
  )
  const { page: shown, node, revision } = await targetOf(fresh.space, onParagraph)
  assert.equal(shown.title, 'Setting up')
  assert.equal(node.preview, 'A computer, and a screen.')
  assert.equal(revision, onParagraph.target.revision)
  // The change request does not include that change.
  assert.equal((await targetOf(fresh.changeRequest, before)).page.outdated, false)

  const deleted = { changes: [{ operation: 'delete_page', page }] }
  assert.equal((await ada(`POST ${fresh.space}/content`, deleted)).status, 200)
  const gone = await targetOf(fresh.space, onHeading)
  assert.deepEqual(
    { title: gone.page.title, path: gone.page.path, outdated: gone.page.outdated },
    { title: 'Install', path: 'install', outdated: true },
  )
  const listed = (await cy(`GET ${fresh.space}/comments?targetPage=${page}`)).body
  assert.equal(listed.count, 3)
})
