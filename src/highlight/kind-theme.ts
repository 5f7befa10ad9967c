import type { TokenKind } from '../core/document/html/renderer.ts'

// Grammars assign scopes to code, and a theme assigns colours to scopes. This theme encodes the number of a token kind as a
// colour. Pages then need only short classes, and the style sheet sets the colours of each theme.
const KINDS: readonly TokenKind[] = [
  'comment',
  'keyword',
  'string',
  'constant',
  'function',
  'type',
  'variable',
  'property',
  'tag',
  'inserted',
  'deleted',
  'heading',
  'emphasis',
  'strong',
]

const PLAIN = '#ffffff'

/** The token kind that a colour of the theme encodes. */
export function kindOfColour(colour: string | undefined): TokenKind | undefined {
  return colour === undefined || colour.toLowerCase() === PLAIN
    ? undefined
    : KINDS[Number.parseInt(colour.slice(1), 16)]
}

function rule(
  kind: TokenKind | undefined,
  ...scope: string[]
): { scope: string[]; settings: { foreground: string } } {
  const foreground = kind === undefined ? PLAIN : `#${KINDS.indexOf(kind).toString(16).padStart(6, '0')}`
  return { scope, settings: { foreground } }
}

/** A theme that encodes token kinds as colours. */
export const KIND_THEME = {
  name: 'kinds',
  type: 'light' as const,
  fg: PLAIN,
  bg: '#fffffe',
  colors: { 'editor.foreground': PLAIN, 'editor.background': '#fffffe' },
  settings: [
    { settings: { foreground: PLAIN, background: '#fffffe' } },
    rule('comment', 'comment', 'punctuation.definition.comment', 'string.quoted.docstring'),
    rule(
      'string',
      'string',
      'punctuation.definition.string',
      'string.regexp',
      'markup.inline.raw',
      'markup.fenced_code',
    ),
    rule(
      undefined,
      'string.unquoted.argument',
      'meta.template.expression',
      'meta.interpolation',
      'string meta.embedded',
      'punctuation.quasi.element',
    ),
    rule(
      'constant',
      'constant',
      'constant.numeric',
      'constant.language',
      'constant.character',
      'support.constant',
      'variable.other.constant',
      'keyword.other.unit',
      'constant.other.symbol',
    ),
    rule(
      'keyword',
      'keyword',
      'storage',
      'storage.type',
      'storage.modifier',
      'variable.language',
      'punctuation.definition.template-expression',
      'keyword.control',
      'entity.name.tag.css',
      'support.type.object.module',
    ),
    rule(
      undefined,
      'punctuation',
      'meta.brace',
      'keyword.operator',
      'keyword.operator.assignment',
      'keyword.operator.accessor',
      'punctuation.separator',
      'punctuation.terminator',
      'punctuation.accessor',
      'meta.delimiter',
    ),
    rule(
      'keyword',
      'keyword.operator.new',
      'keyword.operator.expression',
      'keyword.operator.logical.python',
      'keyword.operator.word',
      'keyword.operator.delete',
      'keyword.operator.typeof',
      'keyword.operator.instanceof',
    ),
    rule('string', 'punctuation.definition.string.begin', 'punctuation.definition.string.end'),
    rule(
      'function',
      'entity.name.function',
      'support.function',
      'meta.function-call entity.name.function',
      'variable.function',
      'entity.name.command',
      'support.function.builtin',
      'meta.function-call.generic',
    ),
    rule(
      'type',
      'entity.name.type',
      'entity.name.class',
      'entity.other.inherited-class',
      'support.type',
      'support.class',
      'entity.name.namespace',
      'storage.type.cs',
      'entity.name.type.namespace',
      'entity.name.scope-resolution',
      'storage.type.java',
      'entity.name.variable.type',
    ),
    rule(
      'keyword',
      'keyword.type',
      'storage.type.built-in',
      'support.type.primitive',
      'support.type.builtin',
    ),
    rule(
      'variable',
      'variable.parameter',
      'variable.other.normal.shell',
      'variable.other.bracket.shell',
      'punctuation.definition.variable',
      'variable.other.readwrite.instance',
      'entity.name.variable.parameter',
      'variable.other.liquid',
    ),
    rule(
      'property',
      'support.type.property-name',
      'entity.name.tag.yaml',
      'meta.property-name',
      'variable.other.property',
      'meta.object-literal.key',
      'entity.other.attribute-name',
      'keyword.other.definition.ini',
      'entity.name.section',
      'support.type.property-name.json',
      'punctuation.support.type.property-name',
      'variable.other.object.property',
      'support.variable.property',
      'entity.name.variable.property',
      'keyword.key.toml',
    ),
    rule('tag', 'entity.name.tag', 'punctuation.definition.tag', 'support.class.component'),
    rule('property', 'entity.name.tag.yaml', 'source.yaml entity.name.tag'),
    rule(
      'tag',
      'source.css entity.name.tag',
      'entity.other.attribute-name.class.css',
      'entity.other.attribute-name.id.css',
    ),
    rule('inserted', 'markup.inserted', 'meta.diff.header.to-file', 'punctuation.definition.inserted'),
    rule('deleted', 'markup.deleted', 'meta.diff.header.from-file', 'punctuation.definition.deleted'),
    rule(
      'heading',
      'markup.heading',
      'entity.name.section.markdown',
      'punctuation.definition.heading',
      'meta.diff.range',
    ),
    rule('emphasis', 'markup.italic', 'emphasis'),
    rule('strong', 'markup.bold', 'strong'),
  ],
}
