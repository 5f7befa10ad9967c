import type { User } from '../api/types.ts'
import { ago } from '../words/words.ts'

/** The user who did something, and the time. */
export function By({ user, at, did }: { user: User; at: string; did?: string }) {
  return (
    <span className="by">
      <span className="avatar" aria-hidden="true" data-letter={user.displayName.slice(0, 1)} />
      <span>
        <b>{user.displayName}</b> {did} <time dateTime={at}>{ago(at)}</time>
      </span>
    </span>
  )
}
