import fc from 'fast-check'

import {
  block,
  defined,
  fragment,
  inline,
  line,
  paragraph,
  voidBlock,
  voidInline,
} from '../../src/core/document/build.ts'
import type { Line, Run } from '../../src/core/document/build.ts'
import type {
  Block,
  ButtonAction,
  CellValue,
  ColumnDefinition,
  ContentRef,
  Document,
  Fragment,
  Length,
  Mark,
} from '../../src/core/document/model.ts'

/** Documents of every kind of block and inline, with text that looks like Markdown, for tests of laws. */

const NASTY = [
  '*',
  '**',
  '_',
  '__',
  '`',
  '``',
  '~',
  '~~',
  '[',
  ']',
  '](x)',
  '[^1]',
  '[a]: b',
  '![',
  '!',
  '(',
  ')',
  '<',
  '>',
  '<b>',
  '</b>',
  '<!--',
  '-->',
  '&',
  '&amp;',
  '&#x20;',
  '&copy',
  '{%',
  '%}',
  '{% hint style="info" %}',
  '{% endhint %}',
  '{\\%',
  '|',
  '| a | b |',
  '|-|-|',
  '---',
  '***',
  '===',
  '-',
  '+',
  '#',
  '##',
  '# ',
  '1.',
  '1)',
  '12. ',
  '- ',
  '* ',
  '+ ',
  '> ',
  ':',
  ':smile:',
  ':x:',
  ':heavy_check_mark:',
  '\\',
  '\\\\',
  '\\:',
  '$',
  '$$',
  '```',
  '~~~',
  ' ',
  '  ',
  '    ',
  '\t',
  '\n',
  '\n\n',
  'www.example.com',
  'https://example.com/a_b*c',
  'a@b.co',
  'mailto:a@b.co',
  'snake_case',
  '中文',
  '。',
  '“',
  '\u00a0',
  '😀',
  'e\u0301',
  'a',
  'b',
  'word',
  'Two words',
  '0',
  '"',
  "'",
  '=',
  '%',
  '{',
  '}',
  '/',
  '<span></span>',
  '<p>',
  '<div>',
  '<img src="x">',
  '<details>',
  '[ ] ',
  '[x] ',
  '{{ x }}',
  '=\n',
  '$x$',
]

const piece = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...NASTY) },
  {
    weight: 3,
    arbitrary: fc.constantFrom('word', 'Two words', 'a', 'some text ', ' and more', '1', '中文字'),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }).map(tidy) },
)

/** Characters that no Markdown holds: NUL and halves of pairs; a carriage return is a line break. */
function tidy(text: string): string {
  return text.replace(/[\0\r]/g, '').toWellFormed()
}

const anyText = fc.array(piece, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''))
/** Text on one line, as attributes and labels hold it. */
const label = anyText.map((text) => text.replace(/\s*\n\s*/g, ' ').trim())
const some = label.filter((text) => text !== '')
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const flag = maybe(fc.boolean())
const yes = maybe(fc.constant(true))

const ID = 'abcdefgh0123456789abcd'
const url = fc.oneof(
  fc.constantFrom(
    'https://example.com/',
    'page.md',
    '../a/b.md#anchor',
    '.gitbook/assets/a b (1).png',
    'mailto:a@b.co',
    'x_y*z',
    'a(b',
    'a<b>c',
    'a\\b',
    '?a=1&copy;=2',
    'a|b',
    'broken-reference',
    '中文.md',
    '{% hint %}',
    'a\\:b:',
  ),
  some,
)
const ref: fc.Arbitrary<ContentRef> = fc.oneof(
  {
    weight: 5,
    arbitrary: url
      .filter((one) => !one.startsWith('/') && !one.startsWith('#'))
      .map((one): ContentRef => ({ kind: 'url', url: one })),
  },
  fc.constantFrom<ContentRef>(
    { kind: 'page', page: ID },
    { kind: 'page', page: ID, space: ID },
    { kind: 'anchor', anchor: 'some-anchor' },
    { kind: 'anchor', anchor: '中文', page: ID },
    { kind: 'anchor', anchor: 'x', page: ID, space: ID },
    { kind: 'file', file: ID },
    { kind: 'file', file: ID, space: ID },
    { kind: 'user', user: ID },
    { kind: 'space', space: ID },
    { kind: 'collection', collection: ID },
    { kind: 'reusable-content', reusableContent: ID },
    { kind: 'tag', tag: 'news' },
    { kind: 'openapi', spec: 'petstore' },
  ),
)

