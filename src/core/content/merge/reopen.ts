/** Takes the resolution of a conflict back: the own content gets its own side again. */
import type { Choice, Conflict } from './model.ts'
import { asBlock } from './resolve-body.ts'

/**
 * The conflict whose primary side puts the own side of a resolved conflict back. Its own side is what the resolution
 * wrote, so that a block which was edited since is found to be another.
 */
export function inverseOf(conflict: Conflict, choice: Choice): Conflict {
  const { kind, primary, own, place } = conflict
  // How often the own text occurred says nothing about the text of the resolution.
  const { times: _times, ...rest } = place ?? { offset: 0 }
  const settled = kind === 'body' ? settledText(conflict, choice) : primary
  return { ...conflict, own: settled, primary: own, ...(place ? { place: rest } : {}) }
}

/** The text of a block after the resolution of its conflict; null if there is none. */
export function settledText({ kind, primary, own, place }: Conflict, choice: Choice): string | null {
  if (kind !== 'body') return null
  if ('side' in choice) return (choice.side === 'own' ? own : primary) as string | null
  if (typeof choice.content !== 'string') return null
  const around = JSON.stringify([place?.before, place?.after, own])
  return asBlock(choice.content, around.includes(String.raw`\r\n`) ? '\r\n' : '\n')
}
