/** The text that a user writes to resolve a conflict, kept in the tab until it is saved or discarded. */
import type { Block } from '../../../../../core/document/model.ts'
import { store, stored } from '../../../api/browser-storage.ts'

/** The version with which the person began, and what they have written since, as blocks or as Markdown. */
export interface ConflictWriting {
  start: string
  blocks?: readonly Block[]
  markdown?: string
}

const conflictStorageKey = (conflict: string): string => `conflict ${conflict}`

/** The text of a conflict that was left without being saved. */
export function keptWriting(conflict: string): ConflictWriting | undefined {
  const text = stored(conflictStorageKey(conflict), 'tab')
  return text === undefined ? undefined : (JSON.parse(text) as ConflictWriting)
}

/** Keeps the text of a conflict. @param writing nothing if it is resolved */
export function keepWriting(conflict: string, writing?: ConflictWriting): void {
  store(conflictStorageKey(conflict), writing && JSON.stringify(writing), 'tab')
}
