import { useApi } from '../../api/api.ts'

/** A user whom a text or a table names. */
export function Mention({ user }: { user: string }) {
  const { data } = useApi(`/users/${user}`)
  return <b>@{data?.displayName ?? '…'}</b>
}
