import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assetNames, splitName } from '../../../src/core/sources/asset-names.ts'
import { cpuTime } from '../../cpu.ts'

test('files of one name get numbers, each extension its own', () => {
  const freePath = assetNames(['.gitbook/assets/b.png'])
  const made = ['a.png', 'a.png', 'a.jpg', 'a.jpg', 'b.png', '.hidden', 'a.png'].map((name) => {
    const [stem, extension] = splitName(name)
    return freePath(stem, extension)
  })
  assert.deepEqual(
    made,
    ['a.png', 'a-1.png', 'a.jpg', 'a-1.jpg', 'b-1.png', '.hidden', 'a-2.png'].map(
      (name) => `.gitbook/assets/${name}`,
    ),
  )
})

test('thousands of files of one name are named in linear time', () => {
  const start = cpuTime()
  const freePath = assetNames()
  for (let i = 0; i < 30_000; i++) freePath('image', '.png')
  // It takes a twentieth of a second. If each file looked for a free number from the first one, it would take a minute.
  assert.ok(cpuTime() - start < 5_000)
})
