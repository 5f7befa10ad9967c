/** The blocks and inlines that an author can insert by name, with the slash menu or the toolbar. */
import { setBlockType, wrapIn } from 'prosemirror-commands'
import type { Node } from 'prosemirror-model'
import type { Command } from 'prosemirror-state'
import { insertNode, newCards, newTable } from './inserts.ts'
import { listOf, makeCode, type } from './keys.ts'
import { schema } from '../../content/schema/schema.ts'
import type { PlainId } from '../../words/message-ids.ts'

/** A kind of block or inline, and what people call it. */
export interface Insert {
  title: PlainId
  /** Its purpose, in one short line. */
  about: PlainId
  /** Other words by which it is found. */
  words: string
  /** Its icon in the Font Awesome set. */
  icon: string
  /** A command, `image` to choose images of the device, `template` to choose a template, or the node whose settings are asked for first. */
  run: Command | 'image' | 'template' | Node
}

/** Kinds that are shown together. */
export interface InsertGroup {
  name: PlainId
  inserts: readonly Insert[]
}

const line = () => type('paragraph').create()
const block = (name: string, ...inside: Node[]): Command => insertNode(type(name).create(null, inside))

/** A node whose settings are asked for before it is inserted. */
const asked = (name: string, data: object = {}): Node => type(name).create({ data })
const askedAround = (name: string, data: object): Node => type(name).create({ data }, line())
const askedPrompt = (): Node =>
  type('prompt').create(
    { data: { description: '' } },
    type('code_block').create(null, type('code_line').create()),
  )
const askedNote = (): Node => type('annotation').create(null, schema.text('*'))
const askedImage = (): Node => type('image').create()

const TEXTS: readonly Insert[] = [
  {
    title: 'block.text',
    about: 'insert.a-plain-paragraph',
    words: 'paragraph body',
    icon: 'paragraph',
    run: setBlockType(type('paragraph')),
  },
  {
    title: 'block.heading-1',
    about: 'insert.title-section',
    words: 'title h1 h2 toc outline chapter',
    icon: '1',
    run: setBlockType(type('heading_1')),
  },
  {
    title: 'block.heading-2',
    about: 'insert.title-part-section',
    words: 'title h2 h3 toc outline subtitle',
    icon: '2',
    run: setBlockType(type('heading_2')),
  },
  {
    title: 'block.heading-3',
    about: 'insert.title-below',
    words: 'title h3 h4 outline subtitle',
    icon: '3',
    run: setBlockType(type('heading_3')),
  },
  {
    title: 'block.hint',
    about: 'insert.coloured-box-advice-warning',
    words: 'callout info note admonition tip alert warning danger panel notice',
    icon: 'circle-info',
    run: wrapIn(type('hint'), { data: { style: 'info' } }),
  },
  {
    title: 'block.quote',
    about: 'insert.words-somebody-else',
    words: 'blockquote citation cite',
    icon: 'quote-left',
    run: wrapIn(type('blockquote')),
  },
  {
    title: 'block.divider',
    about: 'insert.line-between-two-parts',
    words: 'separator horizontal rule hr',
    icon: 'minus',
    run: block('divider'),
  },
]

const LISTS: readonly Insert[] = [
  {
    title: 'block.bulleted-list',
    about: 'insert.items-any-order',
    words: 'unordered ul points bullets',
    icon: 'list-ul',
    run: listOf('list_unordered'),
  },
  {
    title: 'block.numbered-list',
    about: 'insert.items-order',
    words: 'ordered ol enumeration numbers',
    icon: 'list-ol',
    run: listOf('list_ordered'),
  },
  {
    title: 'block.task-list',
    about: 'insert.items-check-boxes',
    words: 'todo checkbox checklist',
    icon: 'list-check',
    run: listOf('list_tasks'),
  },
]

