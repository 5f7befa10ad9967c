import type { Block } from '../../document/model.ts'

/**
 * A top-level block of the page after the write: the entry of the request that it is, with its key, or a block that
 * others have written.
 */
export type WrittenBlock = { entry: number; key: string } | { block: Block }
