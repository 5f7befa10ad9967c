/** The quotes of a condition end no value of the tag that the condition is in, whatever quotes the value has. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePage } from '../../../src/core/document/parse.ts'
import { hiddenParts } from '../../../src/core/document/shown/unshown.ts'
import { shownPage } from '../shown-page.ts'
import { END, shownTo } from './hides.ts'

/** Values of tags, by name: the tag with a value that has its quotes, and what stands below the tag. */
const VALUES: Record<string, (value: string) => string> = {
  'the title of a tab': (value) => `{% tabs %}\n{% tab title=${value} %}\nx\n{% endtab %}\n{% endtabs %}`,
  'the title of code': (value) => `{% code title=${value} %}\n\`\`\`\nx\n\`\`\`\n{% endcode %}`,
  'the icon of a hint': (value) => `{% hint style="info" icon=${value} %}\nx\n{% endhint %}`,
  'the address of a file': (value) => `{% file src=${value} %}`,
  'the address of an embed': (value) => `{% embed url=${value} %}`,
  'a link to content': (value) => `{% content-ref url=${value} %}\nx\n{% endcontent-ref %}`,
  'a link to a page': (value) => `{% page-ref page=${value} %}`,
  'the path of an operation': (value) => `{% swagger method="get" path=${value} %}\n{% endswagger %}`,
  'the summary of an operation': (value) =>
    `{% swagger method="get" path="/x" summary=${value} %}\n{% endswagger %}`,
  'the name of a parameter': (value) =>
    `{% swagger method="get" path="/x" %}\n{% swagger-parameter in="query" name=${value} %}\nx\n{% endswagger-parameter %}\n{% endswagger %}`,
  'the description of a response': (value) =>
    `{% swagger method="get" path="/x" %}\n{% swagger-response status="200" description=${value} %}\nx\n{% endswagger-response %}\n{% endswagger %}`,
  'the date of an update': (value) =>
    `{% updates %}\n{% update date=${value} %}\nx\n{% endupdate %}\n{% endupdates %}`,
  'an included page': (value) => `{% include ${value} %}`,
  'the description of a prompt': (value) => `{% prompt description=${value} %}\nx\n{% endprompt %}`,
  'the width of a column': (value) =>
    `{% columns %}\n{% column width=${value} %}\nx\n{% endcolumn %}\n{% endcolumns %}`,
  'the path of a specification': (value) => `{% openapi src=${value} path="/x" method="get" %}`,
  'a property of an integration': (value) => `{% @mermaid/diagram content=${value} %}`,
  'a tag within a line': (value) => `x {% embed url=${value} %} x`,
}

const PLAIN = (quote: string) => `{% if visitor.claims.plan == ${quote}pro${quote} %}`
/** Conditions with quotes, which are those of the value. */
const CONDITIONS = [
  PLAIN,
  (quote: string) => `{% if ${quote}pro${quote} == visitor.claims.plan %}`,
  (quote: string) =>
    `{% if visitor.claims.plan==${quote}pro${quote} || visitor.claims.a==${quote}b c${quote} %}`,
  (quote: string) => `{%- if visitor.claims.plan == ${quote}pro${quote} -%}`,
  (quote: string) => `(% if visitor.claims.plan == ${quote}pro${quote} %)`,
]

const CODE = '```\nx\n{% endif %}\n```'

for (const [name, place] of Object.entries(VALUES))
  test(`a condition with quotes in ${name} hides what follows, up to the end of it`, () => {
    for (const quote of ['"', "'"])
      for (const condition of CONDITIONS) {
        const opener = condition(quote)
        for (const value of [opener, `x ${opener}`, `${opener} y`]) {
          const begin = place(quote + value + quote)
          const rests = ['', `\n\n{% code title="${END}" %}\n${CODE}\n{% endcode %}`, `\n\n${CODE}`]
          for (const rest of rests)
            assert.doesNotMatch(shownTo(`${begin}\n\nSECRET${rest}\n`, false), /SECRET/, begin)
          const inside = begin.replace(/^x$/m, 'SECRET')
          assert.doesNotMatch(shownTo(`${inside}\n`, false), /SECRET/, begin)
          const page = `${begin}\n\nSECRET\n`
          assert.ok(hiddenParts(parsePage(page), page).length > 0, begin)
          // What stands between quotes may also be an attribute, which hides all that belongs to its tag.
          if (condition !== PLAIN) continue
          const shown = shownTo(`${begin}\n\nSECRET\n\n${END}\n\nBEHIND\n`, false)
          assert.match(shown, /BEHIND/, begin)
          assert.doesNotMatch(shown, /SECRET/, begin)
        }
      }
  })

test('a condition with quotes that ends in its value hides nothing behind the tag', () => {
  for (const [name, place] of Object.entries(VALUES))
    for (const quote of ['"', "'"]) {
      const page = `${place(`${quote}x ${PLAIN(quote)}SECRET${END} y${quote}`)}\n\nBEHIND\n`
      for (const met of [false, true]) {
        const shown = shownPage(page, (expression) => met && !expression.startsWith('false'))
        assert.match(shown, /BEHIND/, name)
        assert.doesNotMatch(shown, /SECRET/, name)
      }
    }
})

test('a tag without an end in a value hides what follows, wherever its quotes are', () => {
  for (const value of [
    'x{% if visitor.claims.a',
    'x{% if visitor.claims.a == "b"',
    'x{% if "b" == visitor.claims.a',
  ])
    for (const begin of ['embed url', '@a/b content', 'file title="{% if" src'])
      assert.doesNotMatch(shownTo(`{% ${begin}="${value}" %}\n\nSECRET\n`, false), /SECRET/, value)
})
