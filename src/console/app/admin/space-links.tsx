import { Link } from 'wouter'
import type { Space } from '../api/types.ts'
import { spaceScreens } from '../places/space-frame.tsx'

/** The ways to the screens about the whole of a space. */
export function SpaceLinks({ space }: { space: Space }) {
  return (
    <>
      {spaceScreens(space).map(([path, title]) => (
        <Link key={path} href={`/s/${space.id}/~/${path}`}>
          {title}
        </Link>
      ))}
    </>
  )
}
