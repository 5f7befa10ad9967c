import fc from 'fast-check'

import { block, defined, fragment, line, paragraph, voidBlock } from '../../src/core/document/build.ts'
import type { Block, Fragment, Length, Mark } from '../../src/core/document/model.ts'
import { anyLine, anyText, codeOf, flag, label, maybe, ref, some, url, yes } from './lines.ts'

/** Blocks without child blocks, and HTML. */

const align = maybe(fc.constantFrom('start' as const, 'center' as const, 'end' as const))
export const aParagraph: fc.Arbitrary<Block> = fc.oneof(
  { weight: 5, arbitrary: anyLine.map((nodes) => paragraph(nodes)) },
  {
    weight: 1,
    arbitrary: fc.record({ nodes: anyLine, align }).map((one) => paragraph(one.nodes, one.align)),
  },
)
export const heading: fc.Arbitrary<Block> = fc
  .record({
    type: fc.constantFrom('heading-1' as const, 'heading-2' as const, 'heading-3' as const),
    nodes: anyLine,
    id: maybe(fc.constantFrom('x', 'a.b-c_d')),
    align: fc.option(align, { nil: undefined, freq: 3 }),
  })
  .map((one) => block(one.type, defined({ id: one.id, align: one.align }), one.nodes))

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
export const code: fc.Arbitrary<Block> = fc.oneof(
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

export const length: fc.Arbitrary<Length> = fc.oneof(
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
export const images: fc.Arbitrary<Block> = fc
  .record({
    data: fc.record({
      align: maybe(fc.constantFrom('left' as const, 'center' as const, 'right' as const)),
      fullWidth: yes,
      withFrame: yes,
    }),
    nodes: fc.array(imageBlock, { minLength: 1, maxLength: 3 }),
  })
  .map((one) => block('images', defined(one.data), one.nodes))

export const plainBlocks: fc.Arbitrary<Block> = fc.oneof(
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
