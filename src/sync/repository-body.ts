/** What requests say about a repository of another host. */
import { Type } from 'typebox'
import { Timestamp } from '../model/common.ts'
import type { RepositoryBranch } from './import-repository.ts'
import { branchOfRef, folderInRepository, remoteAt } from './remote.ts'

const unused = (maxLength: number) =>
  Type.Optional(
    Type.String({ maxLength, description: 'For clients that send it; Lectern does not need it.' }),
  )

/** Which branch of which repository a request is about. */
export const NAMED_BRANCH = {
  url: Type.String({
    format: 'uri',
    maxLength: 2048,
    description:
      'The address of the repository by https. It can have a user name and a token, that the host accepts.',
  }),
  ref: Type.String({ maxLength: 255, description: 'The branch, such as `refs/heads/main`' }),
  repoProjectDirectory: Type.Optional(
    Type.String({ maxLength: 1000, description: 'The folder of the documentation in the repository' }),
  ),
}

/** The same, with the fields of clients for which Lectern has no use. */
export const REPOSITORY = {
  ...NAMED_BRANCH,
  repoCacheID: unused(255),
  repoTreeURL: unused(2048),
  repoCommitURL: unused(2048),
  timestamp: Type.Optional({
    ...Timestamp,
    description:
      'For clients that send it. Lectern reads the newest commit and the newest revision, and merges both, so that the order of requests does not matter.',
  }),
  gitInfo: Type.Optional(
    Type.Object(
      { provider: Type.Optional(Type.Enum(['github', 'gitlab'])), url: unused(2048) },
      { description: 'For clients that send it. Lectern knows the host by `url`.' },
    ),
  ),
}

interface NamedBranch {
  url: string
  ref: string
  repoProjectDirectory?: string
  force?: boolean
}

/** The branch that a body names. @throws 400 */
export function branchIn({
  url,
  ref,
  repoProjectDirectory = '',
  force = false,
}: NamedBranch): RepositoryBranch {
  return {
    remote: remoteAt(url, 'body.url'),
    branch: branchOfRef(ref, 'body.ref'),
    path: folderInRepository(repoProjectDirectory, 'body.repoProjectDirectory'),
    force,
  }
}

/** What the audit log says of a branch: everything but the credentials. */
export const auditedBranch = ({ remote: { url }, branch, path }: RepositoryBranch) => ({ url, branch, path })
