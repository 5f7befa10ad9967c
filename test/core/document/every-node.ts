import type { BlockOf, Document, InlineOf, InlineType } from '../../../src/core/document/model.ts'
import { BLOCKS } from './every-block.ts'
import { documentOf, page, paragraph, text, url } from './sample.ts'

/** One inline of each type, with the text that must be visible. */
export const INLINES: { [T in InlineType]: { inline: InlineOf<T>; shows: RegExp } } = {
  link: {
    inline: { object: 'inline', type: 'link', data: { ref: page('install') }, nodes: [text('Install it')] },
    shows: /<a href="\/install">Install it<\/a>/,
  },
  mention: {
    inline: { object: 'inline', type: 'mention', isVoid: true, data: { ref: page('install') } },
    shows: /class="mention"[^>]*href="\/install"[^>]*>.*Installation<\/a>/s,
  },
  emoji: { inline: { object: 'inline', type: 'emoji', isVoid: true, data: { code: '1f3e0' } }, shows: /🏠/ },
  icon: {
    inline: { object: 'inline', type: 'icon', isVoid: true, data: { icon: 'rocket', color: 'red' } },
    shows: /<span class="ink-red"><svg/,
  },
  'inline-image': {
    inline: {
      object: 'inline',
      type: 'inline-image',
      isVoid: true,
      data: { ref: url('logo.png'), alt: 'Logo', size: 'line' },
    },
    shows: /<img[^>]*line-high[^>]*src="\/files\/logo.png"[^>]*alt="Logo"/,
  },
  'inline-math': {
    inline: { object: 'inline', type: 'inline-math', isVoid: true, data: { formula: 'x^2' } },
    shows: /<math><msup><mi>x<\/mi><mn[^>]*>2<\/mn><\/msup><\/math>/,
  },
  expression: {
    inline: {
      object: 'inline',
      type: 'expression',
      isVoid: true,
      data: { expression: 'space.vars.version' },
    },
    shows: /<p>4\.2<\/p>/,
  },
  annotation: {
    inline: {
      object: 'inline',
      type: 'annotation',
      data: {},
      nodes: [text('tenant')],
      fragments: [
        { object: 'fragment', type: 'annotation-body', nodes: [paragraph('An isolated customer.')] },
      ],
    },
    shows: /role="doc-noteref"[^>]*>tenant<\/a>.*<li id="~note-1"><p>An isolated customer\./s,
  },
  button: {
    inline: {
      object: 'inline',
      type: 'button',
      isVoid: true,
      data: { label: 'Start', kind: 'primary', ref: page('install') },
    },
    shows: /<a class="button primary" href="\/install">Start<\/a>/,
  },
  'inline-if': {
    inline: {
      object: 'inline',
      type: 'inline-if',
      data: { expression: 'space.vars.version' },
      nodes: [text('versioned')],
    },
    shows: /<p>versioned<\/p>/,
  },
  'inline-html': {
    inline: { object: 'inline', type: 'inline-html', isVoid: true, data: { html: '<ins>new</ins>' } },
    shows: /<ins>new<\/ins>/,
  },
}

/** A table displayed as cards, with light and dark covers, a target, text and a number. */
export const CARDS: BlockOf<'table'> = {
  object: 'block',
  type: 'table',
  isVoid: true,
  data: {
    view: {
      type: 'cards',
      cardSize: 'medium',
      columns: ['title', 'text', 'count', 'target', 'cover'],
      targetDefinition: 'target',
      coverDefinition: 'cover',
      coverDefinitionDark: 'dark',
    },
    definition: {
      title: { id: 'title', title: 'Title', type: 'text', textAlignment: 'left' },
      text: { id: 'text', title: 'Text', type: 'text', textAlignment: 'left' },
      count: { id: 'count', title: 'Pages', type: 'number' },
      target: { id: 'target', title: 'Target', type: 'content-ref' },
      cover: { id: 'cover', title: 'Cover', type: 'image' },
      dark: { id: 'dark', title: 'Dark cover', type: 'image' },
    },
    records: {
      c1: {
        orderIndex: '1',
        values: {
          title: 't1',
          text: 'd1',
          count: 12,
          target: page('install'),
          cover: url('c.png'),
          dark: { ref: url('d.png'), objectFit: 'contain' },
        },
      },
      c2: {
        orderIndex: '2',
        values: { title: 't2', text: 'd2', count: null, target: page('gone'), cover: null, dark: null },
      },
    },
  },
  fragments: [
    {
      object: 'fragment',
      fragment: 't1',
      nodes: [paragraph(text('Get started', { object: 'mark', type: 'bold' }))],
    },
    { object: 'fragment', fragment: 'd1', nodes: [paragraph('From nothing to a page in a minute.')] },
    {
      object: 'fragment',
      fragment: 't2',
      nodes: [paragraph(text('Go further', { object: 'mark', type: 'bold' }))],
    },
    { object: 'fragment', fragment: 'd2', nodes: [paragraph('What to read next.')] },
  ],
}

/** All blocks and inlines as one page, headings first. */
export const EVERY_NODE: Document = documentOf(
  paragraph(
    'Words with marks: ',
    text('bold', { object: 'mark', type: 'bold' }),
    ', ',
    text('code', { object: 'mark', type: 'code' }),
    '.',
  ),
  ...Object.values(BLOCKS)
    .map(({ block }) => block)
    .filter(
      (block) => !['list-item', 'code-line', 'stepper-step', 'column', 'tabs-item'].includes(block.type),
    ),
  CARDS,
  ...Object.values(INLINES).map(({ inline }) => paragraph('Inline: ', inline)),
)
