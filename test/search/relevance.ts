import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Corpus } from '../corpus.ts'

/** A query that a reader would type, and how well each page answers it. */
export interface JudgedQuery {
  query: string
  /** 3 answers the query, 2 helps, 1 touches it, by the page's path in the repository. Other pages do not answer it. */
  grades: ReadonlyMap<string, number>
}

export const JUDGED: readonly Corpus[] = ['elsa-docs', 'fluentd-docs', 'tidb-docs-zh']

/** The judged queries of a corpus: lines of `query | path grade, path grade`. */
export function judgedQueries(corpus: Corpus): JudgedQuery[] {
  const text = readFileSync(resolve(import.meta.dirname, `relevance/${corpus}.txt`), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => {
      const bar = line.lastIndexOf(' | ')
      const judged = line.slice(bar + 3).split(', ')
      const grades = judged.map((one): [string, number] => {
        const space = one.lastIndexOf(' ')
        return [one.slice(0, space), Number(one.slice(space + 1))]
      })
      return { query: line.slice(0, bar), grades: new Map(grades) }
    })
}

const AT = 10

/** The normalized discounted cumulative gain of the first ten results: 1 if no order would be better. */
export function ndcg({ grades }: JudgedQuery, found: readonly string[]): number {
  const best = [...grades.values()].toSorted((a, b) => b - a)
  return gain(found.map((path) => grades.get(path) ?? 0)) / gain(best)
}

function gain(grades: readonly number[]): number {
  return grades.slice(0, AT).reduce((sum, grade, i) => sum + (2 ** grade - 1) / Math.log2(i + 2), 0)
}
