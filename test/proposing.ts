import assert from 'node:assert/strict'
import { archiveOf, upload } from './importing.ts'
import type { Person, World } from './world.ts'

/** Content as files of a repository, by path. */
type Files = Record<string, string>

/** Creates live spaces and change requests on them. */
export function proposalsIn({ ada, organizationId }: World) {
  /** Writes files to a space or a change request. Files with existing paths are updated, others are added. */
  async function write(base: string, files: Files, by: Person = ada) {
    const url = await upload(ada, organizationId, archiveOf(files))
    const answer = await by(`POST ${base}/content/import`, { url, source: 'zip' })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.revision as string
  }

  /** Creates a live space. @returns its URL path */
  async function liveSpace(files: Files): Promise<string> {
    const fields = { title: 'Live', editMode: 'live' }
    const { body } = await ada(`POST /v1/orgs/${organizationId}/spaces`, fields)
    const base = `/v1/spaces/${body.id}`
    await write(base, files)
    return base
  }

  /** Creates a change request with these files. @returns its URL path */
  async function propose(space: string, files: Files, subject = 'A change') {
    const { body } = await ada(`POST ${space}/change-requests`, { subject })
    const base = `${space}/change-requests/${body.id}`
    await write(base, files)
    return base
  }

  /** The Markdown of every page, by title. */
  async function sources(base: string, by: Person = ada): Promise<Record<string, string>> {
    const { body } = await by(`GET ${base}/content/pages`)
    const found: Record<string, string> = {}
    for (const page of flat(body.pages)) {
      const answer = await by(`GET ${base}/content/page/${page.id}?format=markdown`)
      found[page.title] = answer.body.markdown
    }
    return found
  }

  return { write, liveSpace, propose, sources }
}

interface Page {
  id: string
  title: string
  pages?: Page[]
}

const flat = (pages: Page[]): Page[] => pages.flatMap((page) => [page, ...flat(page.pages ?? [])])