const marks: fc.Arbitrary<Mark[]> = fc
  .subarray(['bold', 'italic', 'code', 'keyboard', 'strikethrough', 'superscript', 'subscript'] as const, {
    maxLength: 3,
  })
  .chain((types) =>
    maybe(
      fc
        .record({
          text: maybe(fc.constantFrom('red', '$primary', '#ff0000')),
          background: maybe(fc.constantFrom('blue', 'purple')),
        })
        .filter((data) => data.text !== undefined || data.background !== undefined),
    ).map((data): Mark[] => [
      ...types.map((type): Mark => ({ object: 'mark', type })),
      ...(data ? [{ object: 'mark' as const, type: 'color' as const, data: defined(data) }] : []),
    ]),
  )
const noMarks = fc.constant<Mark[]>([])
const fewMarks = fc.oneof({ weight: 3, arbitrary: noMarks }, { weight: 2, arbitrary: marks })

const textRun = fc.record({ text: anyText, marks: fewMarks })
const image: fc.Arbitrary<Run> = fc
  .record({
    ref,
    refDark: maybe(ref),
    caption: maybe(some),
    alt: maybe(some),
    size: maybe(fc.constantFrom('line' as const, 'original' as const)),
  })
  .map((data) => voidInline('inline-image', defined(data)))
const action: fc.Arbitrary<ButtonAction> = fc.oneof(
  fc
    .record({ action: fc.constantFrom('search' as const, 'ask' as const), query: maybe(some) })
    .map((one) => defined(one)),
  some.map((slug): ButtonAction => ({ action: 'select', slug })),
)

const voids: fc.Arbitrary<Run> = fc.oneof(
  ref.map((one): Run => voidInline('mention', { ref: one })),
  fc
    .constantFrom('1f604', '274c', '1f468-200d-1f4bb', '1f9ff', '2714-fe0f')
    .map((code): Run => voidInline('emoji', { code })),
  fc
    .record({ icon: fc.constantFrom('cookie', 'book-open'), color: maybe(fc.constantFrom('red', '$info')) })
    .map((data): Run => voidInline('icon', defined(data))),
  image,
  some.map((formula): Run => voidInline('inline-math', { formula })),
  some.map((expression): Run => voidInline('expression', { expression })),
  fc
    .record({
      label,
      kind: fc.constantFrom('primary' as const, 'secondary' as const),
      icon: maybe(fc.constant('rocket')),
      ref: maybe(ref),
      action: maybe(action),
    })
    .map((data): Run => voidInline('button', defined(data))),
)

const innerRuns = fc.array(fc.oneof({ weight: 4, arbitrary: textRun }, { weight: 1, arbitrary: image }), {
  maxLength: 3,
})
const oneLine = (runs: Run[]): Line =>
  line(runs.map((run) => ('marks' in run ? { ...run, text: run.text.replace(/\n/g, ' ') } : run)))
const link: fc.Arbitrary<Run> = fc
  .record({ ref, runs: innerRuns })
  .map((one): Run => inline('link', { ref: one.ref }, line(one.runs)))

/** Inline HTML stands in pairs, as it does where it means anything. */
const markup = fc
  .record({ name: fc.constantFrom('u', 'small', 'span class="x"', 'abbr title="a"'), run: textRun })
  .map(({ name, run }): Run[] => [
    voidInline('inline-html', { html: `<${name}>` }),
    run,
    voidInline('inline-html', { html: `</${name.split(' ')[0]}>` }),
  ])

