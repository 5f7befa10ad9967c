import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRedirects } from '../../src/console/app/features/site/redirect-list.ts'

test('redirects are read as spreadsheets and CSV files have them', () => {
  const read = (text: string) => readRedirects(text, (to) => (to.startsWith('https') ? to : undefined))
  const to = (source: string, url: string) => ({ source, destination: { kind: 'external', url } })
  assert.deepEqual(
    read('source,destination\n/a,https://x.org/?a=1\r\n"/b,c","https://x.org/""q"""\n\n/d,\n'),
    {
      redirects: [
        to('/a', 'https://x.org/?a=1'),
        to('/b,c', 'https://x.org/"q"'),
        { source: '/d', destination: null },
      ],
      faults: [],
    },
  )
  assert.deepEqual(read('/a\thttps://x.org\n/b;nowhere\nhttps://x.org,/c'), {
    redirects: [to('/a', 'https://x.org')],
    faults: [2, 3],
  })
})
