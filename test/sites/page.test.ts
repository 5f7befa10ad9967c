import assert from 'node:assert/strict'
import test from 'node:test'
import { gzipSync } from 'node:zlib'

import { EVERY_NODE } from '../core/document/every-node.ts'
import { CONTEXT } from '../core/document/sample.ts'
import type { Block } from '../../src/core/document/model.ts'
import { type ContentWords, ENGLISH_CONTENT } from '../../src/core/document/html/content-words.ts'
import { renderDocument } from '../../src/core/document/html.ts'
import { ASSET_BASE } from '../../src/core/web/site-paths.ts'
import { asset, assetUrl } from '../../src/sites/assets/assets.ts'
import { createHighlighter } from '../../src/highlight/highlight.ts'
import { pageIcon } from '../../src/sites/render/icons.ts'
import { CONTENT_SECURITY_POLICY } from '../../src/sites/render/page-head.ts'
import { renderNotFound } from '../../src/sites/render/not-found.ts'
import { renderError, renderPage } from '../../src/sites/render/page.ts'
import { acceptedLanguage, wordsOf } from '../../src/sites/render/words/choose.ts'
import { DEFAULT_LAYOUT } from '../../src/core/content/revision.ts'
import type { NavItem, PageView } from '../../src/sites/render/view.ts'
import { firstOf } from '../effort.ts'
import { elsaView, readElsa, WITHOUT_ELSA } from './elsa.ts'

const LAYOUT: PageView['layout'] = DEFAULT_LAYOUT

const POISON = `"'><script>alert(1)</script>`

function view(changes: Partial<PageView> = {}): PageView {
  const { body, outline, needs } = renderDocument(EVERY_NODE, { ...CONTEXT, icon: pageIcon })
  return {
    language: 'en',
    title: 'Docs',
    icon: 'book',
    home: '/docs/',
    tree: [
      { kind: 'document', title: 'Start', href: '/docs/', current: true },
      {
        kind: 'group',
        title: 'Guides',
        children: [
          {
            kind: 'document',
            title: 'Install',
            href: '/docs/install',
            children: [{ kind: 'document', title: 'Linux', href: '/docs/install/linux' }],
          },
          { kind: 'link', title: 'Elsewhere', href: 'https://example.org/', external: true },
        ],
      },
    ],
    variants: [
      { title: 'v2', href: '/docs/', current: true },
      { title: 'v1', href: '/docs/v1/' },
    ],
    page: {
      title: 'Start',
      description: 'How to begin',
      icon: 'rocket',
      updatedAt: '2026-11-20T09:00:00.000Z',
      tags: ['beta'],
      body,
      outline,
      needs,
      cover: { image: { src: '/files/cover.png' }, position: 37, height: 320 },
    },
    layout: LAYOUT,
    breadcrumbs: [{ title: 'Guides', href: '/docs/guides' }],
    previous: { title: 'Before', href: '/docs/before' },
    next: { title: 'After', href: '/docs/after' },
    markdownHref: '/docs/start.md',
    head: {
      title: 'Start – Docs',
      description: 'How to begin',
      canonical: 'https://docs.example.org/docs/',
      robots: 'noindex',
      image: 'https://docs.example.org/og.png',
      alternates: [{ language: 'de', href: 'https://docs.example.org/de/' }],
    },
    ...changes,
  }
}

test('writes the elements for search engines and link previews', () => {
  const page = renderPage(view())
  for (const expected of [
    '<html lang="en">',
    '<title>Start – Docs</title>',
    '<meta name="description" content="How to begin"',
    '<link rel="canonical" href="https://docs.example.org/docs/"',
    '<meta name="robots" content="noindex"',
    '<meta property="og:title" content="Start"',
    '<meta property="og:image" content="https://docs.example.org/og.png"',
    '<meta name="twitter:card" content="summary_large_image"',
    '<link rel="alternate" hreflang="de" href="https://docs.example.org/de/"',
    '<link rel="alternate" type="text/markdown" href="/docs/start.md"',
  ]) {
    assert.ok(page.includes(expected), expected)
  }
})

