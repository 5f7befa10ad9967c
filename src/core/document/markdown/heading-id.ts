/** An id in `{#id}` at the end of a heading, as a part of a pattern. */
export const HEADING_ID = '[\\p{L}\\p{N}\\p{M}_.:-]{1,100}'
