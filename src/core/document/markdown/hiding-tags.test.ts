import assert from 'node:assert/strict'
import { test } from 'node:test'

import { addressFault, conditionFault, hidingTag, withoutHidden, withoutTagsIn } from './hiding-tags.ts'

const HIDING: [text: string, shown: string][] = [
  ['A {% if a %}SECRET{% endif %} B', 'A B'],
  ['A {% if a %}SECRET', 'A'],
  ['{% if a == "%}" %}SECRET{% endif %}', ''],
  ['A {%- if a -%}SECRET{%- endif -%} B', 'A B'],
  ['A {% IF a %}SECRET{% endif %} B', 'A B'],
  ['A {% unless a %}SECRET{% endunless %} B', 'A B'],
  ['A {% if a %}SECRET{% if b %}SECRET{% endif %}SECRET{% endif %} B', 'A B'],
  ['A {% if a %}SECRET{% if %}SECRET{% endif %}SECRET{% endif %} B', 'A B'],
  ['A {% if a %}SECRET{% else %}SECRET{% endif %} B', 'A B'],
  ['A {% if a %}SECRET{% endif %} B {% if c %}SECRET', 'A B'],
  ['A {% if a SECRET', 'A'],
  ['A {%\nif a %}SECRET', 'A'],
  ['A \uff5b% if a %\uff5dSECRET', 'A'],
  ['A {\uff05 if a \uff05}SECRET', 'A'],
  ['A % if visitor.a %}SECRET{% endif %} B', 'A B'],
  ['A (% if visitor.a %)SECRET(% endif %) B', 'A B'],
  ['A [% IF visitor.a %]SECRET[% END %] B', 'A B'],
  ['A <% if visitor.a %>SECRET', 'A'],
  ['A {{#visitor.a}}SECRET{{/visitor.a}} B', 'A B'],
  ['A {{#if visitor.a}}SECRET{{#each b}}SECRET{{/each}}SECRET{{/if}} B', 'A B'],
  ['A {{#if visitor.a}}SECRET{{#each b}}SECRET{{/each}}SECRET', 'A'],
  ['A (% if visitor.a %)SECRET(% if b %)SECRET(% end %)SECRET(% end %) B', 'A B'],
  ['A {% endif, {% if a %}SECRET{% endif %} B', 'A {% endif, B'],
  ['A {% embed url="{% if a %}SECRET{% endif %} B', 'A {% embed url=" B'],
  ['A {x if visitor.a %}SECRET{% endif %} B', 'A B'],
  ['A {% tab title="{% if a %}SECRET{% endif %}" %}', 'A {% tab title="" %}'],
  ['A {% if a %}{% endif %} B', 'A B'],
  ['{% if %}x{% endif %} {% if a %}SECRET{% endif %}', '{% if %}x{% endif %}'],
]

const PLAIN = [
  '',
  'The {% if a %}',
  'The {% if a %} ',
  'The {% if %} tag and its {% endif %}',
  'Using {% raw %} and {% iframe %} tags',
  '{% endif %} ends',
  'A {b} {{ c }} {  %',
  'if a',
  '50 % if visitor.a is set',
  'The (% if a %) and {{#b}} of others',
]

test('what a condition in a plain text would hide is cut', () => {
  for (const [text, shown] of HIDING) {
    assert.equal(withoutHidden(text), shown, text)
    assert.ok(hidingTag(text), text)
    assert.match(
      conditionFault(text)?.message ?? '',
      /^cannot have a condition, but has ".*put the condition around/,
      text,
    )
    assert.equal(withoutHidden(shown), shown)
  }
})

test('a text that only names a tag is not changed', () => {
  for (const text of PLAIN) {
    assert.equal(withoutHidden(text), text)
    assert.equal(conditionFault(text), undefined, text)
  }
})

test('a text without the tags of its conditions keeps their words, and hides nothing', () => {
  for (const [text] of HIDING) assert.equal(hidingTag(withoutTagsIn(text)), undefined, text)
  for (const text of PLAIN) assert.equal(withoutTagsIn(text), text)
  assert.equal(withoutTagsIn('A {% if a %}b{% endif %} C {% if c %}d'), 'A b C d')
  assert.deepEqual(withoutTagsIn({ ref: ['{{% if a %}% if b %}c'] }), { ref: ['% if b %}c'] })
  assert.equal(withoutTagsIn('({% if a %}% if visitor.b %)c'), '( if visitor.b )c')
})

test('finds a condition in an address, also one that is percent-encoded and reads a variable', () => {
  const tag = '{% if visitor.claims.a %}'
  for (const part of [
    tag,
    encodeURIComponent(tag),
    `%E0%A4/${encodeURIComponent(`${tag}x`)}`,
    '%7b% if visitor.a %}',
  ])
    assert.match(addressFault(`https://example.com/${part}`)?.message ?? '', /if visitor/, part)
  for (const part of ['', 'a%20b', '%7B%25%20if%20a%20%25%7Dx', '100%', '%25%25', '?q=visitor.claims.a%25'])
    assert.equal(addressFault(`https://example.com/${part}`), undefined, part)
  assert.ok(addressFault(encodeURIComponent(tag).repeat(10_000)))
})
