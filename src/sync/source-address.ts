/** A branch of a git repository as the source of a space. */
import { createHash } from 'node:crypto'
import { basename } from 'node:path/posix'
import type { SyncBody } from '../model/proposals/space-source.ts'

/** Hides the credentials in addresses. */
export function withoutPasswords(words: string): string {
  return words.replace(/(\b[a-z][a-z+.-]{0,20}:\/\/)[^\s/@]{1,2000}@/gi, '$1')
}

/** A folder in a repository as it is named in a sync. */
export function pathInRepository(named: string): string {
  return named
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
}

/** The name of the repository at an address. */
export const repositoryName = (address: string) =>
  basename(originPath(address)).replace(/\.git$/i, '') || 'repository'

/** A commit of a branch as the source of a sync. */
export function gitSource(
  address: string,
  branch: string,
  path: string,
  oid: string,
): SyncBody & { oid: string } {
  const url = withoutPasswords(address)
  const short = repositoryName(address)
  return {
    kind: 'git',
    key: gitKey(url, branch, path),
    name: shortName(path === '' ? short : `${short}/${path}`),
    url,
    branch,
    ...(path === '' ? {} : { path }),
    oid,
  }
}

/** The key of a branch of a repository: the same for the command line and the server. */
export function gitKey(url: string, branch: string, path: string): string {
  return digestKey(
    'git',
    withoutPasswords(url)
      .replace(/\/+$/, '')
      .replace(/\.git$/i, ''),
    branch,
    path,
  )
}

/** The key of a source: a digest of what identifies it. */
export const digestKey = (...parts: string[]) => createHash('sha256').update(parts.join('\0')).digest('hex')

/** A name on one line, as short as that of a source. */
export const shortName = (name: string) => name.replace(/\p{Cc}/gu, ' ').slice(0, 200) || 'source'

/** The path of an address, also of `user@host:path`. */
export function originPath(address: string): string {
  if (URL.canParse(address) && /^[a-z+]+:\/\//i.test(address)) return new URL(address).pathname
  return address.slice(address.indexOf(':') + 1)
}
