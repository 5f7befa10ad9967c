import { posix } from 'node:path'

import { imageSize } from 'image-size'

import { codeIn } from '../../src/core/document/html/code.ts'
import type { RenderContext } from '../../src/core/document/html/renderer.ts'
import { renderDocument } from '../../src/core/document/html.ts'
import type { ContentRef } from '../../src/core/document/model.ts'
import { parsePage } from '../../src/core/document/parse.ts'
import type { Highlighter } from '../../src/highlight/highlight.ts'
import { pageIcon } from '../../src/sites/render/icons.ts'
import { DEFAULT_LAYOUT } from '../../src/core/content/revision.ts'
import type { NavItem, PageView } from '../../src/sites/render/view.ts'
import { corpusArchive, withoutCorpora } from '../corpus.ts'
import { unzip } from '../imports/zip.ts'

/** The reason why tests on the real documentation are skipped; false if the corpus exists. */
export const WITHOUT_ELSA = withoutCorpora

/** A real documentation, read from its archive without a server: pages by path of their Markdown, and files. */
export interface Elsa {
  pages: Map<string, { title: string; source: string; parents: string[] }>
  order: string[]
  files: Map<string, Uint8Array>
  tree: NavItem[]
}

/** The documentation according to its table of contents. */
export function readElsa(): Elsa {
  const entries = [...unzip(corpusArchive('elsa-docs'))]
  const root = entries
    .map(([name]) => name)
    .find((name) => name.endsWith('SUMMARY.md'))!
    .replace(/SUMMARY\.md$/, '')
  const files = new Map(
    entries
      .filter(([name]) => name.startsWith(root))
      .map(([name, bytes]) => [name.slice(root.length), bytes]),
  )
  const text = (name: string) => new TextDecoder().decode(files.get(name))

  const elsa: Elsa = { pages: new Map(), order: [], files, tree: [] }
  let group: NavItem[] = elsa.tree
  let groupTitle: string[] = []
  const stack: { title: string; item: NavItem }[] = []
  for (const line of text('SUMMARY.md').split('\n')) {
    const heading = /^## (.+)/.exec(line)?.[1]
    if (heading) {
      group = []
      groupTitle = [heading]
      elsa.tree.push({ kind: 'group', title: heading, children: group })
    }
    const [, indent, title, path] = /^( *)\* \[(.+?)\]\((.+?)\)/.exec(line) ?? []
    if (indent === undefined || title === undefined || path === undefined || !files.has(path)) continue

    const item: NavItem = { kind: 'document', title, href: addressOf(path) }
    stack.length = indent.length / 2
    const parent = stack.at(-1)
    if (parent) (parent.item.children ??= []).push(item)
    else group.push(item)
    elsa.pages.set(path, {
      title,
      source: text(path),
      parents: [...groupTitle, ...stack.map((above) => above.title)],
    })
    elsa.order.push(path)
    stack.push({ title, item })
  }
  return elsa
}

/** The path at which the page of a Markdown file is served. */
export function addressOf(path: string): string {
  return encodeURI(`/${path.replace(/(?:^|\/)README\.md$/, '').replace(/\.md$/, '')}`)
}

/** A page of the documentation as a server would compose it. */
export async function elsaView(elsa: Elsa, path: string, highlighter: Highlighter): Promise<PageView> {
  const page = elsa.pages.get(path)!
  const { document, meta, title = page.title } = parsePage(page.source)

  const target = (ref: ContentRef): string | undefined =>
    ref.kind === 'url' && !/^(?:[a-z]+:|\/|#)/i.test(ref.url)
      ? posix.join(posix.dirname(path), decodeURIComponent(ref.url.replace(/[?#].*$/, '')))
      : undefined
  const context: RenderContext = {
    href(ref) {
      if (ref.kind !== 'url') return undefined
      const to = target(ref)
      const known =
        to === undefined ? undefined : (elsa.pages.get(to) ?? elsa.pages.get(posix.join(to, 'README.md')))
      if (to !== undefined && known)
        return { href: addressOf(to) + (/#.*$/.exec(ref.url)?.[0] ?? ''), title: known.title }
      return to === undefined ? { href: ref.url, external: /^https?:/.test(ref.url) } : undefined
    },
    image(ref) {
      const to = target(ref)
      if (to === undefined) return ref.kind === 'url' ? { src: ref.url } : undefined
      const bytes = elsa.files.get(to)
      if (!bytes) return undefined
      const { width, height } = imageSize(bytes)
      return { src: `/files/${encodeURI(to)}`, width, height }
    },
    file: () => undefined,
    reusable: () => undefined,
    highlight: (
      await highlighter.read(
        codeIn(document, () => undefined),
        'elsa',
      )
    ).lookup,
    evaluate: () => undefined,
    icon: pageIcon,
  }
  const { body, outline, needs } = renderDocument(document, context)

  const at = elsa.order.indexOf(path)
  const neighbour = (index: number) => {
    const other = elsa.order[index]
    return other === undefined ? undefined : { title: elsa.pages.get(other)!.title, href: addressOf(other) }
  }
  const href = addressOf(path)
  return {
    language: 'en',
    title: 'Elsa Workflows',
    icon: 'diagram-project',
    home: '/',
    tree: marked(elsa.tree, href),
    variants: [],
    links: [{ title: 'GitHub', href: 'https://github.com/elsa-workflows/elsa-core', external: true }],
    page: {
      title,
      description: meta.description,
      icon: meta.icon,
      updatedAt: '2026-11-20T09:00:00.000Z',
      body,
      outline,
      needs,
    },
    layout: { ...DEFAULT_LAYOUT, ...meta.layout },
    breadcrumbs: page.parents.map((above) => ({ title: above })),
    previous: neighbour(at - 1),
    next: neighbour(at + 1),
    markdownHref: `${href === '/' ? '/README' : href}.md`,
    head: {
      title: `${title} – Elsa Workflows`,
      description: meta.description,
      canonical: `https://docs.example.org${href}`,
    },
  }
}

function marked(items: readonly NavItem[], href: string): NavItem[] {
  return items.map((item) => {
    const children = item.children && marked(item.children, href)
    const current = item.href === href
    const expanded = current || children?.some((child) => child.current || child.expanded)
    return { ...item, children, current, expanded }
  })
}
