import assert from 'node:assert/strict'
import test from 'node:test'

import { gemoji } from 'gemoji'

import { emojiCharacters, emojiCode, emojiName, emojiOf } from './emoji.ts'

test('an emoji is one whether it is written as its code, its characters or its name', () => {
  for (const text of ['1f44d', '1F44D', '👍', ':thumbsup:', ':+1:'])
    assert.equal(emojiOf(text), '1f44d', text)
})

test('an emoji that may be shown as text is the same with and without its variation selector', () => {
  for (const text of ['❤', '❤️', '2764', '2764-fe0f']) assert.equal(emojiOf(text), '2764-fe0f', text)
  for (const text of ['1️⃣', '1⃣', '31-20e3']) assert.equal(emojiOf(text), '31-fe0f-20e3', text)
})

test('families, flags and tones of skin are one emoji each', () => {
  for (const text of ['👨‍👩‍👧', '🇩🇪', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏳️‍🌈', '☝🏻', '🕵️‍♂️']) {
    const code = emojiOf(text)
    assert(code, text)
    assert.equal(emojiCharacters(code), text)
    assert.equal(emojiOf(code), code)
  }
})

test('what is no emoji, or more than one, is refused', () => {
  const none = [
    '',
    'x',
    '1',
    '#',
    'face',
    'beef',
    '110000',
    '0',
    '-',
    '👍👍',
    '👍 ',
    ':nobody:',
    '::',
    '<b>',
    '1f1e9',
  ]
  for (const text of none) assert.equal(emojiOf(text), undefined, text)
})

test('rare emoji have names, and properties of objects are none', () => {
  for (const [name, code] of [
    ['black_small_square', '25aa-fe0f'],
    ['arrow_up_small', '1f53c'],
    ['t-rex', '1f996'],
    ['de', '1f1e9-1f1ea'],
  ] as const) {
    assert.equal(emojiCode(name), code)
    assert.equal(emojiName(code), name)
  }
  for (const name of ['constructor', 'toString', '']) assert.equal(emojiCode(name), undefined)
})

test('the code of a name is the code of its characters', () => {
  for (const { emoji, names } of gemoji) assert.equal(emojiCode(names[0] ?? ''), emojiOf(emoji), emoji)
})
