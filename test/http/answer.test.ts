import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerJson, fromJson } from '../../src/http/answer.ts'

test('JSON stands for a value anywhere in an answer', () => {
  const text = '{"a":"$&","b":[1]}'
  assert.equal(answerJson(fromJson(text)), text)
  assert.equal(
    answerJson({ first: fromJson(text), items: [{ body: fromJson('null') }], plain: 'x' }),
    `{"first":${text},"items":[{"body":null}],"plain":"x"}`,
  )
  assert.equal(answerJson({ plain: 1 }), '{"plain":1}')
})