const annotation = (body: fc.Arbitrary<Block[]>): fc.Arbitrary<Run> =>
  fc
    .record({ runs: fc.array(textRun, { maxLength: 2 }), body })
    .map((one): Run =>
      inline('annotation', {}, line(one.runs), [
        { object: 'fragment', type: 'annotation-body', nodes: one.body },
      ]),
    )

const simple = line([{ text: 'note', marks: [] }])
const noteBody = fc.oneof(
  fc.constant<Block[]>([paragraph(simple)]),
  fc.array(
    fc.oneof(
      anyText.map((text): Block => paragraph(text)),
      fc.constant<Block>(codeOf(['a', '', '  b'], {})),
    ),
    { minLength: 1, maxLength: 2 },
  ),
)

/** The runs of a line; `annotated` allows annotations, which do not stand in footnotes. */
const runs = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: textRun.map((run): Run[] => [run]) },
      { weight: 2, arbitrary: voids.map((run): Run[] => [run]) },
      { weight: 2, arbitrary: link.map((run): Run[] => [run]) },
      { weight: 1, arbitrary: markup },
      { weight: 1, arbitrary: annotation(noteBody).map((run): Run[] => [run]) },
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.flat())
const anyLine = runs.map(line)

const align = maybe(fc.constantFrom('start' as const, 'center' as const, 'end' as const))
const aParagraph: fc.Arbitrary<Block> = fc.oneof(
  { weight: 5, arbitrary: anyLine.map((nodes) => paragraph(nodes)) },
  {
    weight: 1,
    arbitrary: fc.record({ nodes: anyLine, align }).map((one) => paragraph(one.nodes, one.align)),
  },
)
const heading: fc.Arbitrary<Block> = fc
  .record({
    type: fc.constantFrom('heading-1' as const, 'heading-2' as const, 'heading-3' as const),
    nodes: anyLine,
    id: maybe(fc.constantFrom('x', 'a.b-c_d')),
    align: fc.option(align, { nil: undefined, freq: 3 }),
  })
  .map((one) => block(one.type, defined({ id: one.id, align: one.align }), one.nodes))

function codeOf(lines: string[], data: object): Block {
  return block(
    'code',
    data,
    lines.map((text) => block('code-line', {}, line([{ text, marks: [] }]))),
  )
}

const codeText = fc.oneof(
  fc.constantFrom(
    '',
    '```',
    '  indented',
    '\tx',
    '{% hint %}',
    '$$',
    '&amp;',
    '</pre>',
    'let a = 1',
    '> q',
    '* x',
    '~~~~',
  ),
  label,
)
const codeOptions = fc
  .record({
    syntax: maybe(fc.constantFrom('js', 'c++', 'c#', 'a`b', 'x&amp;y', 'a\\b', 'mermaid')),
    title: maybe(some),
    overflow: maybe(fc.constantFrom('wrap' as const, 'scroll' as const)),
    lineNumbers: yes,
    fullWidth: yes,
    expandable: yes,
  })
  .map((data) => defined(data))
const code: fc.Arbitrary<Block> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .record({
        lines: fc.array(codeText, { minLength: 1, maxLength: 4 }),
        data: fc.oneof(fc.constant({}), codeOptions),
      })
      .map((one) => codeOf(one.lines, one.data)),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({
        data: codeOptions,
        lines: fc.array(
          fc.record({
            highlighted: fc.boolean(),
            runs: fc.array(
              fc.record({
                text: codeText,
                marks: fc.constantFrom<Mark[]>([], [{ object: 'mark', type: 'italic' }]),
              }),
              { maxLength: 3 },
            ),
          }),
          { minLength: 1, maxLength: 3 },
        ),
      })
      .map(({ data, lines }) =>
        block(
          'code',
          data,
          lines.map((one) =>
            block('code-line', one.highlighted ? { highlighted: true } : {}, line(one.runs)),
          ),
        ),
      ),
  },
)

