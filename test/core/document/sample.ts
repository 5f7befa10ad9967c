import type {
  Block,
  BlockOf,
  ContentRef,
  Document,
  Fragment,
  Inline,
  Mark,
  Text,
} from '../../../src/core/document/model.ts'
import type { RenderContext } from '../../../src/core/document/html/renderer.ts'

/** A text of one leaf. */
export function text(content: string, ...marks: Mark[]): Text {
  return { object: 'text', leaves: [{ object: 'leaf', text: content, marks }] }
}

/** A paragraph of text and inlines. */
export function paragraph(...nodes: (string | Text | Inline)[]): BlockOf<'paragraph'> {
  return {
    object: 'block',
    type: 'paragraph',
    data: {},
    nodes: nodes.map((node) => (typeof node === 'string' ? text(node) : node)),
  }
}

/** A document of these blocks. */
export function documentOf(...nodes: Block[]): Document {
  return { object: 'document', data: { schemaVersion: 1 }, nodes }
}

/** A page of this space. */
export const page = (id: string): ContentRef => ({ kind: 'page', page: id })
/** An address. */
export const url = (address: string): ContentRef => ({ kind: 'url', url: address })

/** A caption of one paragraph. */
export function caption(words: string): Fragment {
  return { object: 'fragment', fragment: 'caption', nodes: [paragraph(words)] }
}

/** A heading of some level. */
export function heading<T extends 'heading-1' | 'heading-2' | 'heading-3'>(
  type: T,
  words: string,
  id?: string,
): Block & { type: T } {
  return { object: 'block', type, data: { id }, nodes: [text(words)] } as Block & { type: T }
}

/** A list item. */
export function item(...nodes: Block[]): BlockOf<'list-item'> {
  return { object: 'block', type: 'list-item', data: {}, nodes }
}

/** A code block of these lines. */
export function code(data: BlockOf<'code'>['data'], ...lines: string[]): BlockOf<'code'> {
  return {
    object: 'block',
    type: 'code',
    data,
    nodes: lines.map((line) => ({ object: 'block', type: 'code-line', data: {}, nodes: [text(line)] })),
  }
}

/** Sample targets for the documents above. */
export const CONTEXT: RenderContext = {
  href(ref) {
    if (ref.kind === 'page')
      return ref.page === 'install' ? { href: '/install', title: 'Installation', emoji: '1f4e6' } : undefined
    if (ref.kind === 'url') return { href: ref.url, external: /^https?:/.test(ref.url) }
    if (ref.kind === 'openapi') return { href: '/api', title: 'Pet shop' }
    return undefined
  },
  image(ref) {
    if (ref.kind === 'url')
      return /^[a-z]+:/i.test(ref.url)
        ? { src: ref.url }
        : { src: `/files/${ref.url}`, width: 800, height: 400 }
    return ref.kind === 'file' ? { src: `/files/${ref.file}` } : undefined
  },
  file: (ref) =>
    ref.kind === 'file' ? { href: `/files/${ref.file}`, name: 'report.pdf', size: 4_200 } : undefined,
  person: (ref) => (ref.kind === 'user' ? 'Ada Lovelace' : undefined),
  reusable: (ref) =>
    ref.kind === 'reusable-content' && ref.reusableContent === 'r1'
      ? documentOf(paragraph('Said in many places.'))
      : undefined,
  highlight: (source) =>
    source
      .split('\n')
      .map((line) =>
        line.startsWith('var')
          ? [{ length: 3, kind: 'keyword' as const }, { length: line.length - 3 }]
          : [{ length: line.length }],
      ),
  evaluate: (expression) => ({ 'space.vars.version': '4.2', 'visitor.claims.beta': true })[expression],
  tag: (tag) => (tag === 'fixes' ? 'Bug fixes' : undefined),
}
