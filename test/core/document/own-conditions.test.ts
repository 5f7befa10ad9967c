/** A tag of a block that has a condition as an attribute hides what belongs to it from everybody, and is reported. */
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { normal } from '../../../src/core/document/normal-form.ts'
import { parsePage } from '../../../src/core/document/parse.ts'
import { printDocument, printPage } from '../../../src/core/document/print.ts'
import { hiddenParts } from '../../../src/core/document/shown/unshown.ts'
import { firstCondition } from '../../../src/core/document/markdown/lookalikes.ts'
import { evaluate } from '../../../src/core/expression/expression.ts'
import { reveals } from '../../../src/core/content/merge/reveals.ts'
import { shownPage } from '../shown-page.ts'

const ATTRIBUTES = [
  'if="visitor.claims.a"',
  "if='true'",
  'if = "true"',
  'IF="true"',
  'if=true',
  'v-if="true"',
  'show-if="true"',
  'unless="true"',
  'when="true"',
  'condition="true"',
  'visibility="visitor.claims.a == true"',
  "audience='visitor.claims.a'",
  'visible-to=visitor.claims.a',
  'only="page.vars.beta"',
  'roles=["visitor.claims.a"]',
  'roles:visitor.claims.a',
  'if visitor.claims.a',
  'if: true',
  'visitor.claims.a == "b"',
  `' if="true"`,
]

/** A visitor for whom every condition that can hold does. */
function everything(expression: string): boolean {
  const result = evaluate(expression, { a: true, visitor: { claims: { a: true } } })
  return result.ok && Boolean(result.value)
}

/** Blocks with an attribute of their tag. */
const BLOCKS: Record<string, (attribute: string) => string> = {
  'a hint': (attribute) => `{% hint style="info" ${attribute} %}\nSECRET\n\nSECRET\n{% endhint %}`,
  'a hint without other attributes': (attribute) => `{% hint ${attribute} %}\nSECRET\n{% endhint %}`,
  tabs: (attribute) =>
    `{% tabs ${attribute} %}\n{% tab title="SECRET" %}\nSECRET\n{% endtab %}\n{% endtabs %}`,
  'a tab': (attribute) =>
    `{% tabs %}\n{% tab title="x" %}\nx\n{% endtab %}\n{% tab title="SECRET" ${attribute} %}\nSECRET\n{% endtab %}\n{% endtabs %}`,
  'a stepper': (attribute) =>
    `{% stepper ${attribute} %}\n{% step %}\nSECRET\n{% endstep %}\n{% endstepper %}`,
  'a step': (attribute) => `{% stepper %}\n{% step ${attribute} %}\nSECRET\n{% endstep %}\n{% endstepper %}`,
  'a column': (attribute) =>
    `{% columns %}\n{% column ${attribute} %}\nSECRET\n{% endcolumn %}\n{% endcolumns %}`,
  'an update': (attribute) =>
    `{% updates %}\n{% update date="2026-01-01" ${attribute} %}\nSECRET\n{% endupdate %}\n{% endupdates %}`,
  code: (attribute) => `{% code title="SECRET" ${attribute} %}\n\`\`\`\nSECRET\n\`\`\`\n{% endcode %}`,
  'a prompt': (attribute) =>
    `{% prompt description="SECRET" ${attribute} %}\n\`\`\`\nSECRET\n\`\`\`\n{% endprompt %}`,
  'an embed': (attribute) => `{% embed url="https://example.com/SECRET" ${attribute} %}`,
  'an embed with a caption': (attribute) =>
    `{% embed url="https://example.com/SECRET" ${attribute} %}\nSECRET\n{% endembed %}`,
  'a file': (attribute) => `{% file src="https://example.com/SECRET" ${attribute} %}`,
  'a link to a page': (attribute) =>
    `{% content-ref url="https://example.com/SECRET" ${attribute} %}\nSECRET\n{% endcontent-ref %}`,
  'an operation': (attribute) =>
    `{% swagger method="get" path="/SECRET" ${attribute} %}\n{% swagger-description %}\nSECRET\n{% endswagger-description %}\n{% endswagger %}`,
  'a response of an operation': (attribute) =>
    `{% swagger method="get" path="/x" baseUrl="y" %}\n{% swagger-response status="200" ${attribute} %}\nSECRET\n{% endswagger-response %}\n{% endswagger %}`,
  'an operation of a specification': (attribute) =>
    `{% openapi src="https://example.com/SECRET" path="/x" method="get" ${attribute} %}\nSECRET\n{% endopenapi %}`,
}
/** Around a block, as a block of another. */
const AROUND: Record<string, (block: string) => string> = {
  'a page': (block) => block,
  'a list': (block) => `- x\n\n${block.replace(/^(?=.)/gm, '  ')}`,
  'a quote': (block) => block.replace(/^/gm, '> '),
  'a hint': (block) => `{% hint style="info" %}\nx\n\n${block}\n{% endhint %}`,
  'an expandable': (block) => `<details>\n\n<summary>x</summary>\n\n${block}\n\n</details>`,
}

