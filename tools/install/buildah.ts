import { execFileSync } from 'node:child_process'

/** Runs a command of Buildah. Works as root in a container too: without overlays, and with a chroot as the only isolation. */
export function buildah(...args: string[]): string {
  const options = { encoding: 'utf8', stdio: 'pipe', maxBuffer: 2 ** 28 } as const
  return execFileSync('buildah', ['--storage-driver', 'vfs', ...args], options).trim()
}
