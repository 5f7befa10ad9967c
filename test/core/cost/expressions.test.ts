/** Expressions cost in proportion to their length, or end after a bounded number of steps, whatever the data is. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evaluate, LONGEST_EXPRESSION } from '../../../src/core/expression/expression.ts'
import { cpuTime } from '../../cpu.ts'
import { DATA, EXPRESSIONS, OPERATIONS } from './expressions.ts'
import { assertBounded, familiesOf } from './growth.ts'

/** No expression may take longer, whatever it does. It has 100,000 steps. */
const MOST_MS = 250

/** A different comment, so that the text was not parsed before. */
let numbered = 0
const ROOM = 16
const RUNS = 10

function evaluateNew(expression: string): void {
  const text = expression.slice(0, LONGEST_EXPRESSION - ROOM)
  for (let run = 0; run < RUNS; run += 1) evaluate(`${text}/*${(numbered += 1)}*/`, DATA)
}

for (const [name, make] of familiesOf(EXPRESSIONS, 15)) {
  test(`evaluates ${name} in linear or bounded time`, () => {
    const longest = LONGEST_EXPRESSION - 4 * ROOM
    assertBounded(make, evaluateNew, RUNS * MOST_MS, longest)
  })
}

for (const operation of OPERATIONS) {
  test(`has a bounded price for ${operation}`, () => {
    const expression = `list.map(x => ${operation})`
    let least = Infinity
    for (let run = 0; run < 3 && least >= MOST_MS; run += 1) {
      const start = cpuTime()
      evaluate(expression, DATA)
      least = Math.min(least, cpuTime() - start)
    }
    assert.ok(least < MOST_MS, `${expression} took ${least.toFixed(0)} ms`)
  })
}
