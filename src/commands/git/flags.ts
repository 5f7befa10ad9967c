/** Names the flags of the command line in what is wrong with a repository. */
import { ApiError } from '../../http/errors.ts'
import { UsageError } from '../usage.ts'

/** What mends a fault on the command line, by its reason. */
const BY_FLAGS: Readonly<Record<string, string>> = {
  'repository-folder-missing': 'name another one with --path',
  'repository-without-files': 'name another folder with --path',
  'repository-files-too-large': 'name a folder of them with --path',
  'repository-converted':
    'if the space was imported with --source markdown, add --source markdown; to replace the pages, add --force',
  'repository-several-trees': "name one with --root, or all as one with --root ''",
  'repository-root-outside': 'name another folder with --root',
  'repository-file-in-the-way':
    'import the branch with --sync first, rename the file, or overwrite it with --force',
}

/** Does work with a repository. @param more sentences for other reasons @throws UsageError instead of an error of the API */
export async function withFlags<T>(
  work: () => Promise<T>,
  more: Readonly<Record<string, string>> = {},
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const advice = { ...BY_FLAGS, ...more }[error.reason ?? '']
    // The part after the semicolon says what to do with a request.
    throw new UsageError(advice === undefined ? error.message : `${error.message.split('; ')[0]}; ${advice}`)
  }
}
