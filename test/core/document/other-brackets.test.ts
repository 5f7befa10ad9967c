/** Where a condition ends that is in brackets which are not those of tags. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePage } from '../../../src/core/document/parse.ts'
import { printPage } from '../../../src/core/document/print.ts'
import { shownPage } from '../shown-page.ts'
import { hides, nothing } from './hides.ts'

const IF = '{% if visitor.claims.a %}'
const END = '{% endif %}'

test('ends a condition in other brackets at its own end, which ends no other condition', () => {
  for (const [opening, closing] of [
    ['% if visitor.claims.a %}', '% endif %}'],
    ['(% if visitor.claims.a %)', '(% endif %)'],
    ['[%- IF visitor.claims.a -%]', '[%- END -%]'],
    ['<% if (visitor.claims.a) { %>', '<% } %>'],
    ['<% unless visitor.claims.a %>', '<% endunless %>'],
    ['{{#visitor.claims.a}}', '{{/visitor.claims.a}}'],
    ['{{#when visitor.claims.a}}', '{{/when}}'],
    ['{{#eq visitor.claims.a "x"}}', '{{/eq}}'],
    ['{{#eq "x" visitor.claims.a}}', '{{/eq}}'],
    ['{{#is (lookup visitor.claims "a") "x"}}', '{{/is}}'],
    ['{{#compare visitor.claims.a "==" "x"}}', '{{/compare}}'],
    ['{{#ifEquals visitor.claims.a "x"}}', '{{/ifEquals}}'],
    ['{{#unless_any visitor.claims.a}}', '{{/unless_any}}'],
    ['{{#if visitor.claims.a}}', '{{/if}}'],
    ['{{~#if (eq visitor.claims.a "x")~}}', '{{~/if~}}'],
    ['{{{#if visitor.claims.a}}}', '{{{/if}}}'],
    ['{#if visitor.claims.a}', '{/if}'],
    ['{{#unless visitor.claims.a}}', '{{/unless}}'],
    ['(% case visitor.claims.a %)', '(% endcase %)'],
    ['{x if visitor.claims.a %}', '{x endif %}'],
  ] as const) {
    hides(`FRONT ${opening} SECRET ${closing} AFTER\n\n${opening}\n\nSECRET\n\n${closing}\n\nBEHIND\n`, [
      'FRONT',
      'AFTER',
      'BEHIND',
    ])
    const page = `FRONT ${opening} SECRET ${END} AFTER\n\n${IF}\n\nMEMBERS\n\n${closing}\n\nMEMBERS\n\n${END}\n`
    assert.doesNotMatch(shownPage(page, nothing), /MEMBERS/, page)
    assert.match(shownPage(`FRONT ${closing} AFTER`, nothing), /FRONT[^]*AFTER/, closing)
  }
})

const V = 'visitor.claims.a'
/** Signs and digits that a person types for the percent sign. */
const KEYS = [...'5$#@!?=^|:-+/&.,;"\'()]>\u20ac\u00a7\u00b0\u066a\ufe6a\u2052\u2105', '$$', '##']
const WRONG: ((words: string, key: string) => string)[] = [
  (words, key) => `{${key} ${words} ${key}}`,
  (words, key) => `{${key}${words}${key}}`,
  (words, key) => `{${key} ${words}}`,
]

test('ends a condition with a wrong key at an end with the same key', () => {
  for (const key of KEYS)
    for (const write of WRONG)
      for (const word of ['if', 'unless']) {
        const [opening, plain, end] = [`${word} ${V}`, `${word} b`, `end${word}`].map((one) =>
          write(one, key),
        )
        hides(`FRONT ${opening} SECRET ${end} AFTER\n\n${opening}\n\nSECRET\n\n${end}\n\nBEHIND\n`, [
          'FRONT',
          'AFTER',
          'BEHIND',
        ])
        hides(`FRONT ${opening} SECRET ${plain} SECRET ${end} SECRET ${end} AFTER\n`, ['FRONT', 'AFTER'])
        hides(`FRONT ${opening} SECRET \`${end}\` SECRET`, ['FRONT'])
        const page = `FRONT\n\n${IF}\n\nMEMBERS\n\n${end}\n\nMEMBERS\n\n${END}\n`
        assert.doesNotMatch(shownPage(page, nothing), /MEMBERS/, page)
      }
})

