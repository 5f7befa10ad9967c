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
    <SpaceFrame id={spaceId} title={t('Redirects')}>
      {(space) => (
        <Loaded query={values} title={t('The redirects cannot be shown')}>
          {({ redirects = {} }) => (
            <Part
              title={t('Redirects of the space')}
              actions={!space.permissions.edit ? null : <NewRedirect space={space} />}
            >
              <p className="hint">
                {t(
                  'Readers who open an old address come to the page or website here. Pages that you move or rename keep their old addresses without a redirect.',
                )}
              </p>
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
  if (redirects.length === 0) return <p className="hint">{t('There is no redirect yet.')}</p>
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
                    subject: t('Remove the redirect from {path}', { path: `/${path}` }),
                  })
                }
              >
                <Named name={path}>{t('Remove')}</Named>
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
    <DialogButton label={t('New redirect')} title={t('New redirect')} kind="button main">
      {(close) => (
        <EditForm
          change={change}
          action={t('Create')}
          onSubmit={() => {
            if (!target) return
            change.mutate(
              {
                changes: [{ operation: 'update_redirects', redirects: { [path]: target } }],
                subject: t('Redirect {path}', { path }),
              },
              { onSuccess: close },
            )
          }}
          close={close}
        >
          <LineField
            label={t('Old address')}
            value={path}
            onChange={setPath}
            hint={t('Such as guides/old-name, without the name of the site.')}
            isRequired
            autoFocus
          />
          <LinkTargetField content={`/spaces/${space.id}/content`} value={target} onChange={setTarget} />
        </EditForm>
      )}
    </DialogButton>
  )
}
