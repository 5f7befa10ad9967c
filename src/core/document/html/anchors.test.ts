import assert from 'node:assert/strict'
import test from 'node:test'

import { anchorFinder } from './anchors.ts'

const find = anchorFinder([
  'set-up',
  'id-1.-install',
  'whats-new',
  'faq',
  'faq-1',
  'a-b',
  'ab',
  '入门',
  '---',
])

test('finds an anchor that differs in punctuation, case or an id- in front', () => {
  for (const [wanted, expected] of [
    ['Set-Up', 'set-up'],
    ['setup', 'set-up'],
    ['set_up', 'set-up'],
    ['1-install', 'id-1.-install'],
    ['id-set-up', 'set-up'],
    ["what's-new", 'whats-new'],
    ['FAQ', 'faq'],
    ['faq1', 'faq-1'],
    ['id-入门', '入门'],
  ] as const)
    assert.equal(find(wanted), expected, wanted)
})

test('keeps the name that a link has where an anchor is exactly it, or several or none are like it', () => {
  for (const wanted of ['a-b', 'ab', 'a_b', 'nowhere', '', '--', 'faq-2']) assert.equal(find(wanted), wanted)
})
