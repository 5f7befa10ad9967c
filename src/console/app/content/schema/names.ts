/** The display names of blocks and inlines. */
import type { NodeType } from 'prosemirror-model'
import { blockType } from './node-names.ts'
import type { Label, PlainId } from '../../words/message-ids.ts'

const NAMES: Readonly<Record<string, PlainId>> = {
  paragraph: 'block.text',
  'heading-1': 'block.heading-1',
  'heading-2': 'block.heading-2',
  'heading-3': 'block.heading-3',
  'list-unordered': 'block.bulleted-list',
  'list-ordered': 'block.numbered-list',
  'list-tasks': 'block.task-list',
  'list-item': 'block.item',
  hint: 'block.hint',
  blockquote: 'block.quote',
  code: 'block.code',
  table: 'block.table',
  'table-row': 'block.row',
  images: 'block.images',
  image: 'block.image',
  expandable: 'block.expandable',
  tabs: 'block.tabs',
  'tabs-item': 'block.tab',
  stepper: 'block.steps',
  'stepper-step': 'block.step',
  columns: 'block.columns',
  column: 'block.column',
  math: 'block.formula',
  'inline-math': 'block.formula',
  embed: 'block.embed',
  divider: 'block.divider',
  file: 'block.file',
  drawing: 'block.drawing',
  'content-ref': 'block.page-link',
  'reusable-content': 'block.reusable-content',
  integration: 'block.integration',
  swagger: 'block.api-description',
  'openapi-operation': 'block.api-operation',
  'openapi-schemas': 'block.api-schemas',
  'openapi-webhook': 'block.api-webhook',
  if: 'block.condition',
  'inline-if': 'block.condition',
  updates: 'block.updates',
  update: 'block.update',
  prompt: 'block.prompt',
  html: 'block.html',
  'inline-html': 'block.html',
  mention: 'block.mention',
  emoji: 'block.emoji',
  icon: 'block.icon',
  'inline-image': 'block.image-line',
  expression: 'block.expression',
  annotation: 'block.annotation',
  link: 'block.link',
  button: 'block.button',
}

/** Returns the display name of a block or inline of the model. */
export const nameOfType = (type: string): Label => NAMES[type] ?? { verbatim: type.replaceAll('-', ' ') }

/** Returns the display name of a node. */
export const nameOfNode = ({ name }: NodeType): Label => nameOfType(blockType(name))
