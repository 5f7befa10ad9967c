/** Code in directives of MyST and Sphinx. */
import { because } from '../../../languages/reasons.ts'
import { tagTitle } from '../../mdx/printing.ts'
import type { MystDirective } from './blocks.ts'
import { fencedLines, selectedLines } from './included-lines.ts'
import type { MystPrinter, PrintDirective } from './printer.ts'
import { titleText } from './titles.ts'

/** Code as it is written, with its title and the numbers of its lines. */
export function codeLines(
  directive: MystDirective,
  language: string,
  lines: readonly string[],
  printer: MystPrinter,
): string[] {
  const { options, line } = directive
  const title = titleText(options.get('caption') ?? options.get('filename') ?? '', line, printer)
  const isNumbered = options.has('linenos') || options.has('lineno-start') || options.has('number-lines')
  const attributes = [
    ...(title === '' ? [] : [`title="${tagTitle(title)}"`]),
    ...(isNumbered ? ['lineNumbers="true"'] : []),
  ]
  const fence = fencedLines(languageName(language), lines)
  return attributes.length === 0 ? fence : [`{% code ${attributes.join(' ')} %}`, ...fence, '{% endcode %}']
}

const LANGUAGES: Record<string, string> = {
  ipython3: 'python',
  ipython: 'python',
  python3: 'python',
  default: '',
  none: '',
}
const languageName = (name: string) => {
  const word =
    name
      .trim()
      .split(/\s+/, 1)[0]
      ?.replace(/[^\w+#.-]/g, '') ?? ''
  return Object.hasOwn(LANGUAGES, word) ? (LANGUAGES[word] ?? word) : word
}

export const codeDirective: PrintDirective = (directive, printer) =>
  codeLines(directive, directive.argument, directive.body, printer)
export const directiveOfCode =
  (language: string): PrintDirective =>
  (directive, printer) =>
    codeLines(
      directive,
      language,
      [...(directive.argument === '' ? [] : [directive.argument]), ...directive.body],
      printer,
    )

export const literalInclude: PrintDirective = (directive, printer) => {
  const { argument, options, line } = directive
  const file = printer.context.file(argument)
  if (!file) return missingFile(directive, printer)
  if (options.has('pyobject'))
    printer.context.unknown.add(
      because('unknown-option', { option: 'pyobject', directive: '{literalinclude}' }),
      line,
    )
  const lines = selectedLines(file.text, options)
  const dedent = Number(options.get('dedent') ?? 0)
  const shown =
    dedent > 0 ? lines.map((one) => one.slice(Math.min(dedent, one.length - one.trimStart().length))) : lines
  const extension = /\.(\w{1,20})$/.exec(file.path)?.[1] ?? ''
  return codeLines(directive, options.get('language') ?? extension, shown, printer)
}

export function missingFile({ name, argument, line }: MystDirective, printer: MystPrinter): string[] {
  printer.context.unknown.add(because('unknown-argument', { directive: `{${name}}`, name: argument }), line)
  return argument === '' ? [] : [`\`${argument.replaceAll('`', '')}\``]
}
