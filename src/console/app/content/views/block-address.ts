/** Before the key of a block in the part of an address after `#`, for a block without an anchor. */
export const BLOCK_PREFIX = 'block-'
