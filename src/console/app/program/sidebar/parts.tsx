/** The rows of the sidebar. */
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Link } from 'wouter'

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
