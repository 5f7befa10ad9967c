import assert from 'node:assert/strict'
import type { ImportPlan, PageReading, PlannedPage } from '../../../src/core/repository/model.ts'
import { planImport } from '../../../src/core/repository/plan.ts'
import { ImportRefused } from '../../../src/core/repository/refused.ts'

/** Reads just enough Markdown for these tests: title, links, images, includes. */
function read(source: string): PageReading {
  const title = /^# (.+)$/m.exec(source)?.[1] ?? /^title: (.+)$/m.exec(source)?.[1]
  const references = [...source.matchAll(/\]\((?:<([^>]+)>|([^)]+))\)/g)].map(([, a, b]) => a ?? b ?? '')
  const includes = [...source.matchAll(/{% include "([^"]+)" %}/g)].map(([, path = '']) => path)

  return { ...(title === undefined ? {} : { title }), references, includes }
}

/** The plan of the repository with these files. */
export function plan(files: Record<string, string | Uint8Array>): Promise<ImportPlan<PageReading>> {
  const bytes = Object.entries(files).map(([path, content]) => [path, Buffer.from(content)] as const)
  return planImport(new Map(bytes), read)
}

/** One line for each page, indented by its depth: path, title, and file or target. */
export function outline(pages: PlannedPage<PageReading>[], indent = ''): string[] {
  return pages.flatMap((page) => {
    if (page.kind === 'computed') return [`${indent}computed ${page.title}`]
    if (page.kind === 'link') {
      const { target } = page
      const anchor = 'anchor' in target ? `#${target.anchor}` : ''
      return [`${indent}=> ${'url' in target ? target.url : `${target.file}${anchor}`} "${page.title}"`]
    }
    const name = page.kind === 'document' && page.linkTitle !== undefined ? ` (${page.linkTitle})` : ''
    const file = page.kind === 'document' ? ` < ${page.file ?? 'nothing'}` : ''
    return [`${indent}/${page.path} "${page.title}"${name}${file}`, ...outline(page.children, `${indent}  `)]
  })
}

/** The message of the error that refuses the repository with these files. */
export async function refusal(files: Record<string, string | Uint8Array>): Promise<ImportRefused> {
  try {
    await plan(files)
  } catch (error) {
    assert.ok(error instanceof ImportRefused, String(error))
    return error
  }
  return assert.fail('the repository was not refused')
}