const length: fc.Arbitrary<Length> = fc.oneof(
  fc.constantFrom(563, 12.5),
  fc.record({ unit: fc.constantFrom('px' as const, '%' as const), value: fc.constantFrom(50, 33.3) }),
)
const caption = (inside: fc.Arbitrary<Block>): fc.Arbitrary<Fragment[]> =>
  fc
    .array(inside, { maxLength: 2 })
    .map((nodes) => (nodes.length === 0 || isBlankParagraph(nodes) ? [] : [fragment('caption', nodes)]))

function isBlankParagraph(nodes: Block[]): boolean {
  return (
    nodes.length === 1 &&
    nodes[0]?.type === 'paragraph' &&
    JSON.stringify(nodes[0].nodes) === JSON.stringify(line([]))
  )
}

const imageBlock: fc.Arbitrary<Block> = fc
  .record({
    data: fc.record({
      ref,
      refDark: maybe(ref),
      width: maybe(length),
      height: maybe(length),
      alt: maybe(some),
    }),
    captions: caption(anyLine.map((nodes) => paragraph(nodes))),
  })
  .map((one) => voidBlock('image', defined(one.data), one.captions))
const images: fc.Arbitrary<Block> = fc
  .record({
    data: fc.record({
      align: maybe(fc.constantFrom('left' as const, 'center' as const, 'right' as const)),
      fullWidth: yes,
      withFrame: yes,
    }),
    nodes: fc.array(imageBlock, { minLength: 1, maxLength: 3 }),
  })
  .map((one) => block('images', defined(one.data), one.nodes))

const plainBlocks: fc.Arbitrary<Block> = fc.oneof(
  { weight: 4, arbitrary: aParagraph },
  { weight: 2, arbitrary: heading },
  { weight: 2, arbitrary: code },
  { weight: 1, arbitrary: images },
  fc.constant<Block>(voidBlock('divider', {})),
  fc
    .oneof(label, fc.constantFrom('a\nb', 'x $$ y', '$$\n$$$', '  a'))
    .map((formula): Block => voidBlock('math', { formula })),
  fc
    .record({ data: fc.record({ ref }), captions: caption(anyLine.map((nodes) => paragraph(nodes))) })
    .map((one) => voidBlock('file', one.data, one.captions)),
  maybe(ref).map((one) => voidBlock('drawing', defined({ ref: one }))),
  fc
    .record({
      data: fc.record({ url, fullWidth: flag }),
      captions: caption(anyLine.map((nodes) => paragraph(nodes))),
    })
    .map((one) => voidBlock('embed', defined(one.data), one.captions)),
  ref.map((one) => voidBlock('content-ref', { ref: one })),
  ref.map((one) => voidBlock('reusable-content', { ref: one })),
  fc
    .record({
      integration: fc.constant('mermaid'),
      block: fc.constant('diagram'),
      props: fc.dictionary(
        fc.constantFrom('content', 'size', 'on', 'list', 'deep'),
        fc.oneof(anyText, fc.boolean(), fc.integer(), fc.constantFrom(null, ['%}', '"'], { a: '{% x %}' })),
        { maxKeys: 3 },
      ),
      url: maybe(url),
      fullWidth: flag,
    })
    .map((data) => voidBlock('integration', { ...defined(data), props: { ...data.props } })),
  fc
    .record({ ref, path: maybe(some), method: maybe(fc.constant('get')), expanded: flag, fullWidth: flag })
    .map((data) => voidBlock('swagger', defined(data))),
  fc
    .record({ path: some, method: fc.constant('post') })
    .map((data) => voidBlock('openapi-operation', { ref: { kind: 'openapi', spec: 'petstore' }, ...data })),
  flag.map((grouped) =>
    voidBlock(
      'openapi-schemas',
      defined({ ref: { kind: 'openapi' as const, spec: 'p' }, schemas: ['A', 'B'], grouped }),
    ),
  ),
  some.map((name) =>
    voidBlock('openapi-webhook', { ref: { kind: 'openapi', spec: 'petstore' }, name, method: 'post' }),
  ),
  fc.constantFrom<Block>(
    voidBlock('html', { html: '<center>\nraw\n</center>' }),
    voidBlock('html', { html: '<!-- a\n\nb -->' }),
    voidBlock('html', { html: '<div class="x">' }),
    voidBlock('html', { html: '</div>' }),
    voidBlock('html', { html: '<table><tr><td colspan="2">x</td></tr></table>' }),
    voidBlock('html', { html: '', markdown: '[def]: https://example.com "t"' }),
  ),
)

