import type { ReactNode } from 'react'
import { Link } from 'wouter'
// oxlint-disable-next-line import/no-unassigned-import
import './home.css'

/** A place as a card, the whole of which is pressed. @param hue the colour of its cover; without it, it has none */
export function PlaceCard({
  to,
  title,
  face,
  hue,
  children,
}: {
  to: string
  title: string
  face?: ReactNode
  hue?: number
  children: ReactNode
}) {
  return (
    <li className="card">
      {hue !== undefined && <span className="card-cover" data-hue={hue} aria-hidden="true" />}
      {face}
      <Link className="card-name" href={to}>
        <bdi>{title}</bdi>
      </Link>
      {children}
    </li>
  )
}

/** What is known about it, below its name. */
export function CardMeta({ children }: { children: ReactNode }) {
  return <p className="card-meta">{children}</p>
}
