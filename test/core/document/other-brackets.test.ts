/** Where a condition ends that is in brackets which are not those of tags. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
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
