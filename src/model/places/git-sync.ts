/** The repository that a space is kept equal to, as the API shows it with the space. */
import { basename } from 'node:path/posix'
import { type Static, Type } from 'typebox'
import { omitNullish, oneOf, Timestamp, Uri } from '../common.ts'

const PROVIDERS = ['github', 'gitlab'] as const

/** The repository that a space was last synced with. */
export const GitSync = Type.Object(
  {
    repoName: Type.Optional(Type.String({ description: 'The name of the repository' })),
    installationProvider: Type.Optional(oneOf(PROVIDERS)),
    url: Type.Optional({ ...Uri, description: 'The page of the folder on the host of the repository' }),
    updatedAt: Type.Optional({ ...Timestamp, description: 'When the space was last synced' }),
  },
  { title: 'GitSyncState' },
)

/** The columns of a source that say where its repository is. */
export interface SyncedRepository {
  kind: string
  url: string | null
  branch: string | null
  path: string | null
  syncedAt: string
}

/** How the pages of a host name the folder of a branch, by the name of the host. */
const HOSTS: Readonly<Record<string, { tree: string; provider?: (typeof PROVIDERS)[number] }>> = {
  'github.com': { tree: '/tree/', provider: 'github' },
  'gitlab.com': { tree: '/-/tree/', provider: 'gitlab' },
  'bitbucket.org': { tree: '/src/' },
  'codeberg.org': { tree: '/src/branch/' },
}

/** The repository of a source; undefined if the source is none. */
export function toGitSync(source: SyncedRepository): Static<typeof GitSync> | undefined {
  const { kind, url: address, branch, path, syncedAt } = source
  if (kind !== 'git' || address === null) return undefined
  const page = repositoryPage(address)
  const host = page && HOSTS[page.hostname]
  const parts = [branch ?? '', ...(path ?? '').split('/')].filter((part) => part !== '')
  const tree = host && branch !== null ? host.tree + parts.map(encodedPath).join('/') : ''
  return {
    repoName: basename(page?.pathname ?? address),
    ...omitNullish({ installationProvider: host?.provider, url: page && page.href + tree }),
    updatedAt: syncedAt,
  }
}

const encodedPath = (part: string) => part.split('/').map(encodeURIComponent).join('/')

/** The page of a repository: its address by http, or what an address by SSH names on the same host. */
function repositoryPage(address: string): URL | undefined {
  const bySsh = /^(?:ssh:\/\/)?(?:[\w.-]+@)([\w.-]+)(?::\d+)?[:/](.+)$/i.exec(address)
  const text = bySsh ? `https://${bySsh[1]}/${bySsh[2]}` : address
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  url.pathname = url.pathname.replace(/\/+$/, '').replace(/\.git$/i, '')
  return url
}