const MEDIA: readonly Insert[] = [
  {
    title: 'block.image',
    about: 'insert.upload-images-device',
    words: 'picture photo screenshot figure upload',
    icon: 'image',
    run: 'image',
  },
  {
    title: 'insert.image-space-address',
    about: 'insert.image-online-already',
    words: 'picture photo url figure',
    icon: 'images',
    run: askedImage(),
  },
  {
    title: 'block.file',
    about: 'insert.file-readers-can-download',
    words: 'attachment upload pdf document',
    icon: 'paperclip',
    run: asked('file'),
  },
  {
    title: 'block.drawing',
    about: 'insert.sketch-stored-image',
    words: 'diagram picture',
    icon: 'pen-ruler',
    run: block('drawing'),
  },
  {
    title: 'block.embed',
    about: 'insert.video-another-page-address',
    words: 'youtube iframe link media player website card',
    icon: 'photo-film',
    run: asked('embed', { url: '' }),
  },
]

const LAYOUT: readonly Insert[] = [
  {
    title: 'block.tabs',
    about: 'insert.variants-text-one-at',
    words: 'switch variants',
    icon: 'folder',
    run: block(
      'tabs',
      type('tabs_item').create({ data: { title: 'common.first' } }, line()),
      type('tabs_item').create({ data: { title: 'Second' } }, line()),
    ),
  },
  {
    title: 'block.steps',
    about: 'insert.instructions-number-each-step',
    words: 'stepper guide tutorial howto procedure',
    icon: 'stairs',
    run: block('stepper', type('stepper_step').create(null, [type('heading_3').create(), line()])),
  },
  {
    title: 'block.expandable',
    about: 'insert.text-readers-open-close',
    words: 'details collapse accordion toggle spoiler faq summary',
    icon: 'square-caret-down',
    run: block('expandable', type('expandable_title').create(), type('expandable_body').create(null, line())),
  },
  {
    title: 'block.columns',
    about: 'insert.texts-beside-each-other',
    words: 'layout side grid',
    icon: 'table-columns',
    run: block('columns', type('column').create(null, line()), type('column').create(null, line())),
  },
  {
    title: 'common.cards',
    about: 'insert.tiles-title-text-image',
    words: 'grid gallery tiles teaser',
    icon: 'grip',
    run: insertNode(newCards()),
  },
  {
    title: 'block.updates',
    about: 'insert.news-dates-such-changelog',
    words: 'release notes history blog',
    icon: 'bullhorn',
    run: block(
      'updates',
      type('update').create({ data: { date: new Date().toISOString().slice(0, 10) } }, line()),
    ),
  },
]

const TABLES: readonly Insert[] = [
  {
    title: 'block.table',
    about: 'insert.rows-and-columns',
    words: 'grid spreadsheet data',
    icon: 'table',
    run: insertNode(newTable(2, 2)),
  },
  {
    title: 'common.diagram',
    about: 'insert.chart-drawn-text',
    words: 'mermaid graph flow sequence',
    icon: 'diagram-project',
    run: insertNode(
      type('code_block').create(
        { data: { syntax: 'mermaid' } },
        ['graph TD', '  A[Begin] --> B[End]'].map((text) =>
          type('code_line').create(null, schema.text(text)),
        ),
      ),
    ),
  },
  {
    title: 'block.formula',
    about: 'insert.mathematical-formula-own-line',
    words: 'math tex latex equation',
    icon: 'square-root-variable',
    run: asked('math', { formula: '' }),
  },
]

