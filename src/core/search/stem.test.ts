import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stem } from './stem.ts'

test('the forms of a word have one stem', () => {
  for (const forms of [
    'install installs installed installing',
    'configure configured configuring configures configuration configurations',
    'connect connected connecting connection connections',
    'relate related relating relates',
    'plugin plugins',
    'query queries',
    'authenticate authentication authenticated',
    'run runs running',
    'документ документа документы документами',
  ]) {
    const stems = new Set(forms.split(' ').map(stem))
    assert.equal(stems.size, 1, `${forms}: ${[...stems].join(' ')}`)
  }
})

test('different words keep different stems, and short words, names and other scripts stay', () => {
  assert.equal(new Set(['general', 'parse', 'pass', 'user', 'space'].map(stem)).size, 5)
  for (const word of ['as', 's3', 'k8s', 'utf8', '数据', '1.2.3', 'über']) assert.equal(stem(word), word)
})
