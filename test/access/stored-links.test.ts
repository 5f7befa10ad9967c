/** A link that was stored with a condition in its address, before such addresses were refused, is shown to nobody. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANONYMOUS, hiddenPages } from '../../src/access/visitors/visitors.ts'
import type { PageRecord } from '../../src/core/content/revision.ts'
import { indexTree } from '../../src/core/content/tree/tree.ts'

test('a link with a condition in its address is hidden, also if it is encoded', async () => {
  const condition = '{% if visitor.claims.a %}x{% endif %}'
  const urls = ['', condition, encodeURIComponent(condition), '%7B%25']
  const records = urls.map((part, at) => {
    const target = { kind: 'url', url: `https://example.com/${part}` } as const
    const record = { id: `p${at}`, type: 'link', parent: null, title: 'L', slug: '', order: `${at}`, target }
    return record as unknown as PageRecord
  })
  const tree = indexTree(new Map(records.map((record) => [record.id, record])))
  assert.deepEqual([...(await hiddenPages(tree, ANONYMOUS, {}))], ['p1', 'p2'])
})