test('shows tree, breadcrumbs, outline, neighbours, variants and date', () => {
  const page = renderPage(view()).replace(/\s+/g, ' ')
  assert.match(
    page,
    /<nav class="sidebar"[^>]* aria-label="Pages">.*href="\/docs\/" aria-current="page">.*Guides.*href="\/docs\/install\/linux"/,
  )
  assert.match(
    page,
    /aria-expanded="false" aria-controls="~branch-1" aria-label="Pages under Install".*<ul id="~branch-1" hidden>/,
  )
  assert.match(page, /aria-label="Breadcrumb".*href="\/docs\/guides">Guides/)
  assert.match(page, /aria-labelledby="~outline-title".*href="#first-heading">First heading/)
  assert.match(page, /rel="prev" href="\/docs\/before".*rel="next" href="\/docs\/after"/)
  assert.match(page, /aria-label="Version: v2".*href="\/docs\/v1\/">v1/)
  assert.match(page, /<time datetime="2026-11-20T09:00:00.000Z">November 20, 2026<\/time>/)
  assert.match(page, /<div class="cover hero from-40"><img height="320"/)
  assert.equal(page.match(/<h1/g)?.length, 1)
})

const TOGGLES: [keyof PageView['layout'], RegExp][] = [
  ['cover', /class="cover/],
  ['description', /class="lead"/],
  ['outline', /class="outline"/],
  ['pagination', /class="pagination"/],
  ['metadata', /Last updated/],
  ['tags', /class="page-tags"/],
  ['actions', /View as Markdown/],
]
for (const [name, shown] of TOGGLES) {
  test(`hides ${name} if the layout hides it`, () => {
    assert.match(renderPage(view()), shown)
    assert.doesNotMatch(renderPage(view({ layout: { ...LAYOUT, [name]: false } })), shown)
  })
}

test('shows a cover whose edges fade, and headings without links to themselves, as the layout sets', () => {
  const plain = renderPage(view())
  assert.match(plain, /class="cover hero from-40"/)
  assert.match(plain, /class="prose"/)
  const page = renderPage(view({ layout: { ...LAYOUT, coverMask: 'radial', anchors: false } }))
  assert.match(page, /class="cover hero from-40 faded"/)
  assert.match(page, /class="prose without-anchors"/)
})

test('a page without the tree beside it has it behind the menu button', () => {
  const page = renderPage(view({ layout: { ...LAYOUT, tableOfContents: false } }))
  assert.match(page, /class="layout[^"]* no-tree/)
  assert.match(page, /popovertarget="~pages"/)
  assert.match(page, /class="sidebar" id="~pages" popover/)
  assert.doesNotMatch(renderPage(view()), /no-tree/)
})

test('keeps a hidden title for assistive technology', () => {
  assert.match(renderPage(view({ layout: { ...LAYOUT, title: false } })), /<h1 +class="unseen">/)
})

test('has no inline script or style, which the content security policy would refuse', () => {
  for (const page of [renderPage(view()), renderNotFound(view()), renderError(view(), 'r1')]) {
    assert.doesNotMatch(page, /<[^>]+ style=/)
    assert.doesNotMatch(page, /<style/)
    assert.doesNotMatch(page, /<[^>]+ on[a-z]+=/)
    assert.doesNotMatch(page, /<script(?![^>]* src="\/_lectern\/)/)
  }
  assert.doesNotMatch(CONTENT_SECURITY_POLICY, /unsafe|\*/)
})

test('escapes every string of the view', () => {
  const poison = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string')
      return ['kind', 'width', 'coverSize', 'updatedAt'].includes(key) ? value : POISON
    if (Array.isArray(value)) return value.map((child) => poison(child, key))
    if (typeof value !== 'object' || value === null || ['body', 'needs'].includes(key)) return value
    return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, poison(child, name)]))
  }
  const page = renderPage(poison(view()) as PageView)
  assert.ok(page.includes('&lt;script&gt;alert(1)'))
  assert.ok(!page.includes('<script>alert'))
})

