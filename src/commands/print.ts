/** Where commands print. Everything goes through one filter, because most of it has names and messages of others. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { inspect } from 'node:util'
import { printable } from '../core/text/printable.ts'

/** Prints lines on stdout. A line feed in one of them is written as `\u000a`, so that a title cannot add a line. */
export function printLines(...given: (string | readonly string[])[]): void {
  const lines = given.flat()
  if (lines.length > 0) console.log(lines.map(printable).join('\n'))
}

/** Prints a text on stderr. */
export function printError(text: string): void {
  console.error(text.split('\n').map(printable).join('\n'))
}

/** Prints an error that no one expected, with its stack. */
export function printFault(error: unknown): void {
  printError(inspect(error))
}

/** Questions on the terminal. */
export interface Prompt {
  /** @param fallback the answer of a person who presses Enter alone */
  ask(question: string, fallback?: string): Promise<string>
  /** Asks without showing what is typed. */
  askHidden(question: string): Promise<string>
  close(): void
}

/** Begins to ask on the terminal. */
export function openPrompt(): Prompt {
  let isHidden = false
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isHidden) process.stdout.write(chunk)
      done()
    },
  })
  const terminal = createInterface({ input: process.stdin, output, terminal: true })

  return {
    async ask(question, fallback = '') {
      const answer = await terminal.question(fallback ? `${question} (${fallback}): ` : `${question}: `)
      return answer.trim() || fallback
    },
    async askHidden(question) {
      process.stdout.write(`${question}: `)
      isHidden = true
      const answer = await terminal.question('')
      isHidden = false
      process.stdout.write('\n')
      return answer
    },
    close: () => terminal.close(),
  }
}
