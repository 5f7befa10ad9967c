/** The archives of public repositories that hosts of git offer. */

/** How a host names the archive of a branch or tag; `HEAD` is the default branch. */
const HOSTS: Record<string, (repository: string, ref: string) => string> = {
  'github.com': (repository, ref) => `https://github.com/${repository}/archive/${ref}.zip`,
  'gitlab.com': (repository, ref) =>
    `https://gitlab.com/${repository}/-/archive/${ref}/${repository.split('/').at(-1)}.zip`,
  'bitbucket.org': (repository, ref) => `https://bitbucket.org/${repository}/get/${ref}.zip`,
  // Codeberg may have no archive of `HEAD`. The import of the address of a branch, such as `/src/branch/main`, needs none.
  'codeberg.org': (repository, ref) => `https://codeberg.org/${repository}/archive/${ref}.zip`,
}

const NAME = '[\\w.-]{1,100}'
const REPOSITORY = new RegExp(
  `^/(${NAME}(?:/${NAME}){1,10}?)(?:/(?:-/tree|tree|src/branch|src)/(.{1,200}?))?/?$`,
)

/**
 * The address of the archive of a public repository, for the address of the repository or of one of its branches.
 * @returns undefined for other addresses
 */
export function archiveOfRepository(address: string): string | undefined {
  const url = URL.parse(address)
  const host = url?.host.replace(/^www\./, '') ?? ''
  const archive = Object.hasOwn(HOSTS, host) ? HOSTS[host] : undefined
  const [, path, ref = 'HEAD'] =
    (archive && url?.protocol === 'https:' && REPOSITORY.exec(url.pathname)) || []
  if (archive === undefined || path === undefined) return undefined
  // Only groups of GitLab have further levels, and its own pages of a repository are below a dash.
  const repository = path.replace(/\.git$/, '')
  const levels = repository.split('/')
  if (levels.includes('-') || (levels.length > 2 && host !== 'gitlab.com')) return undefined
  return archive(repository, ref)
}
