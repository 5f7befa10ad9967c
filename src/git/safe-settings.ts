/** Settings with which every git command of this program runs: without hooks, prompts, submodules and work behind its back. */

/** Arguments of `git` before the command: settings that win over those of the machine and of the repository. */
export const SAFE_SETTINGS: readonly string[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.quotePath', 'false'],
  ['submodule.recurse', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['advice.detachedHead', 'false'],
].flatMap(([name, value]) => ['-c', `${name}=${value}`])

/** Variables that git sets for its hooks. They would make a command use another repository. */
export const OF_HOOKS =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|PREFIX|COMMON_DIR|NAMESPACE|CONFIG.*)$/