test('ends a condition without the percent sign at its end at an end without it', () => {
  for (const key of ['', ' ', '5', '$', '}', ')', '#', '&', '.', '/'])
    for (const word of ['if', 'unless']) {
      const [opening, end] = [`${word} ${V}`, `end${word}`].map((words) => `{% ${words} ${key}}`) as [
        string,
        string,
      ]
      hides(`FRONT ${opening} SECRET ${end} AFTER\n\n${opening}\n\nSECRET\n\n${end}\n\nBEHIND\n`, [
        'FRONT',
        'AFTER',
        'BEHIND',
      ])
      hides(`FRONT ${opening} SECRET {% ${word} b ${key}} SECRET ${end} SECRET ${end} AFTER\n`, [
        'FRONT',
        'AFTER',
      ])
      const page = `FRONT\n\n${IF}\n\nMEMBERS\n\n${end}\n\nMEMBERS\n\n${END}\n`
      assert.doesNotMatch(shownPage(page, nothing), /MEMBERS/, page)
    }
})

test('ends a condition in braces alone at the end of its word', () => {
  for (const word of ['if', 'unless'])
    for (const [opening, ...ends] of [
      [`{${word} ${V}}`, `{/${word}}`, `{end${word}}`, `{ end${word} }`],
      [`{{${word} ${V}}}`, `{{/${word}}}`, `{{end${word}}}`],
      [`{{- ${word} ${V} -}}`, `{% end${word} %}`],
    ] as [string, ...string[]][])
      for (const end of ends) {
        hides(`FRONT ${opening} SECRET ${end} AFTER\n\n${opening}\n\nSECRET\n\n${end}\n\nBEHIND\n`, [
          'FRONT',
          'AFTER',
          'BEHIND',
        ])
        if (!end.includes('%'))
          hides(`FRONT ${opening} SECRET {${word} b} SECRET ${end} SECRET ${end} AFTER\n`, ['FRONT', 'AFTER'])
      }
})

test('ends a condition in other brackets at the last of the ends behind it', () => {
  for (const [opening, inner, end] of [
    ['(% if visitor.claims.a %)', '(% if b %)', '(% endif %)'],
    ['[% IF visitor.claims.a %]', '[% FOREACH x IN y %]', '[% END %]'],
    ['<% if visitor.claims.a %>', '<% x.each do |y| %>', '<% end %>'],
    ['{{#if visitor.claims.a}}', '{{#if b}}', '{{/if}}'],
    ['{{#unless visitor.claims.a}}', '{{#unless b}}', '{{/unless}}'],
    ['{{#if visitor.claims.a}}', '{{#if visitor.claims.b}}', '{{/if}}'],
  ])
    hides(
      `FRONT ${opening} SECRET ${inner} SECRET ${end} SECRET ${end} BETWEEN ${opening} SECRET ${end} AFTER\n`,
      ['FRONT', 'BETWEEN', 'AFTER'],
    )
})

test('ends a section at the end of its helper, and not at that of another one', () => {
  for (const [helper, others] of [
    ['if', ['each', 'with', 'unless', 'when']],
    ['unless', ['each', 'if']],
    ['when', ['if', 'each']],
    ['each', ['if', 'with']],
  ] as const)
    for (const other of others) {
      const [opening, end] = [`{{#${helper} visitor.claims.a}}`, `{{/${helper}}}`]
      const inner = `{{#${other} b}}SECRET{{/${other}}}`
      hides(
        `FRONT ${opening} ${inner} SECRET {{else}} SECRET {{else if visitor.claims.b}} SECRET ${end} BETWEEN ${inner.replace('SECRET', 'c')} AFTER\n\n${opening}\n\nSECRET\n\n${inner}\n\nSECRET\n\n${end}\n\nBEHIND\n`,
        ['FRONT', 'BETWEEN', 'AFTER', 'BEHIND'],
      )
      hides(`FRONT ${opening} SECRET ${inner} SECRET\n\nSECRET`, ['FRONT'])
    }
})

test('ends a condition in other brackets behind its "else"', () => {
  for (const inner of [
    '<% else if visitor.claims.b %>SECRET<% loop %>SECRET<% end %>',
    '<% loop %>SECRET<% end %>SECRET<% else if visitor.claims.b %>SECRET',
  ])
    hides(`FRONT <% if visitor.claims.none %>SECRET${inner}SECRET<% end %> AFTER\n`, ['FRONT', 'AFTER'])
})

