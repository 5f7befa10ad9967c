/** The rows of the sidebar. */
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { type More, Refusal } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'

/** A place in the sidebar. */
export function Place({
  to,
  at,
  sign,
  isAround = false,
  children,
}: {
  to: string
  /** The path of the screen below `/app`. */
  at: string
  sign?: ReactNode
  /** Whether the screens below its address are inside it. */
  isAround?: boolean
  children: ReactNode
}) {
  const isHere = at === to
  const isInside = isAround && at.startsWith(`${to}/`)
  const link = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isHere) link.current?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  }, [isHere])
  return (
    <Link
      ref={link}
      href={to}
      className="side-row"
      aria-current={isHere ? 'page' : isInside ? 'true' : undefined}
    >
      {sign}
      {children}
    </Link>
  )
}

/** The name of a place, which is cut off where it has no room. */
export function PlaceName({ children }: { children: string }) {
  return (
    <span className="side-name" title={children}>
      <bdi>{children}</bdi>
    </span>
  )
}

/** Places that belong together, below their common name. */
export function Group({
  name,
  action,
  children,
}: {
  name: ReactNode
  action?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id} className="side-group">
      <div className="side-caption">
        <span id={id}>{name}</span>
        {action}
      </div>
      {children}
    </div>
  )
}

/** The end of a list of places: it could not be read, or it has more. */
export function MorePlaces({ list }: { list: Parameters<typeof More>[0]['list'] }) {
  if (list.error) return <Refusal query={list} />
  if (!list.hasNextPage) return null
  return (
    <Button className="side-row" onPress={() => void list.fetchNextPage()}>
      {t('common.show-more')}
    </Button>
  )
}
