import { useApi } from '../../api/api.ts'
import type { User } from '../../api/types.ts'

/** A user whom a text or a table names. */
export function Mention({ user }: { user: string }) {
  const { data } = useApi<User>(`/users/${user}`)
  return <b>@{data?.displayName ?? '…'}</b>
}
