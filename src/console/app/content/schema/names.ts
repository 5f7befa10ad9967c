/** The display names of blocks and inlines. */
import type { NodeType } from 'prosemirror-model'
import { blockType } from './node-names.ts'

const NAMES: Readonly<Record<string, string>> = {
  paragraph: 'Text',
  'heading-1': 'Heading 1',
  'heading-2': 'Heading 2',
  'heading-3': 'Heading 3',
  'list-unordered': 'Bulleted list',
  'list-ordered': 'Numbered list',
  'list-tasks': 'Task list',
  'list-item': 'Item',
  hint: 'Hint',
  blockquote: 'Quote',
  code: 'Code',
  table: 'Table',
  'table-row': 'Row',
  images: 'Images',
  image: 'Image',
  expandable: 'Expandable',
  tabs: 'Tabs',
  'tabs-item': 'Tab',
  stepper: 'Steps',
  'stepper-step': 'Step',
  columns: 'Columns',
  column: 'Column',
  math: 'Formula',
  'inline-math': 'Formula',
  embed: 'Embed',
  divider: 'Divider',
  file: 'File',
  drawing: 'Drawing',
  'content-ref': 'Page link',
  'reusable-content': 'Reusable content',
  integration: 'Integration',
  swagger: 'API description',
  'openapi-operation': 'API operation',
  'openapi-schemas': 'API schemas',
  'openapi-webhook': 'API webhook',
  if: 'Condition',
  'inline-if': 'Condition',
  updates: 'Updates',
  update: 'Update',
  prompt: 'Prompt',
  html: 'HTML',
  'inline-html': 'HTML',
  mention: 'Mention',
  emoji: 'Emoji',
  icon: 'Icon',
  'inline-image': 'Image in the line',
  expression: 'Expression',
  annotation: 'Annotation',
  link: 'Link',
  button: 'Button',
}

/** Returns the display name of a block or inline of the model. */
export const nameOfType = (type: string): string => NAMES[type] ?? type.replaceAll('-', ' ')

/** Returns the display name of a node. */
export const nameOfNode = ({ name }: NodeType): string => nameOfType(blockType(name))
