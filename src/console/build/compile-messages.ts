/** Compiles the texts of the console, so that the browser needs no parser of ICU messages. */
import compile from 'icu-minify/compile'
import type { CompiledMessage } from 'icu-minify/format'

/** The texts of a catalogue that are ICU messages, and the ids of the others. */
export interface CompiledCatalogue {
  texts: Record<string, CompiledMessage>
  faulty: string[]
}

/** A tag of an ICU message, for which `t` has no function. */
const TAG = /<\/?[a-z]/i

/** Compiles ICU messages. One that has a fault or a tag is left out, so the console shows the English text instead. */
export function compileMessages(messages: Readonly<Record<string, string>>): CompiledCatalogue {
  const texts: Record<string, CompiledMessage> = {}
  const faulty: string[] = []
  for (const [id, message] of Object.entries(messages)) {
    try {
      if (TAG.test(message)) throw new Error('A text of the console has no tags')
      texts[id] = compile(message)
    } catch {
      faulty.push(id)
    }
  }
  return { texts, faulty }
}
