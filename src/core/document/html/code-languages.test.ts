import assert from 'node:assert/strict'
import test from 'node:test'
import { bundledLanguagesInfo } from 'shiki/langs'

import { languageName, languageOf } from './code-languages.ts'

test('knows every language of Shiki by its id and by each alias', () => {
  for (const { id, name, aliases = [] } of bundledLanguagesInfo) {
    for (const written of [id, ...aliases, id.toUpperCase(), `language-${id}`]) {
      assert.equal(languageOf(written), id, written)
      assert.equal(languageName(written), name, written)
    }
  }
})

test('gives every further alias to a grammar that Shiki has', () => {
  const ids = new Set(bundledLanguagesInfo.map(({ id }) => id))
  for (const alias of ['golang', 'cshtml', 'postgresql', 'h', 'hpp', 'xaml', 'env', 'feature', 'curl', 'sol'])
    assert.ok(ids.has(languageOf(alias)), alias)
})

test('takes names that nobody knows for plain text, which has no name', () => {
  for (const unknown of [undefined, '', 'text', 'no-such-language', '__proto__', 'constructor']) {
    assert.equal(languageOf(unknown), 'text')
    assert.equal(languageName(unknown), '')
  }
})
