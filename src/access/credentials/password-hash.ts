/** What a thread does for a password. */
import { argon2Sync } from 'node:crypto'

/** The settings of an argon2id hash: the memory in KiB, the passes over it, and the lanes. */
export interface HashSettings {
  memory: number
  passes: number
  parallelism: number
}

export interface HashTask extends HashSettings {
  /** The password in the form in which it is hashed. */
  message: string
  nonce: Uint8Array
  /** The length of the hash in bytes. */
  tagLength: number
}

/** The argon2id hash. It takes the thread for tens of milliseconds, and no thread that reads files. */
export function argon2id(task: HashTask): Uint8Array {
  return argon2Sync('argon2id', task)
}
