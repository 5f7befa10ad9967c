import assert from 'node:assert/strict'
import { test } from 'node:test'
import { packTexts, textAt } from './packed-texts.ts'

test('packed texts are the same texts, empty ones and those of several bytes too', () => {
  const texts = ['', 'a', 'größer', '', '中文', '😀 b', '']
  const packed = packTexts(texts)
  assert.deepEqual(
    texts.map((_, i) => textAt(packed, i)),
    texts,
  )
})

test('a lone surrogate does not shift the texts after it', () => {
  const packed = packTexts(['a\ud83d', '\ude00b', 'c'])
  assert.equal(textAt(packed, 2), 'c')
})
