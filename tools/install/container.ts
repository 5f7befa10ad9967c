import { type ChildProcess, spawn } from 'node:child_process'

/** What an image says about its process. */
export interface ImageConfig {
  User: string
  Env: string[]
  Entrypoint: string[]
  WorkingDir: string
  Volumes: Record<string, object>
  StopSignal: string
  Labels: Record<string, string>
  Healthcheck: { Test: string[] }
}

/** An image to run: its mounted root, its configuration, and the folders of this machine that are at a path of it. */
export interface Container {
  root: string
  config: ImageConfig
  folders: Record<string, string>
  env: Record<string, string>
}

/** A shell script: the mounts of a container, of which only the named folders and /tmp can be written. */
const MOUNTS = `
set -e
mount --make-rprivate /
mount --bind "$ROOT" "$ROOT"
for pair in $FOLDERS; do mkdir -p "$ROOT\${pair#*:}"; mount --bind "\${pair%%:*}" "$ROOT\${pair#*:}"; done
mount -t tmpfs -o mode=1777 tmpfs "$ROOT/tmp"
touch "$ROOT/etc/hosts"
mount --bind /etc/hosts "$ROOT/etc/hosts"
mount -t proc proc "$ROOT/proc"
mount -t tmpfs tmpfs "$ROOT/dev"
for device in null zero random urandom; do touch "$ROOT/dev/$device"; mount --bind "/dev/$device" "$ROOT/dev/$device"; done
mount -o remount,bind,ro "$ROOT"
exec chroot "$ROOT" /usr/bin/setpriv "--reuid=\${OWNER%%:*}" "--regid=\${OWNER#*:}" --clear-groups --no-new-privs --bounding-set=-all \\
  /usr/bin/env --ignore-environment "--chdir=$FOLDER" "$@"
`

/**
 * Starts a command in a container: with the root of an image, which is read-only, as the user of the image, without
 * capabilities, and with the network of this machine.
 */
export function runIn({ root, config, folders, env }: Container, command: string[]): ChildProcess {
  const variables = [...config.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)]
  return spawn(
    'unshare',
    ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', MOUNTS, 'sh', ...variables, ...command],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        ROOT: root,
        OWNER: config.User,
        FOLDER: config.WorkingDir,
        FOLDERS: Object.entries(folders)
          .map(([from, to]) => `${from}:${to}`)
          .join(' '),
      },
    },
  )
}

/** Waits for a process to end. @returns its exit code and all that it printed */
export async function ended(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  let output = ''
  child.stdout?.on('data', (piece: Buffer) => (output += piece.toString()))
  child.stderr?.on('data', (piece: Buffer) => (output += piece.toString()))
  const { promise, resolve } = Promise.withResolvers<number | null>()
  child.once('close', resolve)
  return { code: await promise, output }
}
