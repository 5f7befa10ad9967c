import fc from 'fast-check'

import { block, defined, inline, line, paragraph, voidInline } from '../../src/core/document/build.ts'
import type { InlineRun } from '../../src/core/document/build.ts'
import type { Block, ButtonAction, ContentRef, Mark } from '../../src/core/document/model.ts'

/** Lines of text, marks and inlines of every kind, with text that looks like Markdown. */

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

/** Characters that Markdown cannot contain: NUL and half surrogate pairs; a carriage return is a line break. */
function tidy(text: string): string {
  return text.replace(/[\0\r]/g, '').toWellFormed()
}

export const anyText = fc.array(piece, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''))
/** Text on one line, as in attributes and labels. */
export const label = anyText.map((text) => text.replace(/\s*\n\s*/g, ' ').trim())
export const some = label.filter((text) => text !== '')
export const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
export const flag = maybe(fc.boolean())
export const yes = maybe(fc.constant(true))

export const ID = 'abcdefgh0123456789abcd'
export const url = fc.oneof(
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
export const ref: fc.Arbitrary<ContentRef> = fc.oneof(
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
const image: fc.Arbitrary<InlineRun> = fc
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

const voids: fc.Arbitrary<InlineRun> = fc.oneof(
  ref.map((one): InlineRun => voidInline('mention', { ref: one })),
  fc
    .constantFrom('1f604', '274c', '1f468-200d-1f4bb', '1f9ff', '2714-fe0f')
    .map((code): InlineRun => voidInline('emoji', { code })),
  fc
    .record({ icon: fc.constantFrom('cookie', 'book-open'), color: maybe(fc.constantFrom('red', '$info')) })
    .map((data): InlineRun => voidInline('icon', defined(data))),
  image,
  some.map((formula): InlineRun => voidInline('inline-math', { formula })),
  some.map((expression): InlineRun => voidInline('expression', { expression })),
  fc
    .record({
      label,
      kind: fc.constantFrom('primary' as const, 'secondary' as const),
      icon: maybe(fc.constant('rocket')),
      ref: maybe(ref),
      action: maybe(action),
    })
    .map((data): InlineRun => voidInline('button', defined(data))),
)

const innerRuns = fc.array(fc.oneof({ weight: 4, arbitrary: textRun }, { weight: 1, arbitrary: image }), {
  maxLength: 3,
})
const link: fc.Arbitrary<InlineRun> = fc
  .record({ ref, runs: innerRuns })
  .map((one): InlineRun => inline('link', { ref: one.ref }, line(one.runs)))

/** Inline HTML in pairs, because single tags have no meaning. */
const markup = fc
  .record({ name: fc.constantFrom('u', 'small', 'span class="x"', 'abbr title="a"'), run: textRun })
  .map(({ name, run }): InlineRun[] => [
    voidInline('inline-html', { html: `<${name}>` }),
    run,
    voidInline('inline-html', { html: `</${name.split(' ')[0]}>` }),
  ])

const annotation = (body: fc.Arbitrary<Block[]>): fc.Arbitrary<InlineRun> =>
  fc
    .record({ runs: fc.array(textRun, { maxLength: 2 }), body })
    .map((one): InlineRun =>
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

/** The runs of a line. `annotated` allows annotations, which footnotes cannot contain. */
const runs = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: textRun.map((run): InlineRun[] => [run]) },
      { weight: 2, arbitrary: voids.map((run): InlineRun[] => [run]) },
      { weight: 2, arbitrary: link.map((run): InlineRun[] => [run]) },
      { weight: 1, arbitrary: markup },
      { weight: 1, arbitrary: annotation(noteBody).map((run): InlineRun[] => [run]) },
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.flat())
export const anyLine = runs.map(line)

export function codeOf(lines: string[], data: object): Block {
  return block(
    'code',
    data,
    lines.map((text) => block('code-line', {}, line([{ text, marks: [] }]))),
  )
}

/** Text that looks like Markdown. */
export const nastyText: fc.Arbitrary<string> = anyText
