/** The other users who are present in a space, in a change request, or on one of its pages. */
import { useQueries } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, useApi } from '../../api/api.ts'
import { t } from '../../words/words.ts'
import { listen } from '../../api/streams.ts'
// oxlint-disable-next-line import/no-unassigned-import
import './together.css'
import type { DiscussedPath } from '../../api/paths.ts'

/** The activity of a user, and its place. */
export interface Doing {
  state: 'viewing' | 'editing'
  page?: string
  /** The key of a block. */
  block?: string
}

interface Present extends Doing {
  user: string
  client: string
}

/** A person who is here in one or more tabs. */
export interface PersonHere {
  id: string
  name: string
  /** One of the colours of people. */
  hue: number
  doing: readonly Doing[]
}

/** Presence expires after 45 seconds. */
const AGAIN_MS = 20_000
/** A caret that runs through a page says nothing until it rests. */
const REST_MS = 400
const HUES = 6

/**
 * Shows the others what this tab shows, and returns them. It ends when the tab is closed or hidden.
 * @param base the path of the space or change request below `/v1`; undefined to wait
 */
export function useHere(base: DiscussedPath | undefined, doing: Doing): PersonHere[] {
  const [present, setPresent] = useState<readonly Present[]>([])
  const client = useRef<string>(undefined)
  const { state, page, block } = doing
  const { data: me } = useApi('/user')

  useEffect(() => {
    if (base === undefined) return undefined
    const say = () => {
      if (client.current === undefined) return
      const body = { client: client.current, state, ...(page && { page }), ...(page && block && { block }) }
      // Nobody misses anything without it.
      api(`PUT ${base}/presence`, body).catch(() => undefined)
    }
    const rest = setTimeout(say, REST_MS)
    const again = setInterval(say, AGAIN_MS)
    const leave = listen(base, (name, data) => {
      if (name === 'presence') setPresent(data.present as Present[])
      if (name !== 'ready') return
      const isNew = client.current !== data.client
      client.current = data.client as string
      if (isNew) say()
    })
    return () => {
      clearTimeout(rest)
      clearInterval(again)
      leave()
    }
  }, [base, state, page, block])

  const others = new Map<string, Doing[]>()
  for (const one of present) {
    if (me === undefined || one.user === me.id) continue
    others.set(one.user, [...(others.get(one.user) ?? []), one])
  }
  const ids = [...others.keys()]
  const names = useQueries({
    queries: ids.map((id) => ({
      queryKey: ['api', `/users/${id}`],
      queryFn: () => api(`GET /users/${id}`),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  })
  return ids.map((id, i) => ({
    id,
    name: names[i]?.data?.displayName ?? t('editor.somebody'),
    hue: hueOf(id),
    doing: others.get(id)!,
  }))
}

/** Everybody sees a person in the same colour. */
function hueOf(id: string): number {
  let sum = 0
  for (const char of id) sum = (31 * sum + char.codePointAt(0)!) % 9973
  return sum % HUES
}

/** The faces of the others; nothing if nobody else is here. @param page the page that is shown, if there is one */
export function Faces({ people, page }: { people: readonly PersonHere[]; page?: string | undefined }) {
  if (people.length === 0) return null
  return (
    <ul className="faces" aria-label={t('editor.also-here')}>
      {people.map(({ id, name, hue, doing }) => {
        const what = whatOf(doing, page)
        return (
          <li key={id} className={`face hue-${hue}`} title={`${name} · ${what}`}>
            <span aria-hidden="true">{name.slice(0, 1)}</span>
            <span className="unseen">{`${name}: ${what}`}</span>
          </li>
        )
      })}
    </ul>
  )
}

function whatOf(doing: readonly Doing[], page: string | undefined): string {
  const here = doing.filter((one) => page === undefined || one.page === page)
  if (here.some(({ state }) => state === 'editing')) return t('editor.is-writing')
  return here.length > 0 ? t('editor.is-reading') : t('editor.another-page')
}

/** Says that the caller reads here, and shows who else is here. */
export function Here({ base, page }: { base: DiscussedPath; page?: string | undefined }) {
  const people = useHere(base, { state: 'viewing', ...(page && { page }) })
  return <Faces people={people} page={page} />
}