/** Blocks that HTML can hold, as in the cells of a table. */
const cellBlocks: fc.Arbitrary<Block[]> = fc.oneof(
  { weight: 5, arbitrary: anyLine.map((nodes) => [paragraph(nodes)]) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.oneof(aParagraph, heading, code, images, fc.constant<Block>(voidBlock('divider', {}))),
      { minLength: 1, maxLength: 3 },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.array(anyLine, { minLength: 1, maxLength: 2 }).map((lines) => [
      block(
        'list-unordered',
        {},
        lines.map((nodes) => block('list-item', {}, [paragraph(nodes)])),
      ),
    ]),
  },
)

const column = (id: string): fc.Arbitrary<ColumnDefinition> =>
  label.chain((title) =>
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc
          .record({
            textAlignment: fc.constantFrom('left' as const, 'center' as const, 'right' as const),
            verticalAlignment: fc.option(fc.constantFrom('top' as const, 'middle' as const), {
              nil: undefined,
              freq: 6,
            }),
          })
          .map((more): ColumnDefinition => defined({ id, title, type: 'text' as const, ...more })),
      },
      {
        weight: 2,
        arbitrary: fc
          .constantFrom(
            'number' as const,
            'checkbox' as const,
            'files' as const,
            'content-ref' as const,
            'image' as const,
          )
          .map((type): ColumnDefinition => ({ id, title, type })),
      },
      fc.boolean().map((multiple): ColumnDefinition => ({ id, title, type: 'users', multiple })),
      fc.constantFrom(3, 5).map((max): ColumnDefinition => ({ id, title, type: 'rating', max })),
      fc
        .record({
          multiple: fc.boolean(),
          options: fc.array(
            fc.record({
              value: fc.constantFrom('a', 'b'),
              label: some,
              color: fc.constantFrom('red', '#fff'),
            }),
            { maxLength: 2 },
          ),
        })
        .map((more): ColumnDefinition => ({ id, title, type: 'select', ...more })),
    ),
  )

const OTHER: Record<Exclude<ColumnDefinition['type'], 'text'>, fc.Arbitrary<CellValue>> = {
  number: fc.constantFrom<CellValue>(0, 1.5, -3, null),
  rating: fc.constantFrom<CellValue>(1, 3, null),
  checkbox: fc.constantFrom<CellValue>(true, false, null),
  files: fc.constantFrom<CellValue>([ID], ['a b (1).png', ID], [], null),
  users: fc.constantFrom<CellValue>([ID], null),
  'content-ref': fc.oneof(ref, fc.constant(null)),
  image: fc.oneof(
    ref,
    fc.constant(null),
    fc
      .record({
        ref,
        objectFit: maybe(fc.constantFrom('contain' as const, 'cover' as const)),
        alt: maybe(some),
      })
      .filter((one) => one.alt !== undefined || one.objectFit !== undefined)
      .map((one) => defined(one)),
  ),
  select: fc.constantFrom<CellValue>(['a'], ['a', 'b'], null),
}

