/** The repository of another host that a request names: its address, its branch, a folder in it, and credentials. */
import { because } from '../core/languages/reasons.ts'
import { invalidField } from '../http/errors.ts'
import { pathInRepository } from './source-address.ts'

/** The address of a repository, with what the server sends to be let in. */
export interface Remote {
  /** Without credentials and without a slash at the end. */
  url: string
  /** The `Authorization` header; undefined for a public repository. */
  authorization: string | undefined
}

/** Reads an address, which may have a user name and a password or token. @param field its place in the request @throws 400 */
export function remoteAt(address: string, field: string): Remote {
  const isHttp = /^https?:\/\//i.test(address) && URL.canParse(address)
  if (!isHttp) throw invalidField(field, because('repository-address-http'))
  const url = new URL(address)
  if (url.search !== '' || url.hash !== '') throw invalidField(field, because('repository-address-query'))
  const [user, password] = [decoded(url.username), decoded(url.password)]
  url.username = ''
  url.password = ''
  const isPublic = user === '' && password === ''
  return {
    url: url.href.replace(/\/+$/, ''),
    authorization: isPublic
      ? undefined
      : `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`,
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The branch of a ref such as `refs/heads/main`. @throws 400 for what git would refuse as its name */
export function branchOfRef(ref: string, field: string): string {
  const branch = ref.startsWith('refs/heads/') ? ref.slice('refs/heads/'.length) : ''
  const isName =
    branch !== '' &&
    !/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|\.$|\/$/u.test(branch) &&
    branch.split('/').every((part) => !part.startsWith('.') && !part.endsWith('.lock')) &&
    !/^[-/]/.test(branch) &&
    branch !== '@'
  if (isName) return branch
  throw invalidField(field, because('not-branch-ref'))
}

/** The folder of the documentation in a repository; empty for all of it. @throws 400 if it is outside */
export function folderInRepository(named: string, field: string): string {
  const path = pathInRepository(named.normalize('NFC'))
  const isInside =
    !/[\p{Cc}\\]/u.test(path) && !path.split('/').some((part) => part === '..' || /^\.git$/i.test(part))
  if (isInside) return path
  throw invalidField(field, because('not-repository-path', { path: named }))
}
