/** Syncs spaces with sources that tests make of texts. */
import assert from 'node:assert/strict'
import { archiveOf, upload } from '../importing.ts'
import type { Answer, World } from '../world.ts'

export const SYNC_KEY = 'a'.repeat(64)

type Files = Record<string, string>

/** Makes a space equal to files. @param more other fields of `sync` */
export async function syncWith(
  { ada, organizationId }: World,
  spaceId: string,
  files: Files,
  more: object = {},
): Promise<Answer> {
  const url = await upload(ada, organizationId, archiveOf({ ...files, '.lectern/source.json': '{}' }))
  const sync = { kind: 'folder', key: SYNC_KEY, name: 'docs', ...more }
  return ada(`POST /v1/spaces/${spaceId}/content/import`, { url, source: 'zip', sync })
}

/** The result of a sync that succeeds. */
export async function synced(...args: Parameters<typeof syncWith>) {
  const answer = await syncWith(...args)
  assert.equal(answer.status, 201, answer.text)
  return { ...answer.body.sync, revision: answer.body.revision }
}

interface ShownPage {
  id: string
  title: string
  path?: string
  git?: { path: string }
  pages?: ShownPage[]
}

/** The pages of a content in reading order, with their Markdown by file. */
export async function contentAt({ ada }: World, base: string) {
  const { body } = await ada(`GET ${base}/content`)
  const pages: ShownPage[] = []
  const walk = (some: ShownPage[]) => {
    for (const page of some) {
      pages.push(page)
      walk(page.pages ?? [])
    }
  }
  walk(body.pages)
  const texts: Files = {}
  for (const { id, git } of pages) {
    if (!git) continue
    texts[git.path] = (await ada(`GET ${base}/content/page/${id}?format=markdown`)).body.markdown
  }
  const files = (body.files as { git?: { path: string } }[]).map(({ git }) => git?.path).toSorted()
  return { revision: body.id as string, pages, texts, files }
}
