import assert from 'node:assert/strict'
import type { Answer, Person, World } from './world.ts'

/** A page in a tree of titles. */
export interface Shown {
  id: string
  title: string
  slug: string
  path: string
  pages?: Shown[]
}

/** A change request, with helpers for its content. */
export interface Draft {
  spaceId: string
  changeRequest: { id: string; revision: string }
  /** Sends a batch. The response includes the result for each page. */
  send(...changes: object[]): Promise<Answer>
  /** Sends a batch that must succeed, and returns the ids of the pages that it created. */
  made(...changes: object[]): Promise<string[]>
  /** Returns the newest revision of the change request. */
  revision(): Promise<string>
  /** Returns the page tree as titles, with the children of a page in a list. */
  tree(): Promise<Tree>
  page(id: string): Promise<Answer['body']>
  markdown(id: string): Promise<string>
  document(id: string): Promise<Answer['body']>
}

export type Tree = (string | [string, Tree])[]

/** Opens a change request on the given space, or on a new one. */
export async function draftOn(world: World, space?: string, by: Person = world.ada): Promise<Draft> {
  const spaceId =
    space ??
    ((await world.ada(`POST /v1/orgs/${world.organizationId}/spaces`, { title: 'Guide' })).body.id as string)
  const opened = await by(`POST /v1/spaces/${spaceId}/change-requests`, { subject: 'A change' })
  assert.equal(opened.status, 201, opened.text)
  const base = `/v1/spaces/${spaceId}/change-requests/${opened.body.id}`

  const send = (...changes: object[]) => by(`POST ${base}/content?compat=false`, { changes })
  const revision = async () => (await by(`GET ${base}`)).body.revision as string
  const read = async (rest: string) => {
    const answer = await by(`GET /v1/spaces/${spaceId}/revisions/${await revision()}${rest}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  return {
    spaceId,
    changeRequest: opened.body,
    send,
    revision,
    async made(...changes) {
      const answer = await send(...changes)
      assert.equal(answer.status, 200, answer.text)
      const created = (answer.body.changes as { object: string; page: { id: string } }[]).filter(
        ({ object }) => object === 'created_page',
      )
      return created.map(({ page }) => page.id)
    },
    tree: async () => titlesOf((await read('/pages')).pages),
    page: (id) => read(`/page/${id}`),
    markdown: async (id) => (await read(`/page/${id}?format=markdown`)).markdown,
    document: (id) => read(`/page/${id}/document`),
  }
}

function titlesOf(pages: Shown[]): Tree {
  return pages.map(({ title, pages: below = [] }) => (below.length > 0 ? [title, titlesOf(below)] : title))
}

/** Returns a change that inserts a page of Markdown. */
export const insert = (markdown: string, more: object = {}) => ({
  operation: 'insert_page',
  document: { markdown },
  ...more,
})
export const update = (page: string, more: object) => ({ operation: 'update_page', page, ...more })
