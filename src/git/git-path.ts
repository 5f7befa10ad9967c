/** Paths that a commit may have. */

/** Files by which git itself works: a clone that had them would work differently, and `git fsck` checks what they contain. */
const OF_GIT = new Set(['.git', '.gitmodules', '.gitattributes'])

/** Characters that HFS+ ignores in names, so that a name with them is another one there. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/**
 * Whether git can store a path, and every file system can check it out without harm. The rules are those of `git fsck`:
 * no part of the path is empty, `.`, `..` or a name of git in any spelling that Windows or macOS take for it.
 */
export function isGitPath(path: string): boolean {
  if (path === '' || Buffer.byteLength(path) > 4_000 || /[\p{Cc}\\]/u.test(path)) return false
  return path.split('/').every(isGitName)
}

function isGitName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || !name.isWellFormed()) return false
  // Windows ignores the case, what follows a colon, and dots and spaces at the end. It also has short names.
  const plain = name
    .replace(IGNORED, '')
    .toLowerCase()
    .replace(/:[^]*$/, '')
    .replace(/[. ]{1,255}$/, '')
  if (plain === '' || OF_GIT.has(plain)) return false
  return !/^(?:git|gitmod|gitatt|gi[0-9a-f]{4})~[0-9]{1,6}$/.test(plain)
}
