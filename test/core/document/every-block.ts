import type { BlockOf, BlockType } from '../../../src/core/document/model.ts'
import { caption, code, heading, item, page, paragraph, text, url } from './sample.ts'

/** One block of each type, with the text that must be visible. */
export const BLOCKS: { [T in BlockType]: { block: BlockOf<T>; shows: RegExp } } = {
  paragraph: {
    block: { ...paragraph('Plain words.'), data: { align: 'center' } },
    shows: /<p class="align-center">Plain words\.<\/p>/,
  },
  'heading-1': {
    block: heading('heading-1', 'First heading'),
    shows: /<h2 id="first-heading" class="heading-1">First heading/,
  },
  'heading-2': {
    block: heading('heading-2', 'Second heading'),
    shows: /<h\d id="second-heading" class="heading-2">/,
  },
  'heading-3': {
    block: heading('heading-3', 'Third heading'),
    shows: /<h\d id="third-heading" class="heading-3">/,
  },
  'list-unordered': {
    block: {
      object: 'block',
      type: 'list-unordered',
      data: {},
      nodes: [item(paragraph('one')), item(paragraph('two'))],
    },
    shows: /<ul><li>one<\/li><li>two<\/li><\/ul>/,
  },
  'list-ordered': {
    block: { object: 'block', type: 'list-ordered', data: { start: 3 }, nodes: [item(paragraph('three'))] },
    shows: /<ol start="3"><li>three<\/li><\/ol>/,
  },
  'list-tasks': {
    block: {
      object: 'block',
      type: 'list-tasks',
      data: {},
      nodes: [{ ...item(paragraph('done')), data: { checked: true } }],
    },
    shows: /<ul class="tasks"><li class="task"><span class="check done" role="img" aria-label="Done">/,
  },
  'list-item': {
    block: item(paragraph('alone'), paragraph('and more')),
    shows: /<li><p>alone<\/p><p>and more<\/p><\/li>/,
  },
  divider: { block: { object: 'block', type: 'divider', isVoid: true, data: {} }, shows: /<hr/ },
  blockquote: {
    block: { object: 'block', type: 'blockquote', data: {}, nodes: [paragraph('quoted')] },
    shows: /<blockquote><p>quoted<\/p><\/blockquote>/,
  },
  hint: {
    block: { object: 'block', type: 'hint', data: { style: 'warning' }, nodes: [paragraph('Beware.')] },
    shows: /<div class="hint warning" role="note" aria-label="Warning">.*Beware\./s,
  },
  code: {
    block: code(
      { syntax: 'csharp', title: 'Program.cs', lineNumbers: true, overflow: 'wrap' },
      'var x = 1;',
      'var y = "<b>";',
    ),
    shows:
      /class="code wrap numbered titled".*Program\.cs.*<code class="language-csharp"><span class="line"><span class="tk">var<\/span>x = 1;<\/span><span class="line"><span class="tk">var<\/span>y = &quot;&lt;b&gt;&quot;;<\/span><\/code><\/pre>.*C#.*aria-label="Copy code"/s,
  },
  'code-line': {
    block: { object: 'block', type: 'code-line', data: {}, nodes: [text('bare line')] },
    shows: /<code>bare line<\/code>/,
  },
  math: {
    block: { object: 'block', type: 'math', isVoid: true, data: { formula: '\\frac{a}{b}' } },
    shows: /<math display="block"><mfrac>/,
  },
  images: {
    block: {
      object: 'block',
      type: 'images',
      data: { align: 'left', withFrame: true },
      nodes: [
        {
          object: 'block',
          type: 'image',
          isVoid: true,
          data: { ref: url('a.png'), width: 300 },
          fragments: [caption('The first')],
        },
        {
          object: 'block',
          type: 'image',
          isVoid: true,
          data: { ref: url('b.png'), refDark: url('b-dark.png') },
        },
      ],
    },
    shows:
      /class="images gallery align-left framed".*<figcaption>The first<\/figcaption>.*only-light.*only-dark/s,
  },
  image: {
    block: {
      object: 'block',
      type: 'image',
      isVoid: true,
      data: { ref: url('a.png'), width: 300, alt: 'A picture' },
    },
    shows: /<img[^>]*src="\/files\/a\.png" alt="A picture" width="300" height="150" loading="lazy"/,
  },
  file: {
    block: { object: 'block', type: 'file', isVoid: true, data: { ref: { kind: 'file', file: 'f1' } } },
    shows: /href="\/files\/f1" download>report\.pdf<\/a>.*4\.2 kB/s,
  },
  drawing: {
    block: { object: 'block', type: 'drawing', isVoid: true, data: { ref: { kind: 'file', file: 'd1' } } },
    shows: /<img[^>]*src="\/files\/d1"/,
  },
  embed: {
    block: {
      object: 'block',
      type: 'embed',
      isVoid: true,
      data: { url: 'https://www.youtube.com/watch?v=abcdefghijk' },
    },
    shows: /data-frame="https:\/\/www\.youtube-nocookie\.com\/embed\/abcdefghijk"/,
  },
  'content-ref': {
    block: { object: 'block', type: 'content-ref', isVoid: true, data: { ref: page('install') } },
    shows: /class="link-card".*href="\/install">Installation<\/a>/s,
  },
  'reusable-content': {
    block: {
      object: 'block',
      type: 'reusable-content',
      isVoid: true,
      data: { ref: { kind: 'reusable-content', reusableContent: 'r1' } },
    },
    shows: /Said in many places\./,
  },
  tabs: {
    block: {
      object: 'block',
      type: 'tabs',
      data: {},
      nodes: [
        { object: 'block', type: 'tabs-item', data: { title: 'npm' }, nodes: [paragraph('npm install')] },
        { object: 'block', type: 'tabs-item', data: { title: 'pnpm' }, nodes: [paragraph('pnpm add')] },
      ],
    },
    shows:
      /role="tablist".*role="tab" id="~tab-tab-npm" aria-controls="tab-npm" aria-selected="true".*aria-selected="false" tabindex="-1".*class="tab-panel selected" role="tabpanel" id="tab-npm".*<p class="tab-title">pnpm<\/p><p>pnpm add<\/p>/s,
  },
  'tabs-item': {
    block: {
      object: 'block',
      type: 'tabs-item',
      data: { title: 'lost' },
      nodes: [paragraph('a panel alone')],
    },
    shows: /a panel alone/,
  },
  stepper: {
    block: {
      object: 'block',
      type: 'stepper',
      data: {},
      nodes: [
        {
          object: 'block',
          type: 'stepper-step',
          data: {},
          nodes: [heading('heading-3', 'Step one'), paragraph('Do it.')],
        },
      ],
    },
    shows: /<ol class="stepper"><li class="step">.*Step one.*Do it\..*<\/li><\/ol>/s,
  },
  'stepper-step': {
    block: { object: 'block', type: 'stepper-step', data: { icon: 'rocket' }, nodes: [paragraph('a step')] },
    shows: /<li class="step with-icon">.*step-icon.*<svg.*a step/s,
  },
  columns: {
    block: {
      object: 'block',
      type: 'columns',
      data: {},
      nodes: [
        {
          object: 'block',
          type: 'column',
          data: { width: { unit: '%', value: 33.3 } },
          nodes: [paragraph('left')],
        },
      ],
    },
    shows: /<div class="columns"><div class="column share-35"><p>left/,
  },
  column: {
    block: {
      object: 'block',
      type: 'column',
      data: { verticalAlignment: 'middle' },
      nodes: [paragraph('col')],
    },
    shows: /class="column vertical-middle"/,
  },
  expandable: {
    block: {
      object: 'block',
      type: 'expandable',
      isVoid: true,
      data: { defaultExpanded: true },
      fragments: [
        { object: 'fragment', fragment: 'expandable-title', nodes: [paragraph('Why?')] },
        { object: 'fragment', fragment: 'expandable-body', nodes: [paragraph('Because.')] },
      ],
    },
    shows: /<details class="expandable" id="details-why" open><summary>Why\?<\/summary>.*Because\./s,
  },
  table: {
    block: {
      object: 'block',
      type: 'table',
      isVoid: true,
      data: {
        view: {
          type: 'grid',
          columns: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'],
          columnWidths: { a: 200 },
          hideHeader: false,
        },
        definition: {
          a: { id: 'a', title: 'Name', type: 'text', textAlignment: 'right' },
          b: { id: 'b', title: 'Count', type: 'number' },
          c: { id: 'c', title: 'Ready', type: 'checkbox' },
          d: { id: 'd', title: 'Page', type: 'content-ref' },
          e: { id: 'e', title: 'Stars', type: 'rating', max: 5 },
          f: {
            id: 'f',
            title: 'Kind',
            type: 'select',
            multiple: false,
            options: [{ value: 'x', label: 'Extra', color: 'blue' }],
          },
          g: { id: 'g', title: 'Files', type: 'files' },
          h: { id: 'h', title: 'Who', type: 'users', multiple: true },
          i: { id: 'i', title: 'Cover', type: 'image' },
        },
        records: {
          r2: {
            orderIndex: 'b',
            values: { a: null, b: 2, c: false, d: null, e: null, f: [], g: [], h: [], i: null },
          },
          r1: {
            orderIndex: 'a',
            values: {
              a: 'cell1',
              b: 1.5,
              c: true,
              d: page('install'),
              e: 3,
              f: ['x'],
              g: ['f1'],
              h: ['u1'],
              i: url('a.png'),
            },
          },
        },
      },
      fragments: [{ object: 'fragment', fragment: 'cell1', nodes: [paragraph('First row')] }],
    },
    shows:
      /<col width="200">.*<th scope="col" class="align-right">Name<\/th>.*First row.*1\.5.*aria-label="Yes".*href="\/install".*aria-label="3 of 5".*wash-blue">Extra.*report\.pdf.*Ada Lovelace.*a\.png.*<\/tr>.*aria-label="No"/s,
  },
  if: {
    block: {
      object: 'block',
      type: 'if',
      data: { expression: 'visitor.claims.beta' },
      nodes: [paragraph('For beta users')],
    },
    shows: /For beta users/,
  },
  integration: {
    block: {
      object: 'block',
      type: 'integration',
      isVoid: true,
      data: { integration: 'mermaid', block: 'diagram', props: { content: 'graph TD; A-->B' } },
    },
    shows: /graph TD; A--&gt;B/,
  },
  swagger: {
    block: { object: 'block', type: 'swagger', isVoid: true, data: { path: '/pets', method: 'get' } },
    shows: /GET.*\/pets/s,
  },
  'openapi-operation': {
    block: {
      object: 'block',
      type: 'openapi-operation',
      isVoid: true,
      data: { ref: { kind: 'openapi', spec: 'pets' }, path: '/pets/{id}', method: 'delete' },
    },
    shows: /DELETE.*\/pets\/\{id\}/s,
  },
  'openapi-schemas': {
    block: {
      object: 'block',
      type: 'openapi-schemas',
      isVoid: true,
      data: { ref: { kind: 'openapi', spec: 'pets' }, schemas: ['Pet', 'Owner'] },
    },
    shows: /Pet.*Owner/s,
  },
  'openapi-webhook': {
    block: {
      object: 'block',
      type: 'openapi-webhook',
      isVoid: true,
      data: { ref: { kind: 'openapi', spec: 'pets' }, name: 'petAdded', method: 'post' },
    },
    shows: /POST.*petAdded/s,
  },
  updates: {
    block: {
      object: 'block',
      type: 'updates',
      data: { format: 'short' },
      nodes: [
        {
          object: 'block',
          type: 'update',
          data: { date: '2026-01-31', tags: ['fixes'] },
          nodes: [paragraph('Faster.')],
        },
      ],
    },
    shows: /<time class="update-date" datetime="2026-01-31">Jan 31, 2026<\/time>.*Bug fixes.*Faster\./s,
  },
  update: {
    block: { object: 'block', type: 'update', data: { date: 'someday' }, nodes: [paragraph('Later.')] },
    shows: /someday.*Later\./s,
  },
  prompt: {
    block: {
      object: 'block',
      type: 'prompt',
      data: { description: 'Ask for a plan', defaultExpanded: 'full' },
      nodes: [code({ syntax: 'text' }, 'Write a plan.')],
    },
    shows: /<details class="expandable prompt" open><summary>Ask for a plan.*Write a plan\./s,
  },
  html: {
    block: {
      object: 'block',
      type: 'html',
      isVoid: true,
      data: { html: '<p style="text-align:center">Raw <u>words</u></p>' },
    },
    shows: /<p align="center">Raw<u>words<\/u><\/p>/,
  },
}
