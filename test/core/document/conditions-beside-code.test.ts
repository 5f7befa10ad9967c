/** Where a condition ends whose line has tags in code. */
import { test } from 'node:test'
import { hides } from './hides.ts'

const LINES: ((line: string, rest: string) => string)[] = [
  (line, rest) => `${line}\n\n${rest}`,
  (line, rest) => `<!-- c --> ${line}\n\n${rest}`,
  (line, rest) => `- ${line}\n\n  ${rest.replaceAll('\n\n', '\n\n  ')}`,
  (line, rest) => `> ${line}\n>\n> ${rest.replaceAll('\n\n', '\n>\n> ')}`,
  (line, rest) => `{% hint style="info" %}\n${line}\n\n${rest}\n{% endhint %}`,
  (line, rest) => `w ${line}\n\n${rest}`,
]

test('ends no condition by a tag in code, also if the line begins with a tag or a comment', () => {
  for (const code of [
    '`{% endif %}`',
    '`` `{% endif %}` ``',
    '`{% if x %}` or `{% endif %}`',
    '`{% if x %}{% endif %}`',
    '<b>`{% endif %}`</b>',
    '\\` `{% endif %}`',
  ])
    for (const words of [code, `Close it with ${code}.`])
      for (const write of LINES) {
        const line = `{% if visitor.claims.none %}${words} SECRET`
        hides(`FRONT\n\n${write(line, 'SECRET\n\n{% endif %}')}\n\nAFTER\n`, ['FRONT', 'AFTER'])
      }
})
