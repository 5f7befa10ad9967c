/** The part of a page's body that a visitor may see, in each form. Tasks take and return plain data, for a thread. */
import { voidBlock } from '../document/build.ts'
import type { Block, ContentRef, Document } from '../document/model.ts'
import { printPage } from '../document/print.ts'
import { mapReferences } from '../document/links/references.ts'
import { toDocument } from '../document/to-document.ts'
import { mapBlocks } from '../document/map-blocks.ts'
import type { WantedPart } from '../openapi/described.ts'
import { isWrittenOut } from '../openapi/written-out.ts'
import { visibleDocument } from '../document/shown/visible.ts'
import { type BodyTask, openBody, type OpenBody, openDescribed } from './body.ts'

/** The task of showing a page to those who do not visit it. */
export interface PrintTask extends BodyTask {
  title: string
  description?: string | undefined
  /** A path on the host of the site that starts with `base` is at `home` for the public. */
  base: string
  home: string
}

/** The public URL of a path on the host of a site. */
export function publicUrl({ base, home }: Pick<PrintTask, 'base' | 'home'>, path: string): string {
  return path.startsWith(base) ? home + path.slice(base.length) : home
}

/**
 * The Markdown of a page as a visitor may see it, with included content in place, absolute URLs, and descriptions of the
 * operations that it shows.
 */
export function printBody(task: PrintTask): string {
  const { title, description, legacy } = task
  const document = visibleIn(openDescribed(task, { title }), task, 'urls')
  // The blocks after an operation that is written out describe it.
  const nodes = legacy
    ? mapBlocks(document.nodes, (node) => [isWrittenOut(node) ? voidBlock('swagger', node.data) : node])
    : document.nodes
  return printPage({
    title,
    meta: description === undefined ? {} : { description },
    document: { ...document, nodes },
  })
}

/** The JSON of the document of a page as a visitor may see it. Its references name pages and files that they may see. */
export function readBody(task: PrintTask): string {
  return JSON.stringify(toDocument(visibleBody(asWritten(task), 'kept')))
}

/** What a visitor sees on a page, outside of what conditions hide. */
export interface SeenInBody {
  /** The files, users and specifications that references name, and the reusable contents that are included. */
  refs: ContentRef[]
  /** The parts of specifications that blocks describe. */
  parts: WantedPart[]
}

/**
 * What a visitor sees on a page. A URL of a file of the site is none of it, so that no text makes a file public by naming
 * its address. Needs no targets.
 */
export function seenInBody(task: BodyTask): SeenInBody {
  const { document, context } = openBody(task)
  const seen: SeenInBody = { refs: [], parts: [] }
  const visible = visibleDocument(
    document,
    {
      ...context,
      href: () => ({ href: '#' }),
      file: () => ({ href: '#', name: '' }),
      person: () => '',
      reusable(ref) {
        const found = context.reusable(ref)
        if (found) seen.refs.push(ref)
        return found
      },
    },
    (path) => path,
    'kept',
  )
  mapReferences(visible, (ref) => {
    if (ref.kind === 'file' || ref.kind === 'user' || ref.kind === 'openapi') seen.refs.push(ref)
    return ref
  })
  mapBlocks(visible.nodes, (block) => {
    const part = describedPart(block)
    if (part) seen.parts.push(part)
    return [block]
  })
  return seen
}

function describedPart({ type, data }: Block): WantedPart | undefined {
  if (!('ref' in data) || data.ref?.kind !== 'openapi') return undefined
  const { spec } = data.ref
  if (type === 'openapi-webhook') return { kind: 'webhook', spec, name: data.name, method: data.method }
  if (type === 'openapi-schemas') return { kind: 'schemas', spec, schemas: data.schemas }
  if (type !== 'openapi-operation' && type !== 'swagger') return undefined
  const { path, method } = data
  return path === undefined || method === undefined ? undefined : { kind: 'operation', spec, path, method }
}

/** The operations of specifications that a visitor sees on a page. */
export function operationsOfBody(task: PrintTask): { spec: string; path: string; method: string }[] {
  const found: { spec: string; path: string; method: string }[] = []
  mapBlocks(visibleBody(task, 'kept').nodes, (block) => {
    if (block.type === 'openapi-operation' && block.data.ref.kind === 'openapi') {
      const { path, method, ref } = block.data
      found.push({ spec: ref.spec, path, method })
    }
    return [block]
  })
  return found
}

/** The task with legacy blocks as the author wrote them. */
function asWritten(task: PrintTask): PrintTask {
  const { legacy: _, ...rest } = task
  return rest
}

function visibleBody(task: PrintTask, references: 'urls' | 'kept'): Document {
  return visibleIn(openBody(task), task, references)
}

function visibleIn({ document, context }: OpenBody, task: PrintTask, references: 'urls' | 'kept'): Document {
  return visibleDocument(document, context, (path) => publicUrl(task, path), references)
}
