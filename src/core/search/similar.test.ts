import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holds } from '../../../test/property.ts'
import { typingErrors } from './similar.ts'

test('one error is forgiven in a word, and two in a long one', () => {
  assert.equal(typingErrors('pakcage', 'package'), 1)
  assert.equal(typingErrors('promethus', 'prometheus'), 1)
  assert.equal(typingErrors('elasticsaerch', 'elasticsearch'), 1)
  assert.equal(typingErrors('authetcation', 'authentication'), 2)
  assert.equal(typingErrors('word', 'word'), 0)
  assert.equal(typingErrors('wrod', 'rows'), undefined)
  assert.equal(typingErrors('api', 'app'), undefined)
})

test('it is symmetric, and 0 only for the same word', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 8, maxLength: 10 })
  holds(
    fc.property(word, word, (a, b) => {
      assert.equal(typingErrors(a, b), typingErrors(b, a))
      assert.equal(typingErrors(a, b) === 0, a === b)
    }),
    { cases: 2000 },
  )
})
