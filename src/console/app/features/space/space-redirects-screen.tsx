import { useState } from 'react'
import { Button } from 'react-aria-components'
import type { ContentRef } from '../../../../core/document/model.ts'
import { LineField, Part } from '../../ui/fields.tsx'
import type { Space } from '../../api/types.ts'
import { SpaceFrame } from '../../places/space-frame.tsx'
import { EditForm } from '../../ui/forms.tsx'
import { DialogButton, Loaded, Named, Refusal } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import { useLinkedPages } from '../../content/tree/linked-pages.ts'
import { ProposalHint } from './proposal-hint.tsx'
import { useContentChange, useSpaceValues } from './space-content.ts'
import { LinkTargetField } from '../../pages/link-target-field.tsx'
import { Toasts } from '../../ui/toasts.tsx'

/** The redirects of a space: old addresses, and where they lead. */
export function RedirectsScreen({ params: { spaceId = '' } }: { params: Record<string, string> }) {
  const values = useSpaceValues(spaceId)
  return (
    <SpaceFrame id={spaceId} title={t('common.redirects')}>
      {(space) => (
        <Loaded query={values} title={t('space.redirects-cannot-shown')}>
          {({ redirects = {} }) => (
            <Part
              title={t('space.redirects-space')}
              actions={!space.permissions.edit ? null : <NewRedirect space={space} />}
            >
              <p className="hint">{t('space.readers-open-old-address')}</p>
              <ProposalHint space={space} />
              <RedirectList space={space} redirects={Object.entries(redirects)} />
              <Toasts />
            </Part>
          )}
        </Loaded>
      )}
    </SpaceFrame>
  )
}

function RedirectList({ space, redirects }: { space: Space; redirects: [string, ContentRef][] }) {
  const change = useContentChange(space)
  const content = `/spaces/${space.id}/content` as const
  const pages = useLinkedPages(
    content,
    redirects.flatMap(([, to]) => (to.kind === 'page' ? [to.page] : [])),
  )
  if (redirects.length === 0) return <p className="hint">{t('space.there-no-redirect-yet')}</p>
  const nameOf = (to: ContentRef) =>
    to.kind === 'page'
      ? (pages.data?.find(({ id }) => id === to.page)?.title ?? '…')
      : to.kind === 'url'
        ? to.url
        : ''
  return (
    <>
      <Refusal error={change.error} />
      <ul className="rows">
        {redirects.map(([path, to]) => (
          <li key={path}>
            <span className="name">
              <code>/{path}</code>
              <span>→ {nameOf(to)}</span>
            </span>
            {space.permissions.edit && (
              <Button
                className="small quiet"
                isDisabled={change.isPending}
                onPress={() =>
                  change.mutate({
                    changes: [{ operation: 'update_redirects', redirects: { [path]: null } }],
                    subject: t('space.remove-redirect-path', { path: `/${path}` }),
                  })
                }
              >
                <Named name={path}>{t('common.remove')}</Named>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

function NewRedirect({ space }: { space: Space }) {
  const [path, setPath] = useState('')
  const [target, setTarget] = useState<ContentRef>()
  const change = useContentChange(space)
  return (
    <DialogButton label={t('common.new-redirect')} title={t('common.new-redirect')} kind="button main">
      {(close) => (
        <EditForm
          change={change}
          action={t('common.create')}
          onSubmit={() => {
            if (!target) return
            change.mutate(
              {
                changes: [{ operation: 'update_redirects', redirects: { [path]: target } }],
                subject: t('space.redirect-path', { path }),
              },
              { onSuccess: close },
            )
          }}
          close={close}
        >
          <LineField
            label={t('space.old-address')}
            value={path}
            onChange={setPath}
            hint={t('space.such-guides-old-name')}
            isRequired
            autoFocus
          />
          <LinkTargetField content={`/spaces/${space.id}/content`} value={target} onChange={setTarget} />
        </EditForm>
      )}
    </DialogButton>
  )
}
