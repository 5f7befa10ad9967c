/** The full URLs that a page shows besides the references of its sources. */
import type { Document } from '../document/model.ts'
import { attributeReadings } from '../document/markdown/entities.ts'
import { isFullUrl } from '../document/sanitize.ts'
import type { SpecSourceParts } from '../openapi/described.ts'
import { type BodyTask, openDescribed } from './body.ts'

/**
 * The values in raw HTML and in tags such as `embed` that may be full URLs: they are no references. A value ends at its
 * quotation mark, so those with the same mark do not overlap.
 */
const VALUES = [/"(?<==\s*")([^"]*)/g, /'(?<==\s*')([^']*)/g, /=\s*([^\s"'<>=][^\s>]*)/g]

/** What may be full URLs in the attributes of raw HTML and of tags such as `embed`. Takes linear time. */
export function attributeUrls(source: string): string[] {
  const written = VALUES.flatMap((pattern) => [...source.matchAll(pattern)].map(([, value = '']) => value))
  return written.filter((value) => /^[h/\\&]/i.test(value)).flatMap(attributeReadings)
}

/** What an address of a full URL has, also if its slashes are written as entities or after backslashes. */
const OF_ADDRESS = /\/\/|[&\\]|www\./i

/** Whether a description in some parts of specifications may have a full URL. Takes linear time. */
export function mayDescribeUrls(specs: ReadonlyMap<string, SpecSourceParts>): boolean {
  const waiting: object[] = [...specs.values()]
  for (let value = waiting.pop(); value; value = waiting.pop())
    for (const [name, one] of Object.entries(value)) {
      if (name === 'description' && typeof one === 'string' && OF_ADDRESS.test(one)) return true
      if (typeof one === 'object' && one !== null) waiting.push(one)
    }
  return false
}

/** The full URLs in a page and in the descriptions of what it names; a task for a thread. */
export function urlsOfDescribed(task: BodyTask): string[] {
  const urls = new Set<string>()
  const add = ({ nodes }: Document) =>
    JSON.stringify(nodes, (name, value: unknown) => {
      if (typeof value !== 'string' || name === 'text') return value
      if (name === 'html') for (const url of attributeUrls(value)) urls.add(url)
      else if (isFullUrl(value)) urls.add(value)
      return undefined
    })
  const { document, context } = openDescribed(task)
  add(document)
  for (const id of task.included.keys()) {
    const found = context.reusable({ kind: 'reusable-content', reusableContent: id })
    if (found) add(found)
  }
  return [...urls]
}
