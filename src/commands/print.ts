/** Where commands print. Everything goes through one filter, because most of it has names and messages of others. */
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
