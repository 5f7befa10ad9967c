import { test } from 'node:test'
import type fc from 'fast-check'

import { LAWS } from '../../../../test/core/merge-laws.ts'
import { holds } from '../../../../test/property.ts'

const RUNS: Partial<Record<keyof typeof LAWS, number>> = {
  sameIsKept: 2000,
  sidesAreAlike: 4000,
  different: 3000,
}

const GUARANTEES: Record<keyof typeof LAWS, string> = {
  sameIsKept: 'merging what is the same, or was not changed, changes nothing and reads no document',
  sidesAreAlike: 'swapping the sides gives the same content, and the same conflicts with their sides swapped',
  nothingIsLost: 'every word that a side wrote is in the result or in a conflict',
  deletionsAreReported:
    'a page that a side deleted is gone or in a conflict, unless the other took it out of there',
  treeStaysATree:
    'the result is a tree without faults or paths that two have, and every record agrees with its source',
  conflictsAreResolvable: 'every conflict can be settled as the primary side has it, and then that stands',
  pathsAreKept:
    'whatever is resolved and reverted, a path is one page or file, and a link keeps its target while that exists',
  different:
    'changes of different pages, fields and blocks never conflict, and all of them are in the result',
}

/** The histories that the default run merges, for all laws together. */
const HISTORIES = 3000

const names = Object.keys(GUARANTEES) as (keyof typeof LAWS)[]
for (const name of names)
  test(GUARANTEES[name], () =>
    holds(LAWS[name] as fc.IProperty<unknown>, {
      cases: RUNS[name] ?? 5000,
      byDefault: HISTORIES / names.length,
    }),
  )
