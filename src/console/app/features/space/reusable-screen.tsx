import { useState } from 'react'
import { Button } from 'react-aria-components'
import { api, go, useList } from '../../api/api.ts'
import { LineField } from '../../ui/fields.tsx'
import type { Space } from '../../api/types.ts'
import { SpaceFrame } from '../../places/space-frame.tsx'
import { EditForm } from '../../ui/forms.tsx'
import { DialogButton, Named, Refusal, Rows } from '../../ui/parts.tsx'
import { Uses } from './uses.tsx'
import { t } from '../../words/words.ts'
import { openChangeRequest, useContentChange } from './space-content.ts'
import { Toasts } from '../../ui/toasts.tsx'

interface ReusableContent {
  id: string
  title: string
}

/** The reusable contents of a space: texts that several pages include. */
export function ReusableScreen({ params: { spaceId = '' } }: { params: Record<string, string> }) {
  const list = useList(`/spaces/${spaceId}/content/reusable-contents`)
  return (
    <SpaceFrame id={spaceId} title={t('block.reusable-content')}>
      {(space) => (
        <>
          <div className="heading">
            <p className="hint">{t('space.text-write-once-include')}</p>
            {space.permissions.edit && <NewReusable space={space} />}
          </div>
          <Rows list={list} empty={t('space.there-no-reusable-content')}>
            {(one) => <ReusableRow key={one.id} space={space} one={one} />}
          </Rows>
          <Toasts />
        </>
      )}
    </SpaceFrame>
  )
}

const editorAt = (spaceId: string, number: number, id: string) =>
  `/s/${spaceId}/~/changes/${number}/reusable/${id}`

function ReusableRow({ space, one: { id, title } }: { space: Space; one: ReusableContent }) {
  const [isOpen, setOpen] = useState(false)
  const [problem, setProblem] = useState<Error | null>(null)
  const change = useContentChange(space)
  const edit = () =>
    openChangeRequest(space.id, t('space.change-title', { title })).then(
      ({ number }) => go(editorAt(space.id, number, id)),
      setProblem,
    )
  return (
    <li>
      <span className="name">{title}</span>
      <span className="row-actions">
        <Button className="small quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          <Named name={title}>{t('space.where-used')}</Named>
        </Button>
        {space.permissions.edit && (
          <>
            <Button className="small quiet" onPress={() => void edit()}>
              <Named name={title}>{t('common.edit')}</Named>
            </Button>
            <RenameReusable space={space} one={{ id, title }} />
            <DialogButton
              label={<Named name={title}>{t('common.delete')}</Named>}
              title={t('common.delete-title', { title })}
              kind="small quiet"
            >
              {(close) => (
                <>
                  <p>{t('space.these-pages-include-will')}</p>
                  <Uses
                    path={`/spaces/${space.id}/content/reusable-contents/${id}/backlinks`}
                    addressOf={({ path = '' }) => `/s/${space.id}/${path}`}
                  />
                  <EditForm
                    change={change}
                    action={t('common.delete')}
                    onSubmit={() =>
                      change.mutate(
                        {
                          changes: [{ operation: 'delete_reusable_content', reusableContent: id }],
                          subject: t('space.delete-title', { title }),
                        },
                        { onSuccess: close },
                      )
                    }
                    close={close}
                  >
                    {null}
                  </EditForm>
                </>
              )}
            </DialogButton>
          </>
        )}
      </span>
      <Refusal error={problem} />
      {isOpen && (
        <div className="below">
          <Uses
            path={`/spaces/${space.id}/content/reusable-contents/${id}/backlinks`}
            addressOf={({ path = '' }) => `/s/${space.id}/${path}`}
          />
        </div>
      )}
    </li>
  )
}

function RenameReusable({ space, one: { id, title } }: { space: Space; one: ReusableContent }) {
  const [name, setName] = useState(title)
  const change = useContentChange(space)
  return (
    <DialogButton
      label={<Named name={title}>{t('common.rename')}</Named>}
      title={t('space.rename-title', { title })}
      kind="small quiet"
    >
      {(close) => (
        <EditForm
          change={change}
          action={t('common.save')}
          onSubmit={() =>
            change.mutate(
              {
                changes: [{ operation: 'update_reusable_content', reusableContent: id, title: name }],
                subject: t('space.rename-title', { title }),
              },
              { onSuccess: close },
            )
          }
          close={close}
        >
          <LineField label={t('common.title')} value={name} onChange={setName} isRequired autoFocus />
        </EditForm>
      )}
    </DialogButton>
  )
}

/** Adds a reusable content in a change request, and opens it to be written. */
function NewReusable({ space: { id } }: { space: Space }) {
  const [title, setTitle] = useState('')
  const [state, setState] = useState<{ isPending: boolean; error: Error | null }>({
    isPending: false,
    error: null,
  })
  const add = async () => {
    setState({ isPending: true, error: null })
    try {
      const { number } = await openChangeRequest(id, t('space.add-title', { title }))
      const content = `/spaces/${id}/change-requests/${number}/content` as const
      const { changes } = await api(`POST ${content}?compat=false`, {
        changes: [{ operation: 'insert_reusable_content', title, document: {} }],
      })
      const added = changes.find((one) => one.object === 'created_reusable_content')?.reusableContent
      if (added) go(editorAt(id, number, added.id))
    } catch (error) {
      setState({ isPending: false, error: error as Error })
    }
  }
  return (
    <DialogButton
      label={t('space.new-reusable-content')}
      title={t('space.new-reusable-content')}
      kind="button main"
    >
      {(close) => (
        <EditForm
          change={{ ...state, isSuccess: false }}
          action={t('common.create')}
          onSubmit={() => void add()}
          close={close}
        >
          <LineField label={t('common.title')} value={title} onChange={setTitle} isRequired autoFocus />
        </EditForm>
      )}
    </DialogButton>
  )
}
