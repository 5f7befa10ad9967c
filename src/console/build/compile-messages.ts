/** Compiles the texts of the console, so that the browser needs no parser of ICU messages. */
import compile from 'icu-minify/compile'
import type { CompiledMessage } from 'icu-minify/format'

/** The texts of a catalogue that are ICU messages, and the ids of the others. */
export interface CompiledCatalogue {
  texts: Record<string, CompiledMessage>
  faulty: string[]
}

/** Compiles ICU messages. One that has a fault is left out, so the console shows the English text instead. */
export function compileMessages(messages: Readonly<Record<string, string>>): CompiledCatalogue {
  const texts: Record<string, CompiledMessage> = {}
  const faulty: string[] = []
  for (const [id, message] of Object.entries(messages)) {
    try {
      texts[id] = compile(message)
    } catch {
      faulty.push(id)
    }
  }
  return { texts, faulty }
}
