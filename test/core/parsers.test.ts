/** Every parser and the renderer: `npm run fuzz` tries more inputs. */
import { test } from 'node:test'
import { holds } from '../property.ts'
import { parserLaws } from './parser-fuzz.ts'
import { samplePages } from './sample-pages.ts'

for (const [name, law] of Object.entries(parserLaws(samplePages())))
  test(`the law ${name} holds`, () => holds(law, { cases: 3_000 }))
