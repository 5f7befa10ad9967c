/** Spaces that tests connect with repositories, or import from them. */
import assert from 'node:assert/strict'
import { contentAt } from '../imports/syncing.ts'
import type { World } from '../world.ts'

/** The files of a repository whose documentation is in a folder. */
export const REPOSITORY_FILES = {
  'docs/SUMMARY.md': '# Contents\n\n- [Home](README.md)\n- [A](a.md)\n- [B](b.md)\n',
  'docs/README.md': '# Home\n',
  'docs/a.md': '# A\n\nOne.\n\nTwo.\n',
  'docs/b.md': '# B\n',
  LICENSE: 'Free\n',
}

/** The branch and the folder of these files, as requests name them. */
export const MAIN_BRANCH = { ref: 'refs/heads/main', repoProjectDirectory: 'docs' }

export function syncedSpacesIn(world: World) {
  const { ada, organizationId } = world
  return {
    /** Makes a space that can be changed directly. @returns its path in the API */
    async liveSpace(): Promise<string> {
      const { body } = await ada(`POST /v1/orgs/${organizationId}/spaces`, {
        title: 'Docs',
        editMode: 'live',
      })
      return `/v1/spaces/${body.id}`
    },
    /** Gives a page a text, or adds the page. */
    async edit(space: string, title: string, markdown: string): Promise<void> {
      const page = (await contentAt(world, space)).pages.find((one) => one.title === title)
      const change = page
        ? { operation: 'update_page', page: page.id, document: { markdown } }
        : { operation: 'insert_page', title, document: { markdown } }
      const answer = await ada(`POST ${space}/content`, { changes: [change] })
      assert.equal(answer.status, 200, answer.text)
    },
  }
}
