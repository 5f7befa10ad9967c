/** Which files a commit has at other paths than another commit. */

/** So many changed files are compared with each other to find those that were renamed and changed. */
const MOST_COMPARED = 1_000

/**
 * The files that one commit has at other paths than another, with changes or without, as git finds them.
 * @param git runs a git command @param below the folder to which the paths are relative; both paths must be in it
 * @returns the former paths by the new ones
 */
export async function renamesBetween(
  git: (args: readonly string[]) => Promise<string>,
  from: string,
  to: string,
  below = '',
): Promise<Map<string, string>> {
  const compared = ['-r', '-z', '-M', `-l${MOST_COMPARED}`, '--diff-filter=R', '--name-status']
  const listed = (await git(['diff-tree', ...compared, from, to])).split('\0')
  const prefix = below === '' ? '' : `${below}/`
  const renamed = new Map<string, string>()
  for (let nth = 0; nth + 2 < listed.length; nth += 3) {
    const paths = [listed[nth + 2], listed[nth + 1]].map((path = '') => path.normalize('NFC'))
    if (!paths.every((path) => path.startsWith(prefix))) continue
    const [after = '', before = ''] = paths.map((path) => path.slice(prefix.length))
    renamed.set(after, before)
  }
  return renamed
}
