import type { BlockType, InlineType } from '../../../../core/document/model.ts'

/** The name of a block’s node: content expressions know no hyphen, and a mark is named `code`. */
export const nodeName = (type: BlockType | InlineType): string =>
  type === 'code' ? 'code_block' : type.replaceAll('-', '_')

/** The type of the block that a node is. */
export const blockType = (name: string): BlockType =>
  (name === 'code_block' ? 'code' : name.replaceAll('_', '-')) as BlockType
