import { useState } from 'react'
import { Label, TextArea, TextField } from 'react-aria-components'
import { useApi, useChange, useList } from '../../api/api.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import type { SitePath } from '../../api/paths.ts'
import { ConditionField } from '../../ui/condition-field.tsx'
import { CheckField, ChoiceField, LineField, Part, Passed } from '../../ui/fields.tsx'
import { ConfirmButton, EditForm, FieldProblem } from '../../ui/forms.tsx'
import { DialogButton, Loaded, Named, Refusal, Rows } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import { printHeaders, readHeaders } from './header-lines.ts'
import type { SiteOptions } from './option-fields.tsx'
import { SiteFrame } from './site-frame.tsx'

type McpServer = Schemas['SiteMcpServer']

/** The MCP servers that the assistants of readers can use: that of the site, and those of others. */
export function SiteMcpScreen({ params }: { params: Record<string, string> }) {
  return (
    <SiteFrame params={params} title={t('site.mcp-servers')}>
      {({ site, path }) => (
        <>
          <OwnServer path={path} home={site.urls.published} />
          <OtherServers path={path} />
        </>
      )}
    </SiteFrame>
  )
}

/** The server of the site itself, and whether pages offer the addresses. */
function OwnServer({ path, home }: { path: SitePath; home: string | undefined }) {
  const query = useApi(`${path}/customization`)
  return (
    <Part title={t('site.mcp-of-site')}>
      <p className="hint">{t('site.mcp-of-site-hint')}</p>
      {home === undefined ? (
        <p className="hint">{t('site.mcp-when-published')}</p>
      ) : (
        <Passed text={`${home}~mcp`} />
      )}
      <Loaded query={query} title={t('common.settings-cannot-shown')}>
        {(options) => <MenuField options={options} path={path} />}
      </Loaded>
    </Part>
  )
}

function MenuField({ options, path }: { options: SiteOptions; path: SitePath }) {
  const { pageActions } = options
  const [isOn, setOn] = useState(pageActions.items.includes('mcp'))
  const save = useChange(`PUT ${path}/customization`, [`${path}/customization`])
  const change = (offered: boolean) => {
    setOn(offered)
    const others = pageActions.items.filter((item) => item !== 'mcp')
    save.mutate(
      { ...options, pageActions: { ...pageActions, items: offered ? [...others, 'mcp'] : others } },
      { onError: () => setOn(!offered) },
    )
  }
  return (
    <>
      <CheckField label={t('site.mcp-in-menu')} isChecked={isOn} onChange={change} />
      <Refusal error={save.error} />
    </>
  )
}

function OtherServers({ path }: { path: SitePath }) {
  const list = useList(`${path}/mcp-servers`)
  return (
    <Part title={t('site.mcp-of-others')} actions={<EditServer path={path} />}>
      <p className="hint">{t('site.mcp-of-others-hint')}</p>
      <Rows list={list} empty={t('site.mcp-of-others-empty')}>
        {(server) => <ServerRow key={server.id} server={server} path={path} />}
      </Rows>
    </Part>
  )
}

function ServerRow({ server, path }: { server: McpServer; path: SitePath }) {
  const { id, name, url, condition } = server
  const remove = useChange(`DELETE ${path}/mcp-servers/${id}`, [`${path}/mcp-servers`])
  return (
    <li>
      <span className="name">
        <span>
          {name}
          {condition !== undefined && <span className="tag">{t('site.mcp-for-some')}</span>}
        </span>
        <span>
          <code>{url}</code>
        </span>
      </span>
      <span className="row-actions">
        <EditServer path={path} server={server} />
        <ConfirmButton
          label={t('common.delete')}
          name={name}
          question={t('common.delete-title', { title: name })}
          text={t('site.mcp-deleted')}
          change={remove}
          onConfirm={(close) => remove.mutate(undefined, { onSuccess: close })}
        />
      </span>
    </li>
  )
}

/** A button that adds or changes a server. */
function EditServer({ path, server }: { path: SitePath; server?: McpServer }) {
  const title = server ? server.name : t('site.new-mcp-server')
  return (
    <DialogButton
      label={server ? <Named name={server.name}>{t('common.edit')}</Named> : title}
      title={title}
      kind={server ? 'small quiet' : 'button main'}
    >
      {(close) => <ServerForm path={path} server={server} close={close} />}
    </DialogButton>
  )
}

function ServerForm({
  path,
  server,
  close,
}: {
  path: SitePath
  server: McpServer | undefined
  close: () => void
}) {
  const [name, setName] = useState(server?.name ?? '')
  const [url, setUrl] = useState<string>(server?.url ?? '')
  const [transport, setTransport] = useState(server?.transport ?? 'http')
  const [lines, setLines] = useState(printHeaders(server?.headers ?? {}))
  const [condition, setCondition] = useState(server?.condition ?? '')
  const { headers, fault } = readHeaders(lines)
  const create = useChange(`POST ${path}/mcp-servers`, [`${path}/mcp-servers`])
  const update = useChange(`PATCH ${path}/mcp-servers/${server?.id ?? ''}`, [`${path}/mcp-servers`])
  const fields = { name, url, transport, headers }
  return (
    <EditForm
      change={server ? update : create}
      action={server ? t('common.save') : t('common.create')}
      close={close}
      onSubmit={() =>
        server
          ? update.mutate({ ...fields, condition: condition === '' ? null : condition }, { onSuccess: close })
          : create.mutate({ ...fields, ...(condition === '' ? {} : { condition }) }, { onSuccess: close })
      }
    >
      <LineField label={t('common.name')} value={name} onChange={setName} isRequired autoFocus />
      <LineField label={t('common.address')} type="url" value={url} onChange={setUrl} isRequired />
      <ChoiceField
        label={t('site.mcp-transport')}
        value={transport}
        onChange={setTransport}
        options={[
          ['http', t('site.mcp-http')],
          ['sse', t('site.mcp-sse')],
        ]}
      />
      <TextField
        className="field"
        value={lines}
        onChange={setLines}
        validate={() => (fault === undefined ? null : t('site.mcp-header-fault', { line: fault }))}
      >
        <Label>{t('site.mcp-headers')}</Label>
        <TextArea rows={3} spellCheck="false" dir="ltr" placeholder="Authorization: Bearer …" />
        <FieldProblem />
        <span className="hint">{t('site.mcp-headers-hint')}</span>
      </TextField>
      <ConditionField label={t('site.who-sees-it')} value={condition} onChange={setCondition} />
    </EditForm>
  )
}