test('ends a condition in other brackets behind the ends of what is in it', () => {
  for (const [opening, plain, end] of [
    ['{{#if visitor.claims.a}}', '{{#if x}}', '{{/if}}'],
    ['{{#unless visitor.claims.a}}', '{{#unless x}}', '{{/unless}}'],
    ['{{#each visitor.claims.a}}', '{{#each x}}', '{{/each}}'],
    ['{#if visitor.claims.a}', '{#if x}', '{/if}'],
    ['(% if visitor.claims.a %)', '(% if x %)', '(% endif %)'],
    ['<% if visitor.claims.a %>', '<% if x %>', '<% end %>'],
    ['<% if visitor.claims.a %>', '<% x.each do |y| %>', '<% end %>'],
    ['[% IF visitor.claims.a %]', '[% IF x %]', '[% END %]'],
    ['[% IF visitor.claims.a %]', '[% FOREACH x IN y %]', '[% END %]'],
    ['{x if visitor.claims.a %}', '{x if b %}', '{x endif %}'],
    ['{{#if visitor.claims.a}}', '', '{{/if}}'],
  ] as const) {
    const inner = `${plain} SECRET ${plain === '' ? `\`${end}\`` : end}`
    for (const later of [
      `${opening} SECRET ${end}`,
      '{{#unless visitor.claims.b}} SECRET {{/unless}}',
      '{{#each visitor.claims.b}} SECRET {{/each}}',
      '{{#if visitor.claims.b}} SECRET {{/if}}',
      '(% if visitor.claims.b %) SECRET (% endif %)',
      `${opening} SECRET ${end} SECRET ${opening} SECRET ${end}`,
      `\`${opening}\``,
      `\\${opening}`,
    ]) {
      if (plain !== '' && !/each|FOREACH/.test(plain))
        hides(`FRONT ${opening} ${inner} SECRET ${later} SECRET ${end}`, ['FRONT'])
      if (!/^[`\\]/.test(later))
        hides(`FRONT ${opening} SECRET ${inner} SECRET ${later} SECRET ${end} AFTER`, ['FRONT', 'AFTER'])
    }
    hides(
      `FRONT ${opening}\n\n${plain} SECRET ${end}\n\nSECRET\n\n${opening} SECRET ${end}\n\nSECRET\n\n${end}\n\nAFTER`,
      ['FRONT', ...(plain === '' ? [] : ['AFTER'])],
    )
  }
})

test('ends a condition in other brackets that begins in a value of a tag', () => {
  for (const [opening, ...ends] of [
    ['{{#if visitor.claims.a}}', '{{/if}}', '{% endif %}'],
    ['{{#each visitor.claims.a}}', '{{/each}}'],
    ['{{#visitor.claims.a}}', '{{/visitor.claims.a}}'],
    ['(% if visitor.claims.a %)', '(% endif %)', '{% endif %}'],
    ['<% if visitor.claims.a %>', '<% end %>'],
    ['[% IF visitor.claims.a %]', '[% END %]'],
  ])
    for (const end of ends)
      for (const block of [
        `{% tabs %}\n\n{% tab title="x ${opening}" %}\n\nSECRET\n\n{% endtab %}\n\n{% endtabs %}`,
        `{% embed url="https://e.x" caption="x ${opening}" %}`,
        `{% @a/b text="x ${opening}" %}`,
      ])
        hides(`FRONT\n\n${block}\n\nSECRET\n\n${end}\n\nAFTER\n`, ['FRONT', 'AFTER'])
})

test('ends no section by the end of another kind whose opening is in code', () => {
  for (const [inner, end] of [
    ['{{#each visitor.claims.b}}', '{{/each}}'],
    ['{{#visitor.claims.b}}', '{{/visitor.claims.b}}'],
    ['(% if visitor.claims.b %)', '(% endif %)'],
  ])
    hides(`FRONT {{#if visitor.claims.a}} SECRET \`${inner}\` SECRET ${end} SECRET {{/if}} AFTER\n`, [
      'FRONT',
      'AFTER',
    ])
})

test('ends a condition behind an "else" at the end of the section in which it is', () => {
  for (const helper of ['if', 'unless', 'eq', 'each'])
    for (const opening of [`{{#${helper} x}}`, `{{#${helper} visitor.claims.a}}`]) {
      const end = `{{/${helper}}}`
      const inner = '{{#with b}} SECRET {{/with}}'
      const chain = `{{else if visitor.claims.b}} SECRET ${inner} SECRET {{else}} SECRET`
      hides(`FRONT ${opening} ${opening.includes('visitor') ? 'SECRET' : 'x'} ${chain} ${end} AFTER`, [
        'FRONT',
        'AFTER',
      ])
    }
  for (const [chain, end] of [
    ['{{else if visitor.claims.b}}', '{{/if}}'],
    ['{{~elseif visitor.claims.b}}', '{{~/if}}'],
    ['{{else eq visitor.claims.b "x"}}', '{{/if}}'],
    ['{:else if visitor.claims.b}', '{/if}'],
  ]) {
    hides(`FRONT ${chain} SECRET\n\nSECRET`, ['FRONT'])
    hides(`FRONT ${chain} SECRET\n\nSECRET ${end} AFTER`, ['FRONT', 'AFTER'])
  }
})

test('counts no opening and no end of a condition in code', () => {
  for (const [opening, plain, end] of [
    ['<% if visitor.claims.a %>', '<% x.each do |y| %>', '<% end %>'],
    ['[% IF visitor.claims.a %]', '[% FOREACH x IN y %]', '[% END %]'],
    ['(% if visitor.claims.a %)', '(% for x in y %)', '(% end %)'],
  ] as const)
    for (const code of [
      `\`${opening}\``,
      `\`\`\`\n${opening}\n\`\`\``,
      `    ${opening}`,
      `\`${opening} x ${end}\``,
    ]) {
      const loop = `${plain} SECRET ${end}`
      for (const page of [
        `FRONT\n\n${opening}\n\nSECRET\n\n${code}\n\n${loop} SECRET ${end} AFTER`,
        `FRONT\n\n${opening} SECRET ${code.startsWith('`<') || code.startsWith('`[') || code.startsWith('`(') ? code : 'x'} ${loop} SECRET ${end} AFTER`,
      ])
        hides(page, ['FRONT', 'AFTER'])
    }
})

test('ends a section that begins in the front matter at its end in the page', () => {
  for (const [opening, end] of [
    ['{{#if visitor.claims.a}}', '{{/if}}'],
    ['{{#ifEquals visitor.claims.a b}}', '{{/ifEquals}}'],
    ['(% if visitor.claims.a %)', '(% endif %)'],
    ['{{#visitor.claims.a}}', '{{/visitor.claims.a}}'],
  ])
    hides(
      `---\ntitle: "x ${opening}"\n---\n\nSECRET\n\n{{#with b}}x{{/with}}\n\nSECRET\n\n${end}\n\nAFTER\n`,
      ['AFTER'],
    )
})

function hidesFromOthers(source: string): void {
  for (const version of [source, printPage(parsePage(source))]) {
    const shown = shownPage(version, nothing)
    assert.doesNotMatch(shown, /SECRET/, version)
    assert.match(shown, /AFTER/, version)
  }
}

test('ends a condition in braces that begins in a value at an end in any brackets that ends nothing else', () => {
  for (const end of [
    '{{/if}}',
    '(% endif %)',
    '<% end %>',
    '[% END %]',
    '{{/visitor.claims.a}}',
    '{{/unless}}',
  ])
    for (const opening of ['{% if visitor.claims.a %}', '{% unless visitor.claims.a %}']) {
      const inner =
        '{{#if x}} SECRET {{/if}} {{#if visitor.claims.b}} SECRET {{/if}} (% if visitor.claims.b %) SECRET (% endif %)'
      for (const head of [
        `---\ntitle: "x ${opening}"\n---\n\n`,
        `---\ndescription: "x ${opening} y"\n---\n\n`,
        `FRONT\n\n{% embed url="https://e.x" caption="x ${opening}" %}\n\n`,
        `FRONT\n\n{% tabs %}\n\n{% tab title="x ${opening}" %}\n\nSECRET\n\n{% endtab %}\n\n{% endtabs %}\n\n`,
      ])
        for (const body of [
          'SECRET',
          inner,
          `- SECRET\n- \`${end}\` SECRET`,
          `\`\`\`\n${end}\n\`\`\`\n\nSECRET`,
        ])
          hidesFromOthers(`${head}${body}\n\n${end}\n\nAFTER\n`)
    }
})

test('shows an end in other brackets as text if no condition is left that it can end', () => {
  for (const value of ['x', 'x {% if visitor.claims.a %} y {% endif %}'])
    for (const end of ['{{/if}}', '(% endif %)'])
      assert.match(
        shownPage(`---\ntitle: "${value}"\n---\n\nx\n\n${end}\n`, () => false),
        /\/if|endif/,
      )
})
