import assert from 'node:assert/strict'
import test from 'node:test'
import { gzipSync } from 'node:zlib'

import { EVERY_NODE } from '../core/document/every-node.ts'
import { CONTEXT } from '../core/document/sample.ts'
import { renderDocument } from '../../src/core/document/html.ts'
import { asset, ASSET_BASE, assetUrl } from '../../src/sites/assets/assets.ts'
import { createHighlighter } from '../../src/sites/highlight/highlight.ts'
import { pageIcon } from '../../src/sites/render/icons.ts'
import { CONTENT_SECURITY_POLICY } from '../../src/sites/render/page-head.ts'
import { renderError, renderNotFound, renderPage } from '../../src/sites/render/page.ts'
import { DEFAULT_LAYOUT } from '../../src/core/content/revision.ts'
import type { NavItem, PageView } from '../../src/sites/render/view.ts'
import { elsaView, readElsa, WITHOUT_ELSA } from './elsa.ts'

const LAYOUT: PageView['layout'] = { tags: true, actions: true, ...DEFAULT_LAYOUT }

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
      cover: { image: { src: '/files/cover.png' }, position: 37 },
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
  assert.match(page, /<div class="cover hero from-40"><img/)
  assert.equal(page.match(/<h1/g)?.length, 1)
})

const TOGGLES: [keyof PageView['layout'], RegExp][] = [
  ['cover', /class="cover/],
  ['description', /class="lead"/],
  ['tableOfContents', /class="sidebar"/],
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
  const inCss = [...css.matchAll(/url\('(\/_lectern\/[^']+)'\)/g)].map((match) => match[1]!)
  assert.ok(inCss.length >= 5)
  for (const path of [...named, ...inCss]) assert.ok(asset(path), path)
  for (const path of [...named, ...inCss])
    assert.match(path, /^\/_lectern\/[a-z-]+\.[0-9a-f]{12}\.[a-z0-9]+$/)
  assert.equal(asset(`${ASSET_BASE}../package.json`), undefined)
})

test('shows the page tree on the page for an unknown path', () => {
  const page = renderNotFound(view())
  assert.match(page, /<h1>Page not found<\/h1>/)
  assert.match(page, /class="sidebar"/)
  assert.match(page, /<meta name="robots" content="noindex"/)
})

test('leaves folded branches out of very large trees', () => {
  const many: NavItem[] = Array.from({ length: 400 }, (_, index) => ({
    kind: 'document',
    title: `Page ${index}`,
    href: `/docs/${index}`,
    expanded: index === 7,
    children: [{ kind: 'document', title: `Under ${index}`, href: `/docs/${index}/under` }],
  }))
  const page = renderPage(view({ tree: many }))
  assert.ok(page.includes('Under 7') && !page.includes('Under 8'))
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
    for (const path of elsa.order) {
      const html = renderPage(await elsaView(elsa, path, highlighter))
      const weight = gzipSync(html).length + assets
      assert.ok(weight <= 100_000, `${path}: ${weight}`)
    }
  },
)
