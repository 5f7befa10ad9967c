/** The blocks and inlines that an author can insert by name, with the slash menu or the toolbar. */
import { setBlockType, wrapIn } from 'prosemirror-commands'
import type { Node } from 'prosemirror-model'
import type { Command } from 'prosemirror-state'
import { insertNode, newCards, newTable } from './inserts.ts'
import { listOf, makeCode, type } from './keys.ts'
import { schema } from '../../content/schema/schema.ts'

/** A kind of block or inline, and what people call it. */
export interface Insert {
  title: string
  /** Its purpose, in one short line. */
  about: string
  /** Other words by which it is found. */
  words: string
  /** Its icon in the Font Awesome set. */
  icon: string
  /** A command, `image` to choose images of the device, or the node whose settings are asked for first. */
  run: Command | 'image' | Node
}

/** Kinds that are shown together. */
export interface InsertGroup {
  name: string
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
    title: 'Text',
    about: 'A plain paragraph',
    words: 'paragraph body',
    icon: 'paragraph',
    run: setBlockType(type('paragraph')),
  },
  {
    title: 'Heading 1',
    about: 'The title of a section',
    words: 'title h1 h2 toc outline chapter',
    icon: '1',
    run: setBlockType(type('heading_1')),
  },
  {
    title: 'Heading 2',
    about: 'The title of a part of a section',
    words: 'title h2 h3 toc outline subtitle',
    icon: '2',
    run: setBlockType(type('heading_2')),
  },
  {
    title: 'Heading 3',
    about: 'A title below that',
    words: 'title h3 h4 outline subtitle',
    icon: '3',
    run: setBlockType(type('heading_3')),
  },
  {
    title: 'Hint',
    about: 'A coloured box for advice or a warning',
    words: 'callout info note admonition tip alert warning danger panel notice',
    icon: 'circle-info',
    run: wrapIn(type('hint'), { data: { style: 'info' } }),
  },
  {
    title: 'Quote',
    about: 'Words of somebody else',
    words: 'blockquote citation cite',
    icon: 'quote-left',
    run: wrapIn(type('blockquote')),
  },
  {
    title: 'Divider',
    about: 'A line between two parts',
    words: 'separator horizontal rule hr',
    icon: 'minus',
    run: block('divider'),
  },
]

const LISTS: readonly Insert[] = [
  {
    title: 'Bulleted list',
    about: 'Items in any order',
    words: 'unordered ul points bullets',
    icon: 'list-ul',
    run: listOf('list_unordered'),
  },
  {
    title: 'Numbered list',
    about: 'Items in an order',
    words: 'ordered ol enumeration numbers',
    icon: 'list-ol',
    run: listOf('list_ordered'),
  },
  {
    title: 'Task list',
    about: 'Items with check boxes',
    words: 'todo checkbox checklist',
    icon: 'list-check',
    run: listOf('list_tasks'),
  },
]

const MEDIA: readonly Insert[] = [
  {
    title: 'Image',
    about: 'Upload images from your device',
    words: 'picture photo screenshot figure upload',
    icon: 'image',
    run: 'image',
  },
  {
    title: 'Image of the space or an address',
    about: 'An image that is online already',
    words: 'picture photo url figure',
    icon: 'images',
    run: askedImage(),
  },
  {
    title: 'File',
    about: 'A file that readers can download',
    words: 'attachment upload pdf document',
    icon: 'paperclip',
    run: asked('file'),
  },
  {
    title: 'Drawing',
    about: 'A sketch that is stored as an image',
    words: 'diagram picture',
    icon: 'pen-ruler',
    run: block('drawing'),
  },
  {
    title: 'Embed',
    about: 'A video or another page, by its address',
    words: 'youtube iframe link media player website card',
    icon: 'photo-film',
    run: asked('embed', { url: '' }),
  },
]

const LAYOUT: readonly Insert[] = [
  {
    title: 'Tabs',
    about: 'Variants of a text, one at a time',
    words: 'switch variants',
    icon: 'folder',
    run: block(
      'tabs',
      type('tabs_item').create({ data: { title: 'First' } }, line()),
      type('tabs_item').create({ data: { title: 'Second' } }, line()),
    ),
  },
  {
    title: 'Steps',
    about: 'Instructions with a number for each step',
    words: 'stepper guide tutorial howto procedure',
    icon: 'stairs',
    run: block('stepper', type('stepper_step').create(null, [type('heading_3').create(), line()])),
  },
  {
    title: 'Expandable',
    about: 'A text that readers open and close',
    words: 'details collapse accordion toggle spoiler faq summary',
    icon: 'square-caret-down',
    run: block('expandable', type('expandable_title').create(), type('expandable_body').create(null, line())),
  },
  {
    title: 'Columns',
    about: 'Texts beside each other',
    words: 'layout side grid',
    icon: 'table-columns',
    run: block('columns', type('column').create(null, line()), type('column').create(null, line())),
  },
  {
    title: 'Cards',
    about: 'Tiles with a title, a text, an image and a link',
    words: 'grid gallery tiles teaser',
    icon: 'grip',
    run: insertNode(newCards()),
  },
  {
    title: 'Updates',
    about: 'News with dates, such as a changelog',
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
    title: 'Table',
    about: 'Rows and columns',
    words: 'grid spreadsheet data',
    icon: 'table',
    run: insertNode(newTable(2, 2)),
  },
  {
    title: 'Diagram',
    about: 'A chart that is drawn from text',
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
    title: 'Formula',
    about: 'A mathematical formula on its own line',
    words: 'math tex latex equation',
    icon: 'square-root-variable',
    run: asked('math', { formula: '' }),
  },
]

