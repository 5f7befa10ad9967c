import { readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { bundleSpecification } from '../core/openapi/bundle.ts'
import type { ChangeEffect } from '../core/openapi/compare/change.ts'
import { compareSpecifications } from '../core/openapi/compare/operations.ts'
import { slugify } from '../core/text/slug.ts'
import { connect, firstOrganization, type ServerOptions } from './client.ts'
import { UsageError } from './usage.ts'
import { printLines } from './print.ts'

const EVERY_MS = 500
/** The server fetches a source for 20 seconds at most, and reads it for a minute. Others may come first. */
const WITHIN_MS = 300_000

export interface SpecOptions extends ServerOptions {
  org?: string | undefined
  slug?: string | undefined
}

interface ProcessedSpec {
  processingState: string
  lastVersion?: string
  lastProcessErrorCode?: string
  lastProcessedErrors?: { message: string }[]
  urls: { location: string }
}

/**
 * Publishes a specification from a file or a URL, and prints what is wrong with it. The exit code is 1 if the server
 * cannot use it.
 */
export async function publishSpecCommand([from, ...more]: string[], options: SpecOptions): Promise<void> {
  if (!from || more.length > 0)
    throw new UsageError('Name one file or URL: lectern openapi publish <file or URL>')
  const source = /^https?:\/\//i.test(from) ? { url: from } : { text: readableText(from) }
  const slug = options.slug ?? slugOf(from)
  const call = await connect(options)
  const organization = options.org ?? (await firstOrganization(call))
  const path = `/orgs/${organization}/openapi/${encodeURIComponent(slug)}`

  const before = (await call('PUT', path, { source })) as unknown as ProcessedSpec
  const end = Date.now() + WITHIN_MS
  let spec = before
  while (spec.processingState !== 'complete') {
    if (Date.now() > end)
      throw new UsageError(`The server has not processed "${slug}" yet; look at ${spec.urls.location} later`)
    await wait(EVERY_MS)
    spec = (await call('GET', path)) as unknown as ProcessedSpec
  }

  for (const { message } of spec.lastProcessedErrors ?? []) printLines(message)
  printLines(`Specification  ${spec.urls.location}`)
  if (spec.lastProcessErrorCode) {
    printLines(`Refused        ${spec.lastProcessErrorCode}; the newest version stays`)
    process.exitCode = 1
    return
  }
  printLines(
    `Version        ${spec.lastVersion}${spec.lastVersion === before.lastVersion ? ' (unchanged)' : ''}`,
  )
}

/**
 * Prints what changed between two specifications, in files or at URLs, and what it means for clients, the worst first. The
 * exit code is 1 if a change breaks clients.
 */
export async function diffSpecCommand([from, to, ...more]: string[]): Promise<void> {
  if (!from || !to || more.length > 0)
    throw new UsageError('Name two files or URLs: lectern openapi diff <old> <new>')
  const changes = compareSpecifications(await bundleOf(from), await bundleOf(to))
  const counts = EFFECTS.map(([effect, label, word]) => {
    const some = changes.filter((change) => change.effect === effect)
    for (const { place, what } of some) printLines(`${label}  ${place}: ${what}`)
    if (effect === 'breaks' && some.length > 0) process.exitCode = 1
    return `${some.length} ${word}`
  })
  printLines(changes.length === 0 ? 'Nothing changed for clients' : counts.join(', '))
}

/** Each effect, how a line with it begins, and how they are counted. */
const EFFECTS: readonly (readonly [ChangeEffect, label: string, word: string])[] = [
  ['breaks', 'breaks   ', 'breaking'],
  ['may-break', 'may break', 'perhaps breaking'],
  ['safe', 'safe     ', 'safe'],
]

async function bundleOf(from: string): Promise<Record<string, unknown>> {
  const result = bundleSpecification({
    files: [{ url: null, bytes: await specificationBytes(from) }],
    externalReferences: false,
  })
  if ('bundle' in result)
    return JSON.parse(new TextDecoder().decode(result.bundle)) as Record<string, unknown>
  const [problem] = 'refused' in result ? result.refused : []
  throw new UsageError(`${from}: ${problem?.message ?? 'the specification cannot be read'}`)
}

async function specificationBytes(from: string): Promise<Uint8Array> {
  if (!/^https?:\/\//i.test(from)) return Buffer.from(readableText(from))
  const response = await fetch(from).catch(() => undefined)
  if (!response?.ok)
    throw new UsageError(`${from} cannot be fetched${response ? ` (${response.status})` : ''}`)
  return new Uint8Array(await response.arrayBuffer())
}

function readableText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** The slug from the name of a file: `pets` of `https://example.com/pets.yaml?v=2`. */
function slugOf(from: string): string {
  const name = basename(URL.parse(from)?.pathname ?? from)
  const slug = slugify(name.slice(0, name.length - extname(name).length))
  const plain = slug.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
  if (plain === '') throw new UsageError('Name the specification with --slug')
  return plain.slice(0, 100)
}
