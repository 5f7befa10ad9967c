import { useState } from 'react'
import { emojiCode, emojiText } from '../../ui/emoji-code.ts'
import { CheckField, ChoiceField, LineField, Part } from '../../ui/fields.tsx'
import { SiteFrame } from './site-frame.tsx'
import { LinksField } from './site-links.tsx'
import { useApi, useChange } from '../../api/api.ts'
import { EditForm } from '../../ui/forms.tsx'
import { Loaded } from '../../ui/parts.tsx'
import { language, t } from '../../words/words.ts'
import type { Schemas } from '../../api/operations/schemas.ts'
import type { SitePath } from '../../api/paths.ts'

/** The settings of a site that the screen changes. It sends the others back as they are. */
type Options = Schemas['Customization']

const LOCALES: readonly Options['internationalization']['locale'][] = [
  'en',
  'fr',
  'es',
  'zh',
  'ja',
  'de',
  'nl',
  'no',
  'pt-br',
  'ru',
]

/** Everything about the appearance of a site besides its look. */
export function SiteOptionsScreen({ params }: { params: Record<string, string> }) {
  return (
    <SiteFrame params={params} title={t('common.options')}>
      {({ path }) => <SiteOptions path={path} />}
    </SiteFrame>
  )
}

function SiteOptions({ path }: { path: SitePath }) {
  const query = useApi(`${path}/customization`)
  return (
    <Loaded query={query} title={t('common.settings-cannot-shown')}>
      {(options) => <OptionsForm options={options} path={path} />}
    </Loaded>
  )
}

function OptionsForm({ options, path }: { options: Options; path: SitePath }) {
  const [draft, setDraft] = useState(options)
  const [emoji, setEmoji] = useState(emojiText(options.favicon.emoji ?? ''))
  const save = useChange(`PUT ${path}/customization`, [`${path}/customization`])
  const { styling, header, announcement } = draft
  const set = (part: Partial<Options>) => setDraft({ ...draft, ...part })
  const style = (part: Partial<Options['styling']>) => set({ styling: { ...styling, ...part } })
  const names = new Intl.DisplayNames([language], { type: 'language' })
  return (
    <EditForm
      change={save}
      action={t('common.save')}
      onSubmit={() =>
        save.mutate({
          ...draft,
          favicon: emoji === '' ? (draft.favicon.icon ? draft.favicon : {}) : { emoji: emojiCode(emoji) },
        })
      }
    >
      <Part title={t('site.header-and-footer')}>
        <ChoiceField
          label={t('site.header')}
          value={header.preset}
          onChange={(preset) => set({ header: { ...header, preset } })}
          options={[
            ['default', t('site.plain')],
            ['bold', t('site.colour-site')],
            ['contrast', t('site.in-contrast')],
            ['custom', t('site.in-custom-colours')],
            ['none', t('common.none')],
          ]}
        />
        <LinksField
          label={t('site.links-header')}
          links={header.links}
          onChange={(links) => set({ header: { ...header, links } })}
        />
        {(draft.footer.groups.length > 0 ? draft.footer.groups : [{ title: '', links: [] }]).map(
          (group, at, groups) => (
            <LinksField
              // oxlint-disable-next-line react/no-array-index-key -- groups have no other identity
              key={at}
              label={group.title || t('site.links-footer')}
              links={group.links}
              onChange={(links) =>
                set({
                  footer: {
                    ...draft.footer,
                    groups: groups.with(at, { ...group, links }).filter((one) => one.links.length > 0),
                  },
                })
              }
            />
          ),
        )}
        <LineField label={t('site.emoji-tab-browser')} value={emoji} onChange={setEmoji} />
      </Part>
      <Part title={t('site.announcement')}>
        <CheckField
          label={t('site.show-announcement-above-all')}
          isChecked={announcement?.enabled ?? false}
          onChange={(enabled) =>
            set({ announcement: { message: '', style: 'info', ...announcement, enabled } })
          }
        />
        {announcement?.enabled && (
          <>
            <LineField
              label={t('block.text')}
              value={announcement.message}
              onChange={(message) => set({ announcement: { ...announcement, message } })}
              isRequired
            />
            <ChoiceField
              label={t('site.style')}
              value={announcement.style}
              onChange={(next) => set({ announcement: { ...announcement, style: next } })}
              options={[
                ['info', t('common.information')],
                ['success', t('site.good-news')],
                ['warning', t('common.warning')],
                ['danger', t('common.danger')],
              ]}
            />
          </>
        )}
      </Part>
      <Part title={t('common.pages')}>
        <ChoiceField
          label={t('site.language-buttons-texts-site')}
          value={draft.internationalization.locale}
          onChange={(locale) => set({ internationalization: { locale } })}
          options={LOCALES.map((code) => [code, names.of(code) ?? code])}
        />
        <ChoiceField
          label={t('common.background')}
          value={styling.background}
          onChange={(background) => style({ background })}
          options={[
            ['plain', t('site.plain')],
            ['match', t('site.colour-site')],
          ]}
        />
        <ChoiceField
          label={t('site.links-text')}
          value={styling.links}
          onChange={(links) => style({ links })}
          options={[
            ['default', t('site.underlined')],
            ['accent', t('site.colour-site')],
          ]}
        />
        <ChoiceField
          label={t('site.page-tree')}
          value={styling.sidebar.list}
          onChange={(list) => style({ sidebar: { ...styling.sidebar, list } })}
          options={[
            ['default', t('site.plain')],
            ['pill', t('site.page-box')],
            ['line', t('site.page-line-beside')],
          ]}
        />
        <ChoiceField
          label={t('common.icons')}
          value={styling.icons}
          onChange={(icons) => style({ icons })}
          options={[
            ['regular', t('site.regular')],
            ['solid', t('site.solid')],
            ['duotone', t('site.in-two-tones')],
            ['light', t('site.thin-lines')],
            ['thin', t('site.very-thin-lines')],
          ]}
        />
        <ChoiceField
          label={t('common.search')}
          value={styling.search}
          onChange={(search) => style({ search })}
          options={[
            ['prominent', t('site.a-large-field')],
            ['subtle', t('site.a-small-field')],
          ]}
        />
        <CheckField
          label={t('site.links-previous-next-page')}
          isChecked={draft.pagination.enabled}
          onChange={(enabled) => set({ pagination: { enabled } })}
        />
        <CheckField
          label={t('site.readers-can-rate-pages')}
          isChecked={draft.feedback.enabled}
          onChange={(enabled) => set({ feedback: { enabled } })}
        />
        <CheckField
          label={t('site.readers-can-download-pages')}
          isChecked={draft.pdf.enabled}
          onChange={(enabled) => set({ pdf: { ...draft.pdf, enabled } })}
        />
        <CheckField
          label={t('site.pages-link-source-git')}
          isChecked={draft.git.showEditLink}
          onChange={(showEditLink) => set({ git: { showEditLink } })}
        />
        <CheckField
          label={t('site.links-other-websites-open')}
          isChecked={draft.externalLinks.target === 'blank'}
          onChange={(isBlank) => set({ externalLinks: { target: isBlank ? 'blank' : 'self' } })}
        />
        <LineField
          label={t('site.address-privacy-policy')}
          type="url"
          value={draft.privacyPolicy.url ?? ''}
          onChange={(url) => set({ privacyPolicy: url === '' ? {} : { url } })}
        />
        <LineField
          label={t('site.address-image-social-networks')}
          type="url"
          value={draft.socialPreview.url ?? ''}
          onChange={(url) => set({ socialPreview: url === '' ? {} : { url } })}
        />
      </Part>
    </EditForm>
  )
}
