import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { LONGEST_SLUG, uniquifier } from './slug.ts'
import { cleanSlug, slugOfFile, slugOfTitle } from './page-slug.ts'
import { anyText, holds } from '../../../test/property.ts'

test('a file gives its name, or that of its folder where it is the page of it', () => {
  const cases: [string, string][] = [
    ['getting-started/Hello World.md', 'hello-world'],
    ['a/monitor_agent.md', 'monitor_agent'],
    ['a/update-from-v0.12.markdown', 'update-from-v0.12'],
    ['a/elsa-server-+-studio.md', 'elsa-server-+-studio'],
    ['a/Concepts/README.md', 'concepts'],
    ['a/b/index.md', 'b'],
    ['a/b/_index.md', 'b'],
    ['README.md', 'readme'],
    ['docs/README.md', 'readme'],
    ['a/中文 页.md', '中文-页'],
    ['a/E\u0301te\u0301.md', 'été'],
    ['a/...md', 'page'],
    ['a/..hidden..md', 'hidden.'],
    ['a/which-is-better-.md', 'which-is-better-'],
    ['a/version-2..md', 'version-2.'],
    ['a/keys-1.md', 'keys-1'],
    ['a/???.md', 'page'],
    ['a/x.md.md', 'x.md'],
    ['a/~changes.md', 'changes'],
  ]
  for (const [file, slug] of cases) assert.equal(slugOfFile(file, 'docs'), slug, file)
})

test('whatever a name is, its slug is one part of an address that means nothing else', () => {
  holds(
    fc.property(anyText({ maxLength: 150 }), (name) => {
      for (const slug of [cleanSlug(name), slugOfTitle(name), slugOfFile(`a/${name}.md`, '')]) {
        assert.ok(slug.length > 0 && slug.length <= 100)
        assert.doesNotMatch(slug, /[/\\?#%~\s\p{Cc}]|^\.+$|^[-.]/u)
        assert.ok(slug.isWellFormed())
        assert.equal(encodeURI(decodeURI(encodeURI(slug))), encodeURI(slug))
      }
    }),
    { cases: 3000 },
  )
})

test('siblings never share a slug, and the first keeps its own', () => {
  const slug = fc.oneof(
    fc.constantFrom('a', 'a-1', 'a-1-1', 'b', 'x'.repeat(100), `${'x'.repeat(98)}-1`),
    fc.string({ minLength: 1, maxLength: 5 }),
  )
  holds(
    fc.property(fc.array(slug, { maxLength: 40 }), (slugs) => {
      const freeSlug = uniquifier([], { longest: LONGEST_SLUG })
      const given = slugs.map((each) => freeSlug(each))

      assert.equal(new Set(given).size, slugs.length)
      assert.ok(given.every((each) => each.length <= 100))
      if (slugs.length > 0) assert.equal(given[0], slugs[0])
    }),
  )
})

test('numbers count up from one', () => {
  const freeSlug = uniquifier([], { longest: LONGEST_SLUG })

  assert.deepEqual(
    ['a', 'a', 'a', 'a-1', 'b'].map((slug) => freeSlug(slug)),
    ['a', 'a-1', 'a-2', 'a-1-1', 'b'],
  )
})
