/** Requests that use a repository of another host. */
import { startGitHost } from '../sync/git-host.ts'
import { type Make, withBody } from './makers.ts'

let address: Promise<string> | undefined

/** The address of a repository with a page. */
const repositoryAddress = () => (address ??= createAddress())

async function createAddress(): Promise<string> {
  const { repository, address: made } = (await startGitHost()).create('docs')
  repository.commit({ 'README.md': '# Home\n' })
  return made
}

const named = async () => ({ url: await repositoryAddress(), ref: 'refs/heads/main' })

/** A connected space. */
const connected: Make = async (t) => {
  const spaceId = await t.space()
  await t.connectRepository(spaceId, await repositoryAddress())
  return { params: { spaceId } }
}

export const REPOSITORY_CALLS: Record<string, Make> = {
  importGitRepository: async (t) => ({ params: { spaceId: await t.space() }, body: await named() }),
  exportToGitRepository: async (t) => ({
    params: { spaceId: (await t.content()).params.spaceId },
    // The branch has a page that this space does not know.
    body: { ...(await named()), commitMessage: 'Change', force: true },
  }),
  connectGitRepository: async (t) => ({
    params: { spaceId: await t.space() },
    body: { ...(await named()), notify: [await t.member()] },
  }),
  getGitConnection: connected,
  createGitConnectionWebhook: connected,
  deleteGitConnectionWebhook: async (t, caller) => {
    const call = await connected(t, caller)
    await t.createWebhook(call.params?.spaceId ?? '')
    return call
  },
  disconnectGitRepository: connected,
  syncGitConnection: withBody(connected, {}),
  listGitConnectionSyncs: connected,
}
