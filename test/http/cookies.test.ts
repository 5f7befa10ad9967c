import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cookieOf } from '../../src/http/request/cookies.ts'

const NAME = '__Host-lectern-session'
const of = (cookie: string) => cookieOf({ headers: { cookie } }, NAME)

test('spaces and tabs around a pair do not count, and no other character is trimmed from it', () => {
  for (const blank of ['', ' ', '\t', ' \t '])
    assert.equal(of(`a=b;${blank}${NAME}=secret${blank}; c=d`), 'secret')
  for (let code = 0; code <= 0xffff; code += 1) {
    const one = String.fromCharCode(code)
    if (' \t;'.includes(one)) continue
    assert.equal(of(`a=b; ${one}${NAME}=stolen`), undefined, code.toString(16))
    assert.equal(of(`${NAME}=secret${one}`), `secret${one}`, code.toString(16))
  }
})
