import fc from 'fast-check'

import { block, defined, fragment, paragraph, voidBlock } from '../../src/core/document/build.ts'
import type { Block, Document } from '../../src/core/document/model.ts'
import { aParagraph, code, length, plainBlocks } from './blocks.ts'
import { anyLine, flag, label, maybe, some, yes } from './lines.ts'
import { table } from './tables.ts'

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
    { weight: 1, arbitrary: inside.filter(definesNothing).map((nodes) => block('blockquote', {}, nodes)) },
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

/** In a quote with a definition the parser (satteri 0.10.5) accepts only 1 as the number of a list. */
function definesNothing(nodes: Block[]): boolean {
  return !JSON.stringify(nodes).includes('"markdown":')
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
