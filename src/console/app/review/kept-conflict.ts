/** What a person writes to settle a conflict, kept in the tab until it is saved or given up. */
import type { Block } from '../../../core/document/model.ts'

/** The version with which the person began, and what they have written since, as blocks or as Markdown. */
export interface ConflictWriting {
  start: string
  blocks?: readonly Block[]
  markdown?: string
}

const nameOf = (conflict: string): string => `conflict ${conflict}`

/** The text of a conflict that was left without being saved. */
export function keptWriting(conflict: string): ConflictWriting | undefined {
  const text = sessionStorage.getItem(nameOf(conflict))
  return text === null ? undefined : (JSON.parse(text) as ConflictWriting)
}

/** Keeps the text of a conflict. @param writing nothing if it is settled */
export function keepWriting(conflict: string, writing?: ConflictWriting): void {
  if (!writing) return sessionStorage.removeItem(nameOf(conflict))
  try {
    sessionStorage.setItem(nameOf(conflict), JSON.stringify(writing))
  } catch {
    // The storage of the browser is full. The text is on the screen.
  }
  return undefined
}