const CODE: readonly Insert[] = [
  {
    title: 'Code',
    about: 'Lines of a program, with colours',
    words: 'source snippet pre program',
    icon: 'code',
    run: makeCode,
  },
  {
    title: 'API operation',
    about: 'A request of an API, with its parameters',
    words: 'openapi swagger endpoint rest',
    icon: 'plug',
    run: asked('openapi_operation'),
  },
  {
    title: 'API schemas',
    about: 'The data that an API sends and takes',
    words: 'openapi swagger models types',
    icon: 'cubes',
    run: asked('openapi_schemas', { schemas: [] }),
  },
  {
    title: 'API webhook',
    about: 'A request that an API sends to others',
    words: 'openapi swagger event callback',
    icon: 'bolt',
    run: asked('openapi_webhook', { method: 'post' }),
  },
  {
    title: 'Prompt',
    about: 'A text that readers copy into an AI assistant',
    words: 'ai llm chat copy',
    icon: 'robot',
    run: askedPrompt(),
  },
  {
    title: 'HTML',
    about: 'Markup that is kept as it is',
    words: 'raw markup',
    icon: 'file-code',
    run: asked('html', { html: '' }),
  },
  {
    title: 'Integration',
    about: 'A block of another tool',
    words: 'plugin extension app',
    icon: 'puzzle-piece',
    run: asked('integration', { integration: '', block: '', props: {} }),
  },
]

const REUSE: readonly Insert[] = [
  {
    title: 'Page link',
    about: 'A card that leads to another page',
    words: 'reference content ref url',
    icon: 'file-lines',
    run: asked('content_ref'),
  },
  {
    title: 'Reusable content',
    about: 'A text that several pages share',
    words: 'snippet include synced shared block',
    icon: 'recycle',
    run: asked('reusable_content'),
  },
  {
    title: 'Condition',
    about: 'A text that only some readers see',
    words: 'if visitor claims adaptive hidden',
    icon: 'eye-slash',
    run: askedAround('if', { expression: '' }),
  },
]

const INLINES: readonly Insert[] = [
  {
    title: 'Mention',
    about: 'The name of a page or a person',
    words: '@ link user reference',
    icon: 'at',
    run: asked('mention'),
  },
  {
    title: 'Emoji',
    about: 'A small coloured sign',
    words: 'smile smiley',
    icon: 'face-smile',
    run: asked('emoji', { code: '' }),
  },
  {
    title: 'Icon',
    about: 'A sign in the colour of the text',
    words: 'symbol font awesome',
    icon: 'icons',
    run: asked('icon', { icon: '' }),
  },
  {
    title: 'Formula in the line',
    about: 'Mathematics between words',
    words: 'math tex latex inline equation',
    icon: 'superscript',
    run: asked('inline_math', { formula: '' }),
  },
  {
    title: 'Image in the line',
    about: 'A small image between words',
    words: 'picture photo inline',
    icon: 'panorama',
    run: asked('inline_image'),
  },
  {
    title: 'Button',
    about: 'A link that looks like a button',
    words: 'action cta',
    icon: 'hand-pointer',
    run: asked('button', { label: '', kind: 'primary' }),
  },
  {
    title: 'Annotation',
    about: 'A note that readers open at a word',
    words: 'footnote tooltip comment explanation',
    icon: 'note-sticky',
    run: askedNote(),
  },
  {
    title: 'Expression',
    about: 'The value of a variable',
    words: 'placeholder computed',
    icon: 'percent',
    run: asked('expression', { expression: '' }),
  },
]

/** All kinds that an author can insert, in the order of the menus. */
export const INSERT_GROUPS: readonly InsertGroup[] = [
  { name: 'Text', inserts: TEXTS },
  { name: 'Lists', inserts: LISTS },
  { name: 'Media', inserts: MEDIA },
  { name: 'Layout', inserts: LAYOUT },
  { name: 'Tables and diagrams', inserts: TABLES },
  { name: 'Code and APIs', inserts: CODE },
  { name: 'Links and reuse', inserts: REUSE },
  { name: 'In the line', inserts: INLINES },
]
