/** The repository that a space is kept equal to, as the API shows it with the space. */
import { basename } from 'node:path/posix'
import { type Static, Type } from 'typebox'
import { oneOf, Timestamp, Uri } from '../common.ts'

const PROVIDERS = ['github', 'gitlab'] as const

/** The repository that a space was last synced with, if its host is one that clients know. */
export const GitSync = Type.Object(
  {
    repoName: Type.Optional(Type.String({ description: 'The name of the repository' })),
    installationStatus: oneOf(['active'], {
      description: 'For clients that read it; a space that was synced is always `active`',
    }),
    installationProvider: oneOf(PROVIDERS, { description: 'The host of the repository' }),
    installationId: Type.String({ description: 'The key of the source, as in `GET …/git/info`' }),
    url: Type.Optional({ ...Uri, description: 'The page of the folder on the host of the repository' }),
    updatedAt: Type.Optional({ ...Timestamp, description: 'When the space was last synced' }),
  },
  { title: 'GitSyncState' },
)

/** The columns of a source that say where its repository is. */
export interface SyncedRepository {
  key: string
  kind: string
  url: string | null
  branch: string | null
  path: string | null
  syncedAt: string
}

/** How the pages of a host name the folder of a branch. */
const TREES: Readonly<Record<(typeof PROVIDERS)[number], string>> = { github: '/tree/', gitlab: '/-/tree/' }

/** The repository of a source; undefined if it is on no host that clients know. */
export function toGitSync(source: SyncedRepository): Static<typeof GitSync> | undefined {
  const { kind, key, url: address, branch, path, syncedAt } = source
  const page = kind === 'git' && address !== null ? repositoryPage(address) : undefined
  // Such as github.com and gitlab.example.com.
  const provider = PROVIDERS.find((name) => page?.hostname.split('.').includes(name))
  if (!page || !provider) return undefined
  const parts = [...(branch ?? '').split('/'), ...(path ?? '').split('/')].filter((part) => part !== '')
  const tree = branch === null ? '' : TREES[provider] + parts.map(encodeURIComponent).join('/')
  return {
    repoName: basename(page.pathname),
    installationStatus: 'active',
    installationProvider: provider,
    installationId: key,
    url: page.href + tree,
    updatedAt: syncedAt,
  }
}

/** The page of a repository: its address by http, or what an address by SSH names on the same host. */
function repositoryPage(address: string): URL | undefined {
  const bySsh = /^(?:ssh:\/\/)?(?:[\w.-]+@)([\w.-]+)(?::\d+)?[:/](.+)$/i.exec(address)
  const text = bySsh ? `https://${bySsh[1]}/${bySsh[2]}` : address
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  url.pathname = url.pathname.replace(/\/+$/, '').replace(/\.git$/i, '')
  return url
}
