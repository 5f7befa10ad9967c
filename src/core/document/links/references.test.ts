import assert from 'node:assert/strict'
import test from 'node:test'

import fc from 'fast-check'

import { anyDocument } from '../../../../test/core/documents.ts'
import type { ContentRef, Document } from '../model.ts'
import { parseMarkdown } from '../parse.ts'
import { listReferences, mapReferences } from './references.ts'
import { holds } from '../../../../test/property.ts'

const SOURCE = `[a](1) [b](2 "mention") ![c](3) d <a href="4" class="button primary">e</a> f

<figure><picture><source srcset="6" media="(prefers-color-scheme: dark)"><img src="5"></picture><figcaption><p><a href="7">g</a></p></figcaption></figure>

{% hint %}
{% content-ref url="8" %}
[8](8)
{% endcontent-ref %}
{% endhint %}

{% file src="9" %}

{% include "10" %}

<details>

<summary><a href="11">h</a></summary>

word[^n] <img src="12" data-size="line">

</details>

<table><thead><tr><th>t</th><th data-type="content-ref"></th><th data-type="image"></th><th data-type="files"></th></tr></thead><tbody><tr><td><a href="17">x</a></td><td><a href="14">x</a></td><td data-object-fit="cover"><a href="15">x</a></td><td><a href="16.zip">x</a></td></tr></tbody></table>

<img src="18" class="gitbook-drawing">

{% openapi src="19" path="/x" method="get" %}
{% endopenapi %}

[^n]: [n](13)
`

test('lists every reference of a document, with its place', () => {
  const { document } = parseMarkdown(SOURCE)
  const found = listReferences(document).map(({ ref, place }) => [
    ref.kind === 'url' ? ref.url : ref.kind,
    place,
  ])
  assert.deepEqual(
    found.toSorted(([a = ''], [b = '']) => Number.parseInt(a, 10) - Number.parseInt(b, 10)),
    [
      ['1', 'link'],
      ['2', 'mention'],
      ['3', 'image'],
      ['4', 'button'],
      ['5', 'image'],
      ['6', 'image-dark'],
      ['7', 'link'],
      ['8', 'content-ref'],
      ['9', 'file'],
      ['10', 'reusable-content'],
      ['11', 'link'],
      ['12', 'image'],
      ['13', 'link'],
      ['14', 'cell-content-ref'],
      ['15', 'cell-image'],
      ['16.zip', 'cell-file'],
      ['17', 'link'],
      ['18', 'drawing'],
      ['19', 'openapi'],
    ],
  )
  const keys = new Set(document.nodes.map((block) => block.key))
  assert.ok(listReferences(document).every(({ key }) => key !== undefined))
  assert.ok(keys.has(listReferences(document)[0]?.key))
})

test('replaces every reference and changes nothing else', () => {
  const { document } = parseMarkdown(SOURCE)
  const before = JSON.stringify(document)
  const page: ContentRef = { kind: 'page', page: 'p' }
  const file: ContentRef = { kind: 'file', file: 'f' }
  const mapped = mapReferences(document, (_ref, place) => (place === 'cell-file' ? file : page))
  assert.ok(
    listReferences(mapped).every(({ ref, place }) => ref.kind === (place === 'cell-file' ? 'file' : 'page')),
  )
  assert.equal(listReferences(mapped).length, 19)
  assert.equal(JSON.stringify(document), before)
})

test('finds every reference of any document, and gives the document back if nothing is replaced', () => {
  const refs = (document: Document) => (JSON.stringify(document).match(/"kind":/g) ?? []).length
  holds(
    fc.property(anyDocument, (document) => {
      assert.equal(JSON.stringify(mapReferences(document, (ref) => ref)), JSON.stringify(document))
      const listed = listReferences(document).filter(
        ({ place }) => place !== 'cell-file' && place !== 'cell-user',
      )
      // A button's kind is not that of a reference.
      const buttons = (JSON.stringify(document).match(/"kind":"(?:primary|secondary)"/g) ?? []).length
      assert.equal(listed.length, refs(document) - buttons)
    }),
    { cases: 300 },
  )
})
