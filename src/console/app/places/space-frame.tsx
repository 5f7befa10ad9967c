import type { ReactNode } from 'react'
import { useApi } from '../api/api.ts'
import { Loaded } from '../ui/parts.tsx'
import type { Space } from '../api/types.ts'
import { spaceScreens } from './space-screens.ts'
import { t } from '../words/words.ts'
import { Frame } from '../ui/fields.tsx'

/** A screen of a space. */
export function SpaceFrame({
  id,
  title,
  actions,
  children,
}: {
  id: string
  title: string
  actions?: ReactNode
  children: (space: Space) => ReactNode
}) {
  const query = useApi(`/spaces/${id}`)
  const organization = useApi(query.data && `/orgs/${query.data.organization}`)
  return (
    <Loaded query={query} title={t('common.space-cannot-shown')}>
      {(space) => (
        <Frame
          trail={[
            { title: organization.data?.title ?? '…', to: `/o/${space.organization}` },
            { title: space.title || t('common.untitled'), to: `/s/${id}` },
          ]}
          title={title}
          label={t('common.space')}
          links={spaceScreens(space).map(([path, name]) => [`/s/${id}/~/${path}`, name])}
          actions={actions}
        >
          {children(space)}
        </Frame>
      )}
    </Loaded>
  )
}
