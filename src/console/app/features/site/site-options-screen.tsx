import { useState } from 'react'
import { useApi, useChange } from '../../api/api.ts'
import type { SitePath } from '../../api/paths.ts'
import { emojiCode, emojiText } from '../../ui/emoji-code.ts'
import { LineField, Part } from '../../ui/fields.tsx'
import { useFormValues } from '../../ui/form-values.ts'
import { EditForm } from '../../ui/forms.tsx'
import { Loaded } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import { SiteFrame } from './site-frame.tsx'
import {
  AnnouncementFields,
  HeaderAndFooterFields,
  ReadingFields,
  PageStyleFields,
  type SiteOptions,
} from './option-fields.tsx'

/** Everything about the appearance of a site besides its look. */
export function SiteOptionsScreen({ params }: { params: Record<string, string> }) {
  return (
    <SiteFrame params={params} title={t('common.options')}>
      {({ path }) => <SavedOptions path={path} />}
    </SiteFrame>
  )
}

function SavedOptions({ path }: { path: SitePath }) {
  const query = useApi(`${path}/customization`)
  return (
    <Loaded query={query} title={t('common.settings-cannot-shown')}>
      {(options) => <OptionsForm options={options} path={path} />}
    </Loaded>
  )
}

function OptionsForm({ options, path }: { options: SiteOptions; path: SitePath }) {
  const form = useFormValues(options)
  const [emoji, setEmoji] = useState(emojiText(options.favicon.emoji ?? ''))
  const save = useChange(`PUT ${path}/customization`, [`${path}/customization`])
  const { favicon } = form.values
  const withEmoji = emoji === '' ? (favicon.icon ? favicon : {}) : { emoji: emojiCode(emoji) }
  return (
    <EditForm
      change={save}
      action={t('common.save')}
      onSubmit={() => save.mutate({ ...form.values, favicon: withEmoji })}
    >
      <Part title={t('site.header-and-footer')}>
        <HeaderAndFooterFields form={form} />
        <LineField label={t('site.emoji-tab-browser')} value={emoji} onChange={setEmoji} />
      </Part>
      <Part title={t('site.announcement')}>
        <AnnouncementFields form={form} />
      </Part>
      <Part title={t('common.pages')}>
        <PageStyleFields form={form} />
        <ReadingFields form={form} />
      </Part>
    </EditForm>
  )
}
