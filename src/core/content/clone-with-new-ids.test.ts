import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cloneWithNewIds } from './clone-with-new-ids.ts'
import type { FileRecord, PageRecord, ReusableRecord } from './revision.ts'

const at = '2026-01-01T00:00:00.000Z'
const id = (name: string) => name.padEnd(22, '0')
const page = (name: string, more: Partial<PageRecord> = {}): PageRecord => ({
  id: id(name),
  type: 'document',
  parent: null,
  order: 'i',
  title: name,
  slug: name,
  createdAt: at,
  updatedAt: at,
  ...more,
})
const file: FileRecord = {
  id: id('image'),
  name: 'a.png',
  contentType: 'image/png',
  size: 1,
  hash: 'h',
  path: 'a.png',
  createdAt: at,
}
const reusable: ReusableRecord = { id: id('part'), title: 'Part', path: 'part.md' }
const pages = [
  page('top', { file: 'top.md', cover: { ref: { kind: 'file', file: id('image') } } as never }),
  page('low', { parent: id('top'), type: 'link', target: { kind: 'anchor', anchor: 'x', page: id('top') } }),
  page('far', { target: { kind: 'page', page: id('top'), space: id('other') } }),
]

function renewed() {
  let count = 0
  return cloneWithNewIds(
    {
      pages: new Map(pages.map((one) => [one.id, one])),
      files: new Map([[file.id, file]]),
      reusables: new Map([[reusable.id, reusable]]),
    },
    { from: id('old'), to: id('new') },
    () => id(`fresh${++count}x`),
  )
}

test('everything has a new id, and parents, covers and targets lead to it', () => {
  const copy = renewed()
  const byTitle = new Map([...copy.pages.values()].map((one) => [one.title, one]))
  const [top, low, far] = ['top', 'low', 'far'].map((title) => byTitle.get(title)!)
  const [image] = copy.files.keys()
  const old = new Set([...pages.map((one) => one.id), file.id, reusable.id])
  for (const key of [...copy.pages.keys(), ...copy.files.keys(), ...copy.reusables.keys()])
    assert(!old.has(key))
  assert.equal(low?.parent, top?.id)
  assert.deepEqual(top?.cover?.ref, { kind: 'file', file: image })
  assert.equal(top?.file, 'top.md')
  assert.deepEqual(low?.target, { kind: 'anchor', anchor: 'x', page: top?.id })
  assert.deepEqual(far?.target, pages[2]?.target)
})

test('addresses in sources follow; those of other spaces and unknown ones stay', () => {
  const { renewSource, pages: copies, files } = renewed()
  const top = [...copies.values()].find(({ title }) => title === 'top')?.id
  const [image] = files.keys()
  assert.equal(renewSource(`[a](/pages/${id('top')}#x)`), `[a](/pages/${top}#x)`)
  assert.equal(renewSource(`![b](/files/${id('image')})`), `![b](/files/${image})`)
  assert.equal(
    renewSource(`[c](/spaces/${id('old')}/pages/${id('top')})`),
    `[c](/spaces/${id('new')}/pages/${top})`,
  )
  assert.equal(renewSource(`[d](/spaces/${id('old')})`), `[d](/spaces/${id('new')})`)
  for (const same of [
    `[e](/spaces/${id('other')}/pages/${id('top')})`,
    `[f](/spaces/${id('other')})`,
    `[g](/pages/${id('unknown')})`,
    `[h](/files/${id('top')})`,
    '[i](../pages/other.md)',
  ])
    assert.equal(renewSource(same), same)
})