function check(source: string): void {
  for (const version of [source, printPage(parsePage(source))]) {
    const shown = shownPage(version, everything)
    assert.doesNotMatch(shown, /SECRET/, `${version}\n---\n${shown}`)
    assert.match(shown, /FRONT/, version)
  }
  const page = parsePage(source)
  assert.deepEqual(
    normal(parsePage(printDocument(page.document)).document),
    normal(page.document),
    printDocument(page.document),
  )
  const parts = hiddenParts(page, source)
  assert.equal(parts.length, 1, `${source}\n${JSON.stringify(parts)}`)
  assert.match(
    parts[0]!.message,
    /has a condition, which is none there, so what belongs to the tag is hidden/,
  )
  assert.notEqual(firstCondition(source), -1, source)
}

for (const [name, put] of Object.entries(BLOCKS)) {
  test(`hides and reports ${name} that has a condition`, () => {
    for (const attribute of ATTRIBUTES)
      for (const around of Object.values(AROUND)) {
        const source = `# T\n\nFRONT\n\n${around(put(attribute))}\n\nBEHIND\n`
        check(source)
        assert.match(shownPage(source, everything), /BEHIND/, source)
      }
  })
}

test('hides what follows a tag with a condition that makes no block', () => {
  for (const source of [
    'FRONT\n\n{% hint if="a" %}\n\nSECRET\n',
    'FRONT\n\nx {% hint if="a" %} SECRET {% endhint %}\n\nSECRET\n',
    'FRONT\n\n- {% hint if="a" %}\n- SECRET {% endhint %}\n',
    'FRONT\n\n{% step if="a" %}\nSECRET\n{% endstep %}\n',
    'FRONT\n\n{% tabs if="a" %}\nSECRET\n{% endtabs %}\n',
    'FRONT\n\n{% code if="a" %}\nSECRET\n{% endcode %}\n',
    'FRONT\n\n{% hint if="a" %} {% hint %}\nSECRET\n{% endhint %}\n',
    'FRONT\n\n<div>{% hint if="a" %} SECRET {% endhint %}</div>\n',
    'FRONT\n\n| a |\n|-|\n| {% hint if="a" %} SECRET {% endhint %} |\n',
  ])
    check(source)
})

test('leaves code, comments, escaped tags and other values alone', () => {
  for (const text of [
    '`{% hint if="a" %}`',
    '```\n{% hint if="a" %}\n```',
    '<!-- {% hint if="a" %} -->',
    '\\{% hint if="a" %}',
    '{% hint style="info" icon="if" %}\nx\n{% endhint %}',
    '{% code title="if visitor.claims.a" %}\n```\nx\n```\n{% endcode %}',
    '{% embed url="https://example.com/?if=a&when=b" %}',
    '{% file src="if.pdf" %}\nif="a"\n{% endfile %}',
    '{% @acme/event when="2026-01-01" condition="dry" content="if=1 {\\"if\\": 2}" %}',
    '{% raw if="a" %}',
    '{% @acme/text content="x" if="a" %}',
  ]) {
    const source = `FRONT\n\n${text}\n\nBEHIND\n`
    assert.match(shownPage(source, everything), /FRONT[^]*BEHIND/, source)
    assert.deepEqual(hiddenParts(parsePage(source), source), [], source)
  }
})

test('no merge shows what one side hides with an attribute that the other removes', () => {
  const [hidden, shown] = ['{% hint if="a" %}\nx\n\nSECRET\n{% endhint %}', '{% hint %}\nx\n{% endhint %}']
  assert.ok(reveals('{% hint %}\nx\n\nSECRET\n{% endhint %}', [hidden, shown]))
  assert.ok(!reveals(hidden, [hidden, shown]))
})
