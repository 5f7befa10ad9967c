/** Whether parts of documents are what the server accepts. Any web page can put others into the clipboard. */
import type { BlockType, ContentRef, InlineType } from '../../../../core/document/model.ts'
import { check, readers, ShapeFault } from '../../../../core/document/shape/shape.ts'
import {
  blockShapes,
  contents,
  inlineShapes,
  markData,
  wholeBlocks,
} from '../../../../core/document/shape/shapes.ts'

type Part = Record<string, unknown>

/** Documents of the server are at most this deep. */
const DEEPEST = 12

/** Whether a block, or an inline, can have the data. */
export function isData(type: BlockType | InlineType, data: unknown): boolean {
  return holds(() => {
    const whole = type in wholeBlocks ? wholeBlocks[type as BlockType] : undefined
    if (whole) whole(data, '')
    else check(data === undefined ? {} : data, { ...blockShapes, ...inlineShapes }[type], '')
  })
}

/** Whether a value is a reference. */
export const isRef = (value: unknown): value is ContentRef => holds(() => readers.ref(value, ''))

/** Whether a value is a list of fragments, or null for none. */
export function areFragments(value: unknown, depth = 0): boolean {
  if (value === null || value === undefined) return true
  return every(value, ({ fragment, type, nodes }) => {
    const isNamed = holds(() => check({ fragment, type }, { fragment: 'text?', type: 'text?' }, ''))
    return isNamed && areBlocks(nodes, depth + 1)
  })
}

/** Whether a value is a list of blocks. @param members the only type that may be among them */
export function areBlocks(value: unknown, depth = 0, members?: BlockType): boolean {
  if (depth > DEEPEST) return false
  return every(value, ({ type, data, nodes, fragments }) => {
    if (typeof type !== 'string' || !Object.hasOwn(blockShapes, type)) return false
    const inside = contents[type as BlockType]
    const isPlaced = members === undefined ? inside.member !== true : members === type
    if (!isPlaced || !isData(type as BlockType, data)) return false
    if (inside.holds === 'text') return areInlines(nodes, depth + 1)
    if (inside.holds === 'blocks') return areBlocks(nodes, depth + 1, inside.members) && isFilled(nodes)
    return areFragments(fragments, depth + 1)
  })
}

/** Whether a value is a list of texts and inlines. */
export function areInlines(value: unknown, depth = 0): boolean {
  if (depth > DEEPEST) return false
  return every(value, ({ object, type, data, leaves, nodes, fragments }) => {
    if (object === 'text') return every(leaves, isLeaf)
    if (typeof type !== 'string' || !Object.hasOwn(inlineShapes, type)) return false
    const isContainer = type === 'link' || type === 'annotation' || type === 'inline-if'
    return (
      isData(type as InlineType, data) &&
      (!isContainer || (areInlines(nodes, depth + 1) && areFragments(fragments, depth + 1)))
    )
  })
}

const isLeaf = ({ text, marks }: Part): boolean =>
  typeof text === 'string' &&
  every(marks, ({ type, data }) => {
    if (typeof type !== 'string' || !Object.hasOwn(markData, type)) return false
    return type !== 'color' || holds(() => check(data ?? {}, markData.color, ''))
  })

const isFilled = (nodes: unknown): boolean => (nodes as unknown[]).length > 0

function every(value: unknown, isFit: (part: Part) => boolean): boolean {
  return (
    Array.isArray(value) &&
    value.every((one: unknown) => typeof one === 'object' && one !== null && isFit(one as Part))
  )
}

function holds(test: () => unknown): boolean {
  try {
    test()
    return true
  } catch (error) {
    if (error instanceof ShapeFault) return false
    throw error
  }
}
