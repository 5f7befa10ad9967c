import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assetNames, splitName } from '../../../src/core/sources/asset-names.ts'
import { assertLinear, repeated } from '../cost/growth.ts'

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
  assertLinear(repeated('x'), (names) => {
    const freePath = assetNames()
    for (let i = 0; i < names.length; i++) freePath('image', '.png')
  })
})
