import { useState } from 'react'
import { CheckField, CopyButton, Part } from '../../ui/fields.tsx'
import { SiteFrame } from './site-frame.tsx'
import type { SiteSettings } from '../../api/settings-types.ts'
import { useApi, useChange } from '../../api/api.ts'
import { ClaimsForm } from './claims/claims-form.tsx'
import { Failure, Loading, Refusal } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import type { SitePath } from '../../api/paths.ts'

/** The screen about the data that a site has about its visitors, and the content that depends on it. */
export function SiteVisitorsScreen({ params }: { params: Record<string, string> }) {
  return (
    <SiteFrame params={params} title={t('site.visitors')}>
      {({ site, path }) => (
        <>
          <Adaptive site={site} path={path} />
          <Claims path={path} />
          <Conditions path={path} />
        </>
      )}
    </SiteFrame>
  )
}

function Adaptive({ site, path }: { site: SiteSettings; path: SitePath }) {
  const [isOn, setOn] = useState(site.adaptiveContent.enabled)
  const change = useChange(`PATCH ${path}`)
  return (
    <Part title={t('site.content-some-visitors-only')}>
      <p className="hint">{t('site.sign-page-can-tell')}</p>
      <CheckField
        label={t('site.conditions-can-read-site')}
        isChecked={isOn}
        onChange={(enabled) => {
          setOn(enabled)
          change.mutate({ adaptiveContent: { enabled } }, { onError: () => setOn(!enabled) })
        }}
      />
      <Refusal error={change.error} />
    </Part>
  )
}

/** The possible claims about a visitor, as a JSON schema. */
function Claims({ path }: { path: SitePath }) {
  const query = useApi(`${path}/adaptive-schema?orEmpty=true`)
  const schema = query.data?.jsonSchema
  return (
    <Part title={t('site.known-about-visitor')}>
      <p className="hint">{t('site.claims-are')}</p>
      {schema ? (
        <ClaimsForm key={JSON.stringify(schema)} schema={schema} path={path} />
      ) : query.error ? (
        <Failure title={t('site.schema-cannot-shown')} error={query.error} />
      ) : (
        <Loading />
      )}
    </Part>
  )
}

/** Conditions to copy into pages and sections. */
function Conditions({ path }: { path: SitePath }) {
  const { data } = useApi(`${path}/adaptive-schema/template-conditions`)
  if (!data || data.items.length === 0) return null
  return (
    <Part title={t('site.conditions-to-copy')}>
      <ul className="rows">
        {data.items.map(({ condition, description }) => (
          <li key={condition}>
            <span className="name">
              <code>{condition}</code>
              <span>{description}</span>
            </span>
            <CopyButton text={condition} />
          </li>
        ))}
      </ul>
    </Part>
  )
}