test('refers only to assets that exist, at URLs that change with their content', () => {
  const page = renderPage(view({ icon: undefined }))
  const named = [...page.matchAll(/(?:href|src)="(\/_lectern\/[^"]+)"/g)].map((match) => match[1]!)
  assert.ok(named.length >= 5)
  const css = asset(assetUrl('site.css'))!.bytes.toString()
  const inCss = [...css.matchAll(/url\('\.\/([^']+)'\)/g)].map((match) => ASSET_BASE + match[1]!)
  assert.ok(inCss.length >= 5)
  for (const path of [...named, ...inCss]) assert.ok(asset(path), path)
  for (const path of [...named, ...inCss])
    assert.match(path, /^\/_lectern\/[a-z-]+\.[0-9a-f]{12}\.[a-z0-9]+$/)
  assert.equal(asset(`${ASSET_BASE}../package.json`), undefined)
})

test('adds no English words to the content of a site in another language', () => {
  const textOf = (value: unknown) =>
    typeof value === 'function' ? (value as (...of: unknown[]) => string)('§', '§') : String(value)
  const flat = ({ hint, ...words }: ContentWords) => ({
    ...words,
    ...Object.fromEntries(Object.entries(hint).map(([kind, word]) => [`hint-${kind}`, word])),
  })
  const bodyIn = (words: ContentWords, language: string) => {
    const missing: Block = {
      object: 'block',
      type: 'paragraph',
      data: {},
      nodes: [
        { object: 'inline', type: 'mention', isVoid: true, data: { ref: { kind: 'page', page: 'gone' } } },
      ],
    }
    const document = { ...EVERY_NODE, nodes: [...EVERY_NODE.nodes, missing] }
    return String(renderDocument(document, { ...CONTEXT, icon: pageIcon, words, language }).body)
  }
  const marked = Object.fromEntries(
    Object.entries(ENGLISH_CONTENT).map(([name, word]) => [
      name,
      typeof word === 'string'
        ? '§'
        : typeof word === 'function'
          ? () => '§'
          : { info: '§', success: '§', warning: '§', danger: '§' },
    ]),
  ) as unknown as ContentWords
  const strange = bodyIn(marked, 'en')
  const known = bodyIn(ENGLISH_CONTENT, 'en')
  assert(strange.split('§').length > 10)
  for (const [name, word] of Object.entries(flat(ENGLISH_CONTENT))) {
    const label = `aria-label="${textOf(word)}"`
    assert(!strange.includes(label), name)
  }
  assert.match(known, /aria-label="(?:Note|Success|Warning|Danger)"/)

  for (const language of ['fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br', 'ru', 'ar', 'he']) {
    const own: Record<string, unknown> = flat(wordsOf(language).content)
    for (const [name, word] of Object.entries(flat(ENGLISH_CONTENT))) {
      assert.notEqual(textOf(own[name]).trim(), '', `${language} ${name}`)
      if (textOf(word).length > 12) assert.notEqual(textOf(own[name]), textOf(word), `${language} ${name}`)
    }
    const body = bodyIn(wordsOf(language).content, language)
    assert(
      Object.values(wordsOf(language).content.hint).some((word) => body.includes(`aria-label="${word}"`)),
    )
    assert.doesNotMatch(body, /aria-label="(?:Note|Success|Warning|Copy code|Table)"|Link to this section/)
  }
})

test('has every word of the interface in every language', () => {
  const flat = (language: string) => {
    const { tryIt, content: _content, ...words } = wordsOf(language)
    return { ...words, ...tryIt } as unknown as Record<string, unknown>
  }
  const english = flat('en')
  for (const language of ['fr', 'es', 'zh', 'ja', 'de', 'nl', 'no', 'pt-br', 'ru', 'ar', 'he']) {
    const own = flat(language)
    for (const [name, word] of Object.entries(english)) {
      const text = (one: unknown) => (typeof one === 'function' ? String(one('7')) : String(one))
      assert.equal(typeof own[name], typeof word, `${language} ${name}`)
      assert.notEqual(text(own[name]).trim(), '', `${language} ${name}`)
      if (typeof word === 'function') assert.match(text(own[name]), /7/, `${language} ${name}`)
      // Some short words are the same in several languages.
      if (text(word).length > 14) assert.notEqual(text(own[name]), text(word), `${language} ${name}`)
    }
  }
})

test('a reader without a site gets the language that their browser prefers', () => {
  const cases: [string | undefined, string][] = [
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['de', 'de'],
    ['de-CH, en;q=0.9', 'de'],
    ['en-GB,fr;q=0.9', 'en'],
    ['fr;q=0.3, ES ; q=0.8 , tlh', 'es'],
    ['de;q=0, ru;q=0.1', 'ru'],
    ['pt-BR', 'pt-br'],
    ['pt-PT', 'pt'],
    ['zh-Hant-TW', 'zh'],
    ['constructor, __proto__;q=1', 'en'],
    ['ja;q=x, nl;q=0.2', 'nl'],
    [`${'a,'.repeat(300)}de`, 'en'],
  ]
  for (const [header, language] of cases) assert.equal(acceptedLanguage(header), language, String(header))
})

test('shows the page tree on the page for an unknown path', () => {
  const page = renderNotFound(view())
  assert.match(page, /<h1>Page not found<\/h1>/)
  assert.match(page, /class="sidebar"/)
  assert.match(page, /<meta name="robots" content="noindex"/)
})

test('a branch that the page leaves out has a button and the address of its entries', () => {
  const tree: NavItem[] = [
    { kind: 'document', title: 'Folded', href: '/docs/folded', level: '/docs/~/pages/folded/0' },
    { kind: 'group', title: 'Group', href: '/docs/first', level: '/docs/~/pages/group/0' },
    { kind: 'later', title: 'More pages', href: '/docs/next', level: '/docs/~/pages/top/100' },
  ]
  const page = renderPage(view({ tree })).replace(/\s+/g, ' ')
  assert.match(
    page,
    /href="\/docs\/folded".*<button[^>]* aria-controls="~branch-1"[^>]*"Pages under Folded">/,
  )
  assert.match(page, /<ul id="~branch-1" hidden data-level="\/docs\/~\/pages\/folded\/0"><\/ul>/)
  assert.match(page, /href="\/docs\/first" class="group-title".*"Pages under Group">/)
  assert.match(page, /<a href="\/docs\/next" data-level="\/docs\/~\/pages\/top\/100">More pages<\/a>/)
})

test(
  'a page of the Elsa documentation weighs at most 100 kB, and 50 kB of script',
  { skip: WITHOUT_ELSA },
  async () => {
    const elsa = readElsa()
    const highlighter = createHighlighter()
    const size = (path: string) => gzipSync(asset(path)!.bytes).length
    const scripts = size(assetUrl('site.js')) + size(assetUrl('theme.js'))
    const fonts = [
      'sans-basic.woff2',
      'sans-italic-basic.woff2',
      'serif-basic.woff2',
      'mono-basic.woff2',
    ] as const
    const assets = fonts.reduce(
      (sum, name) => sum + asset(assetUrl(name))!.bytes.length,
      scripts + size(assetUrl('site.css')),
    )
    assert.ok(scripts <= 50_000)

    assert.ok(elsa.order.length > 150)
    for (const path of firstOf(elsa.order, 15)) {
      const html = renderPage(await elsaView(elsa, path, highlighter))
      const weight = gzipSync(html).length + assets
      assert.ok(weight <= 100_000, `${path}: ${weight}`)
    }
  },
)