const CODE: readonly Insert[] = [
  {
    title: 'block.code',
    about: 'insert.lines-program-colours',
    words: 'source snippet pre program',
    icon: 'code',
    run: makeCode,
  },
  {
    title: 'block.api-operation',
    about: 'insert.request-api-parameters',
    words: 'openapi swagger endpoint rest',
    icon: 'plug',
    run: asked('openapi_operation'),
  },
  {
    title: 'block.api-schemas',
    about: 'insert.data-api-sends-takes',
    words: 'openapi swagger models types',
    icon: 'cubes',
    run: asked('openapi_schemas', { schemas: [] }),
  },
  {
    title: 'block.api-webhook',
    about: 'insert.request-api-sends-others',
    words: 'openapi swagger event callback',
    icon: 'bolt',
    run: asked('openapi_webhook', { method: 'post' }),
  },
  {
    title: 'block.prompt',
    about: 'insert.text-readers-copy-into',
    words: 'ai llm chat copy',
    icon: 'robot',
    run: askedPrompt(),
  },
  {
    title: 'block.html',
    about: 'insert.markup-kept',
    words: 'raw markup',
    icon: 'file-code',
    run: asked('html', { html: '' }),
  },
  {
    title: 'block.integration',
    about: 'insert.block-another-tool',
    words: 'plugin extension app',
    icon: 'puzzle-piece',
    run: asked('integration', { integration: '', block: '', props: {} }),
  },
]

const REUSE: readonly Insert[] = [
  {
    title: 'block.page-link',
    about: 'insert.card-leads-another-page',
    words: 'reference content ref url',
    icon: 'file-lines',
    run: asked('content_ref'),
  },
  {
    title: 'page-template.template',
    about: 'page-template.template-about',
    words: 'how-to guide reference release notes runbook meeting decision record sample example',
    icon: 'file-lines',
    run: 'template',
  },
  {
    title: 'block.reusable-content',
    about: 'insert.text-several-pages-share',
    words: 'snippet include synced shared block',
    icon: 'recycle',
    run: asked('reusable_content'),
  },
  {
    title: 'block.condition',
    about: 'insert.text-only-some-readers',
    words: 'if visitor claims adaptive hidden',
    icon: 'eye-slash',
    run: askedAround('if', { expression: '' }),
  },
]

const INLINES: readonly Insert[] = [
  {
    title: 'block.mention',
    about: 'insert.name-page-person',
    words: '@ link user reference',
    icon: 'at',
    run: asked('mention'),
  },
  {
    title: 'block.emoji',
    about: 'insert.small-coloured-sign',
    words: 'smile smiley',
    icon: 'face-smile',
    run: asked('emoji', { code: '' }),
  },
  {
    title: 'block.icon',
    about: 'insert.sign-colour-text',
    words: 'symbol font awesome',
    icon: 'icons',
    run: asked('icon', { icon: '' }),
  },
  {
    title: 'insert.formula-line',
    about: 'insert.mathematics-between-words',
    words: 'math tex latex inline equation',
    icon: 'superscript',
    run: asked('inline_math', { formula: '' }),
  },
  {
    title: 'block.image-line',
    about: 'insert.small-image-between-words',
    words: 'picture photo inline',
    icon: 'panorama',
    run: asked('inline_image'),
  },
  {
    title: 'block.button',
    about: 'insert.link-looks-like-button',
    words: 'action cta',
    icon: 'hand-pointer',
    run: asked('button', { label: '', kind: 'primary' }),
  },
  {
    title: 'block.annotation',
    about: 'insert.note-readers-open-at',
    words: 'footnote tooltip comment explanation',
    icon: 'note-sticky',
    run: askedNote(),
  },
  {
    title: 'block.expression',
    about: 'insert.value-variable',
    words: 'placeholder computed',
    icon: 'percent',
    run: asked('expression', { expression: '' }),
  },
]

/** All kinds that an author can insert, in the order of the menus. */
export const INSERT_GROUPS: readonly InsertGroup[] = [
  { name: 'block.text', inserts: TEXTS },
  { name: 'insert.lists', inserts: LISTS },
  { name: 'insert.media', inserts: MEDIA },
  { name: 'common.layout', inserts: LAYOUT },
  { name: 'insert.tables-and-diagrams', inserts: TABLES },
  { name: 'insert.code-and-apis', inserts: CODE },
  { name: 'insert.links-and-reuse', inserts: REUSE },
  { name: 'insert.in-the-line', inserts: INLINES },
]
