import { useState } from 'react'
import { Label, TextArea, TextField } from 'react-aria-components'
import { CheckField, CopyButton, Part } from '../../ui/fields.tsx'
import { SiteFrame } from './site-frame.tsx'
import type { SiteSettings } from '../../api/settings-types.ts'
import { useApi, useChange } from '../../api/api.ts'
import { EditForm, FieldProblem } from '../../ui/forms.tsx'
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

/** An example of a first schema. */
const EXAMPLE = {
  type: 'object',
  properties: {
    plan: { type: 'string', enum: ['free', 'pro'], description: 'The plan of the customer' },
  },
  additionalProperties: false,
}

/** The possible claims about a visitor, as a JSON schema. */
function Claims({ path }: { path: SitePath }) {
  const query = useApi(`${path}/adaptive-schema?orEmpty=true`)
  const known = query.data?.jsonSchema
  const schema = known && JSON.stringify(known.properties) === '{}' ? EXAMPLE : known
  return (
    <Part title={t('site.known-about-visitor')}>
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

function ClaimsForm({ schema, path }: { schema: object; path: SitePath }) {
  const [text, setText] = useState(JSON.stringify(schema, null, 2))
  const [wrong, setWrong] = useState<Error | null>(null)
  const save = useChange(`PUT ${path}/adaptive-schema`)
  const submit = () => {
    try {
      setWrong(null)
      save.mutate({ jsonSchema: JSON.parse(text) as Record<string, unknown> })
    } catch (error) {
      setWrong(error as Error)
    }
  }
  return (
    <EditForm
      change={{ ...save, error: wrong ?? save.error, isSuccess: save.isSuccess && !wrong }}
      action={t('common.save')}
      onSubmit={submit}
    >
      <TextField className="field" value={text} onChange={setText} isRequired>
        <Label>{t('site.claims-json-schema')}</Label>
        <TextArea className="source" rows={14} spellCheck="false" aria-describedby="claims-hint" />
        <span id="claims-hint" className="hint">
          {t('site.claim-sign-site-says')}
        </span>
        <FieldProblem />
      </TextField>
    </EditForm>
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
