/** The nodes of inlines, and the marks. */
import type { DOMOutputSpec, MarkSpec, NodeSpec } from 'prosemirror-model'
import type { ContentRef, InlineType, Mark } from '../../../../core/document/model.ts'
import { summaryOf } from './atoms.ts'
import { copied, read, readRef, withData } from './copied.ts'
import { nodeName } from './node-names.ts'
import { areInlines } from './accepted.ts'

/** Inlines that are one thing. */
export const INLINE_ATOMS = [
  'mention',
  'emoji',
  'icon',
  'inline-image',
  'inline-math',
  'expression',
  'button',
] as const satisfies InlineType[]

/** Inlines around others that are not marks, because they can be in each other in any order. */
const INLINE_CONTAINERS = ['annotation', 'inline-if'] as const satisfies InlineType[]

/** The marks of the model that are an element. */
export const MARKS = {
  bold: ['strong', 'b'],
  italic: ['em', 'i'],
  code: ['code'],
  keyboard: ['kbd'],
  strikethrough: ['s', 'del'],
  superscript: ['sup'],
  subscript: ['sub'],
} as const satisfies Partial<Record<Mark['type'], readonly string[]>>

function inlineAtom(type: InlineType): NodeSpec {
  const name = nodeName(type)
  return {
    group: 'inline',
    inline: true,
    atom: true,
    attrs: withData,
    parseDOM: [read(name)],
    toDOM: ({ attrs }) => [
      'span',
      { ...copied(name, attrs), class: `inline-atom ${type}` },
      summaryOf(type, attrs.data as Record<string, unknown>),
    ],
  }
}

function inlineContainer(type: InlineType): NodeSpec {
  const name = nodeName(type)
  return {
    group: 'inline',
    inline: true,
    content: 'inline*',
    attrs: { ...withData, fragments: { default: null } },
    parseDOM: [read(name)],
    toDOM: ({ attrs }) => ['span', { ...copied(name, attrs), class: type }, 0],
  }
}

/** The nodes of inlines. */
export const INLINE_NODES: Record<string, NodeSpec> = {
  ...Object.fromEntries(INLINE_ATOMS.map((type) => [nodeName(type), inlineAtom(type)])),
  ...Object.fromEntries(INLINE_CONTAINERS.map((type) => [nodeName(type), inlineContainer(type)])),
  other_inline: {
    group: 'inline',
    inline: true,
    atom: true,
    attrs: { inline: {} },
    parseDOM: [read('other_inline', ({ inline }) => areInlines([inline]))],
    toDOM: ({ attrs }) => {
      const { type, data } = attrs.inline as { type: InlineType; data: Record<string, unknown> }
      return [
        'span',
        { ...copied('other_inline', attrs), class: 'inline-atom other' },
        summaryOf(type, data),
      ] as DOMOutputSpec
    },
  },
}

/** The marks. */
export const MARK_SPECS: Record<string, MarkSpec> = {
  // Two equal links beside each other have different serial numbers, or they would become one.
  link: {
    attrs: { ref: {}, serial: { default: 0 } },
    inclusive: false,
    parseDOM: [
      {
        tag: 'a[href]',
        getAttrs: (dom: HTMLElement) => {
          if (dom.dataset.ref !== undefined) {
            const ref = readRef(dom.dataset.ref)
            return ref && { ref }
          }
          const url = dom.getAttribute('href') ?? ''
          return /^(?:https?|mailto|tel):/i.test(url) ? { ref: { kind: 'url', url } } : false
        },
      },
    ],
    toDOM: ({ attrs }) => {
      const ref = attrs.ref as ContentRef
      const href = ref.kind === 'url' && /^(?:https?|mailto|tel):/i.test(ref.url) ? ref.url : '#'
      return ['a', { href, rel: 'noopener nofollow', 'data-ref': JSON.stringify(ref) }, 0]
    },
  },
  ...Object.fromEntries(
    Object.entries(MARKS).map(([name, tags]): [string, MarkSpec] => [
      name,
      {
        excludes: '',
        parseDOM: tags.map((tag) => ({ tag })),
        toDOM: () => [tags[0], 0],
      },
    ]),
  ),
  color: {
    excludes: '',
    attrs: withData,
    toDOM: ({ attrs }) => {
      const { text, background } = attrs.data as { text?: string; background?: string }
      // Colours of the theme begin with a `$`.
      const named = (kind: string, color?: string) => (color ? `${kind}-${color.replace(/^\$/, '')}` : '')
      return ['span', { class: `${named('ink', text)} ${named('wash', background)}` }, 0]
    },
  },
}