const table: fc.Arbitrary<Block> = fc
  .record({
    plain: fc.boolean(),
    count: fc.integer({ min: 1, max: 3 }),
    rows: fc.integer({ min: 0, max: 3 }),
  })
  .chain(({ plain, count, rows }) =>
    fc
      .tuple(
        ...Array.from({ length: count }, (_, index) =>
          plain
            ? label.map((title): ColumnDefinition => ({
                id: `k${index}`,
                title,
                type: 'text',
                textAlignment: 'left',
              }))
            : column(`k${index}`),
        ),
      )
      .chain((columns) =>
        fc
          .record({
            cells: fc.tuple(
              ...Array.from({ length: rows }, () =>
                fc.tuple(
                  ...columns.map((one): fc.Arbitrary<Block[] | { value: CellValue }> =>
                    one.type === 'text'
                      ? plain
                        ? anyLine.map((nodes) => [paragraph(nodes)])
                        : cellBlocks
                      : OTHER[one.type].map((value) => ({ value })),
                  ),
                ),
              ),
            ),
            hidden: fc.integer({ min: 0, max: plain ? 0 : count - 1 }),
            kind: plain ? fc.constant('plain' as const) : fc.constantFrom('grid' as const, 'cards' as const),
            hideHeader: fc.boolean(),
            large: fc.boolean(),
            sized: fc.boolean(),
            pixels: fc.boolean(),
            fullWidth: yes,
            search: flag,
            cover: fc.boolean(),
            wrap: flag,
          })
          .map((one) => tableOf(columns, one)),
      ),
  )

interface TableParts {
  cells: (Block[] | { value: CellValue })[][]
  hidden: number
  kind: 'plain' | 'grid' | 'cards'
  hideHeader: boolean
  large: boolean
  sized: boolean
  pixels: boolean
  fullWidth?: true
  search?: boolean
  cover: boolean
  wrap?: boolean
}

function tableOf(columns: ColumnDefinition[], parts: TableParts): Block {
  const fragments: Fragment[] = []
  const records = parts.cells.map((row, index) => {
    const values = row.map((cell, at): [string, CellValue] => {
      const { id } = columns[at] as ColumnDefinition
      if (!Array.isArray(cell)) return [id, cell.value]
      fragments.push(fragment(`f${index}${id}`, cell))
      return [id, `f${index}${id}`]
    })
    return [`row${index}`, { orderIndex: `a${index}`, values: Object.fromEntries(values) }] as const
  })
  const ids = columns.map(({ id }) => id)
  const shown = ids.slice(0, ids.length - parts.hidden)
  const [first = ''] = ids
  const grid = defined({
    type: 'grid' as const,
    columns: shown,
    hideHeader: parts.kind === 'grid' && parts.hideHeader,
    columnWidths: parts.kind === 'grid' && parts.sized ? { [first]: 120 } : undefined,
    useNewSizing: parts.kind === 'grid' && parts.sized && parts.pixels ? true : undefined,
  })
  const cards = defined({
    type: 'cards' as const,
    cardSize: parts.large ? ('large' as const) : ('medium' as const),
    columns: shown,
    targetDefinition: parts.cover ? ids.at(-1) : undefined,
    coverDefinition: parts.cover ? first : undefined,
    hideColumnTitle: parts.sized ? true : undefined,
    wrap: parts.wrap,
  })
  const options = parts.kind === 'plain' ? {} : defined({ fullWidth: parts.fullWidth, search: parts.search })
  const view = parts.kind === 'cards' ? cards : grid
  const definition = Object.fromEntries(columns.map((one) => [one.id, one]))
  return voidBlock('table', { view, definition, records: Object.fromEntries(records), ...options }, fragments)
}

