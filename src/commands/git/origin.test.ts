import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRepository } from './origin.ts'

test('an address is a repository, unless the server fetches what it names', () => {
  for (const [argument, source] of [
    ['https://git.example.com/docs.git', undefined],
    ['https://git.example.com/docs', undefined],
    ['git@git.example.com:docs.git', undefined],
    ['file:///srv/docs.zip', undefined],
  ] as const)
    assert(isRepository(argument, source), argument)
  for (const [argument, source] of [
    ['https://example.com/docs.zip', undefined],
    ['https://example.com/page.HTML', undefined],
    ['https://example.com/export', 'zip'],
    ['https://example.com/', 'website'],
    ['docs.zip', undefined],
    ['docs', undefined],
  ] as const)
    assert(!isRepository(argument, source), argument)
})
