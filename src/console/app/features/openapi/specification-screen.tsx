import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { CheckField, ChoiceField, LineField, Part } from '../../ui/fields.tsx'
import { OrganizationFrame } from '../../places/organization-frame.tsx'
import { go, useApi, useChange, useList } from '../../api/api.ts'
import { ConfirmButton, EditForm } from '../../ui/forms.tsx'
import { DialogButton, Loaded, More } from '../../ui/parts.tsx'
import type { Organization } from '../../api/types.ts'
import { ago, t } from '../../words/words.ts'
import { READING_POLL, type Specification, stateText } from './specification.ts'
import { SourceForm } from './source-form.tsx'
import type { OrganizationPath } from '../../api/paths.ts'

type SpecificationPath = `${OrganizationPath}/openapi/${string}`

/** An OpenAPI specification: its source, versions and problems, and pages made from it. */
export function SpecificationScreen({ params }: { params: Record<string, string> }) {
  const { organizationId = '', slug = '' } = params
  const path = `/orgs/${organizationId}/openapi/${slug}` as const
  const query = useApi(path, { live: true })
  const client = useQueryClient()
  const isReading = query.data !== undefined && query.data.processingState !== 'complete'
  useEffect(() => {
    if (!isReading) return undefined
    const timer = setInterval(() => void client.invalidateQueries({ queryKey: ['api', path] }), READING_POLL)
    return () => {
      clearInterval(timer)
      void client.invalidateQueries({ queryKey: ['api', `${path}/versions`] })
    }
  }, [isReading, client, path])
  return (
    <OrganizationFrame
      id={organizationId}
      title={slug}
      trail={[{ title: t('common.openapi-specifications'), to: `/o/${organizationId}/openapi` }]}
    >
      {(organization) => (
        <Loaded query={query} title={t('openapi.specification-cannot-shown')}>
          {(specification) => (
            <>
              <State specification={specification} organizationId={organizationId} />
              <Versions path={path} />
              {specification.permissions.edit && (
                <>
                  <Access key={specification.id} specification={specification} path={path} />
                  <Pages path={path} specification={specification} organization={organization} />
                  <DeleteSpecification path={path} organizationId={organizationId} slug={slug} />
                </>
              )}
            </>
          )}
        </Loaded>
      )}
    </OrganizationFrame>
  )
}

function State({ specification, organizationId }: { specification: Specification; organizationId: string }) {
  const { sourceURL, lastProcessedAt, lastProcessedErrors = [], permissions } = specification
  return (
    <Part
      title={t('common.source')}
      actions={
        permissions.edit && (
          <DialogButton label={t('block.update')} title={t('openapi.update-the-specification')}>
            {(close) => <SourceForm organizationId={organizationId} known={specification} close={close} />}
          </DialogButton>
        )
      }
    >
      <p role="status">
        {stateText(specification)}
        {lastProcessedAt !== undefined && ` · ${ago(lastProcessedAt)}`}
      </p>
      {sourceURL !== undefined && (
        <p>
          <code>{sourceURL}</code>
        </p>
      )}
      {lastProcessedErrors.length > 0 && (
        <ul className="refusal">
          {lastProcessedErrors.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
    </Part>
  )
}

function Versions({ path }: { path: SpecificationPath }) {
  const list = useList(`${path}/versions`)
  return (
    <Part title={t('openapi.versions')}>
      {list.isSuccess && list.items.length === 0 && (
        <p className="hint">{t('openapi.there-no-version-yet')}</p>
      )}
      <ul className="rows">
        {list.items.map(({ id, createdAt, url }) => (
          <li key={id}>
            <time dateTime={createdAt}>{new Date(createdAt).toLocaleString()}</time>
            <a href={url} download>
              {t('common.download')}
            </a>
          </li>
        ))}
      </ul>
      <More list={list} />
    </Part>
  )
}

function Access({ specification, path }: { specification: Specification; path: SpecificationPath }) {
  const [visibility, setVisibility] = useState(specification.visibility)
  const [requestProxy, setProxy] = useState(specification.requestProxy)
  const change = useChange(`PATCH ${path}`, [path.replace(/\/[^/]+$/, '')])
  return (
    <Part title={t('common.access')}>
      <EditForm
        change={change}
        action={t('common.save')}
        onSubmit={() => change.mutate({ visibility, requestProxy })}
      >
        <ChoiceField
          label={t('openapi.can-download')}
          value={visibility}
          onChange={setVisibility}
          options={[
            ['private', t('common.members')],
            ['public', t('common.everyone')],
          ]}
        />
        <CheckField
          label={t('openapi.let-server-send-requests')}
          isChecked={requestProxy}
          onChange={setProxy}
        />
      </EditForm>
      {specification.urls.published !== undefined && (
        <p>
          <a href={specification.urls.published}>{specification.urls.published}</a>
        </p>
      )}
    </Part>
  )
}

/** Makes a space whose pages show the specification, once there is something to show. */
function Pages({
  specification: { slug },
  path,
  organization,
}: {
  path: SpecificationPath
  specification: Specification
  organization: Organization
}) {
  const [title, setTitle] = useState(slug)
  const [models, setModels] = useState(true)
  const [isSplit, setSplit] = useState(false)
  const create = useChange(`POST /orgs/${organization.id}/spaces`)
  const versions = useList(`${path}/versions`)
  const reason = useId()
  const isEmpty = versions.isSuccess && versions.items.length === 0
  return (
    <Part title={t('common.pages')}>
      <p className="hint">{t('openapi.new-space-can-page')}</p>
      <EditForm
        change={create}
        action={t('openapi.make-space')}
        unable={isEmpty ? reason : undefined}
        onSubmit={() =>
          create.mutate(
            {
              title,
              computedSource: {
                type: 'builtin:openapi',
                props: { models, ...(isSplit ? { grouping: 'by-operation' } : {}) },
                dependencies: { spec: { ref: { kind: 'openapi', spec: slug } } },
              },
            },
            { onSuccess: ({ id }) => go(`/s/${id}`) },
          )
        }
      >
        <LineField label={t('common.title')} value={title} onChange={setTitle} isRequired />
        <CheckField label={t('openapi.pages-schemas')} isChecked={models} onChange={setModels} />
        <CheckField label={t('openapi.page-each-operation')} isChecked={isSplit} onChange={setSplit} />
        {isEmpty && (
          <p id={reason} className="hint">
            {t('openapi.specification-must-read-without')}
          </p>
        )}
      </EditForm>
    </Part>
  )
}

function DeleteSpecification({
  path,
  organizationId,
  slug,
}: {
  path: SpecificationPath
  organizationId: string
  slug: string
}) {
  const remove = useChange(`DELETE ${path}`, [`/orgs/${organizationId}/openapi?`])
  return (
    <ConfirmButton
      label={t('openapi.delete-the-specification')}
      question={t('common.delete-title', { title: slug })}
      text={t('openapi.pages-no-longer-show')}
      change={remove}
      onConfirm={(close) =>
        remove.mutate(undefined, {
          onSuccess: () => {
            close()
            go(`/o/${organizationId}/openapi`)
          },
        })
      }
    />
  )
}