/** Blocks of every type, nested to a depth. */
function blockAt(depth: number): fc.Arbitrary<Block> {
  if (depth === 0) return plainBlocks
  const inside = blocksAt(depth - 1)
  const items = (checked: fc.Arbitrary<boolean | undefined>) =>
    fc
      .array(fc.record({ checked, nodes: inside }), { minLength: 1, maxLength: 3 })
      .map((all) => all.map((one) => block('list-item', defined({ checked: one.checked }), one.nodes)))
  const members = (make: (nodes: Block[]) => fc.Arbitrary<Block>) =>
    fc.array(inside.chain(make), { minLength: 1, maxLength: 2 })

  return fc.oneof(
    { weight: 8, arbitrary: plainBlocks },
    {
      weight: 2,
      arbitrary: items(fc.constant(undefined)).map((nodes) => block('list-unordered', {}, nodes)),
    },
    {
      weight: 2,
      arbitrary: fc
        .record({ nodes: items(fc.constant(undefined)), start: maybe(fc.constantFrom(0, 2, 10)) })
        .map((one) => block('list-ordered', defined({ start: one.start }), one.nodes)),
    },
    { weight: 1, arbitrary: items(fc.boolean()).map((nodes) => block('list-tasks', {}, nodes)) },
    { weight: 1, arbitrary: inside.map((nodes) => block('blockquote', {}, nodes)) },
    {
      weight: 2,
      arbitrary: fc
        .record({
          style: fc.constantFrom('info' as const, 'warning' as const),
          icon: maybe(fc.constant('books')),
          nodes: inside,
        })
        .map((one) => block('hint', defined({ style: one.style, icon: one.icon }), one.nodes)),
    },
    {
      weight: 1,
      arbitrary: fc
        .record({
          nodes: members((nodes) =>
            maybe(some).map((title) => block('tabs-item', defined({ title }), nodes)),
          ),
          fullWidth: flag,
        })
        .map((one) => block('tabs', defined({ fullWidth: one.fullWidth }), one.nodes)),
    },
    {
      weight: 1,
      arbitrary: members((nodes) =>
        maybe(fc.constant('star')).map((icon) => block('stepper-step', defined({ icon }), nodes)),
      ).map((nodes) => block('stepper', {}, nodes)),
    },
    {
      weight: 1,
      arbitrary: members((nodes) =>
        fc
          .record({ width: maybe(length), verticalAlignment: maybe(fc.constant('middle' as const)) })
          .map((data) => block('column', defined(data), nodes)),
      ).map((nodes) => block('columns', {}, nodes)),
    },
    {
      weight: 1,
      arbitrary: fc
        .record({
          expression: fc.constantFrom('visitor.claims.a == true', "x.y == 'a' && b > 1", '"%}" in z'),
          nodes: inside,
        })
        .map((one) => block('if', { expression: one.expression }, one.nodes)),
    },
    {
      weight: 1,
      arbitrary: members((nodes) =>
        maybe(fc.constant<string[]>(['a', 'b'])).map((tags) =>
          block('update', defined({ date: '2026-01-31', tags }), nodes),
        ),
      ).map((nodes) => block('updates', { format: 'full' }, nodes)),
    },
    {
      weight: 1,
      arbitrary: fc
        .record({
          data: fc.record({
            description: label,
            icon: maybe(fc.constant('bolt')),
            openInAIProviders: flag,
            defaultExpanded: maybe(fc.constant('partial' as const)),
          }),
          code,
        })
        .map((one) => block('prompt', defined(one.data), [one.code])),
    },
    {
      weight: 1,
      arbitrary: fc
        .record({ open: yes, title: anyLine, nodes: inside })
        .map((one) =>
          voidBlock('expandable', defined({ defaultExpanded: one.open }), [
            fragment('expandable-title', [paragraph(one.title)], 'expandable-title'),
            fragment('expandable-body', one.nodes, 'expandable-body'),
          ]),
        ),
    },
    { weight: 1, arbitrary: table },
    {
      weight: 1,
      arbitrary: fc
        .record({ summary: maybe(some), path: some, nodes: inside })
        .map((one) =>
          voidBlock('swagger', defined({ path: one.path, method: 'get', summary: one.summary }), [
            fragment('swagger-description', one.nodes),
            fragment('swagger-parameter', [paragraph('x')], 'in="path" name="id"'),
          ]),
        ),
    },
  )
}

function blocksAt(depth: number): fc.Arbitrary<Block[]> {
  return fc.array(blockAt(depth), { minLength: 1, maxLength: 3 })
}

/** Documents with blocks nested to a depth of three. */
export const anyDocument: fc.Arbitrary<Document> = fc
  .array(fc.oneof(blockAt(0), blockAt(1), blockAt(2), blockAt(3)), { maxLength: 4 })
  .map((nodes): Document => ({ object: 'document', data: { schemaVersion: 1 }, nodes }))

/** Lines of text, marks and inlines. */
export const anyParagraph: fc.Arbitrary<Block> = aParagraph

/** Text that looks like Markdown. */
export const nastyText: fc.Arbitrary<string> = anyText
