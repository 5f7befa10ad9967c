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
    <SiteFrame params={params} title={t('Options')}>
      {({ path }) => <SiteOptions path={path} />}
    </SiteFrame>
  )
}

function SiteOptions({ path }: { path: SitePath }) {
  const query = useApi(`${path}/customization`)
  return (
    <Loaded query={query} title={t('The settings cannot be shown')}>
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
      action={t('Save')}
      onSubmit={() =>
        save.mutate({
          ...draft,
          favicon: emoji === '' ? (draft.favicon.icon ? draft.favicon : {}) : { emoji: emojiCode(emoji) },
        })
      }
    >
      <Part title={t('Header and footer')}>
        <ChoiceField
          label={t('Header')}
          value={header.preset}
          onChange={(preset) => set({ header: { ...header, preset } })}
          options={[
            ['default', t('Plain')],
            ['bold', t('In the colour of the site')],
            ['contrast', t('In contrast')],
            ['custom', t('In custom colours')],
            ['none', t('None')],
          ]}
        />
        <LinksField
          label={t('Links in the header')}
          links={header.links}
          onChange={(links) => set({ header: { ...header, links } })}
        />
        {(draft.footer.groups.length > 0 ? draft.footer.groups : [{ title: '', links: [] }]).map(
          (group, at, groups) => (
            <LinksField
              // oxlint-disable-next-line react/no-array-index-key -- groups have no other identity
              key={at}
              label={group.title || t('Links in the footer')}
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
        <LineField label={t('Emoji in the tab of the browser')} value={emoji} onChange={setEmoji} />
      </Part>
      <Part title={t('Announcement')}>
        <CheckField
          label={t('Show an announcement above all pages')}
          isChecked={announcement?.enabled ?? false}
          onChange={(enabled) =>
            set({ announcement: { message: '', style: 'info', ...announcement, enabled } })
          }
        />
        {announcement?.enabled && (
          <>
            <LineField
              label={t('Text')}
              value={announcement.message}
              onChange={(message) => set({ announcement: { ...announcement, message } })}
              isRequired
            />
            <ChoiceField
              label={t('Style')}
              value={announcement.style}
              onChange={(next) => set({ announcement: { ...announcement, style: next } })}
              options={[
                ['info', t('Information')],
                ['success', t('Good news')],
                ['warning', t('Warning')],
                ['danger', t('Danger')],
              ]}
            />
          </>
        )}
      </Part>
      <Part title={t('Pages')}>
        <ChoiceField
          label={t('Language of the buttons and texts of the site')}
          value={draft.internationalization.locale}
          onChange={(locale) => set({ internationalization: { locale } })}
          options={LOCALES.map((code) => [code, names.of(code) ?? code])}
        />
        <ChoiceField
          label={t('Background')}
          value={styling.background}
          onChange={(background) => style({ background })}
          options={[
            ['plain', t('Plain')],
            ['match', t('In the colour of the site')],
          ]}
        />
        <ChoiceField
          label={t('Links in the text')}
          value={styling.links}
          onChange={(links) => style({ links })}
          options={[
            ['default', t('Underlined')],
            ['accent', t('In the colour of the site')],
          ]}
        />
        <ChoiceField
          label={t('Page tree')}
          value={styling.sidebar.list}
          onChange={(list) => style({ sidebar: { ...styling.sidebar, list } })}
          options={[
            ['default', t('Plain')],
            ['pill', t('The page is in a box')],
            ['line', t('The page has a line beside it')],
          ]}
        />
        <ChoiceField
          label={t('Icons')}
          value={styling.icons}
          onChange={(icons) => style({ icons })}
          options={[
            ['regular', t('Regular')],
            ['solid', t('Solid')],
            ['duotone', t('In two tones')],
            ['light', t('Thin lines')],
            ['thin', t('Very thin lines')],
          ]}
        />
        <ChoiceField
          label={t('Search')}
          value={styling.search}
          onChange={(search) => style({ search })}
          options={[
            ['prominent', t('A large field')],
            ['subtle', t('A small field')],
          ]}
        />
        <CheckField
          label={t('Links to the previous and the next page')}
          isChecked={draft.pagination.enabled}
          onChange={(enabled) => set({ pagination: { enabled } })}
        />
        <CheckField
          label={t('Readers can rate pages')}
          isChecked={draft.feedback.enabled}
          onChange={(enabled) => set({ feedback: { enabled } })}
        />
        <CheckField
          label={t('Readers can download pages as PDF')}
          isChecked={draft.pdf.enabled}
          onChange={(enabled) => set({ pdf: { ...draft.pdf, enabled } })}
        />
        <CheckField
          label={t('Pages link to their source in git')}
          isChecked={draft.git.showEditLink}
          onChange={(showEditLink) => set({ git: { showEditLink } })}
        />
        <CheckField
          label={t('Links to other websites open in a new tab')}
          isChecked={draft.externalLinks.target === 'blank'}
          onChange={(isBlank) => set({ externalLinks: { target: isBlank ? 'blank' : 'self' } })}
        />
        <LineField
          label={t('Address of the privacy policy')}
          type="url"
          value={draft.privacyPolicy.url ?? ''}
          onChange={(url) => set({ privacyPolicy: url === '' ? {} : { url } })}
        />
        <LineField
          label={t('Address of the image that social networks show')}
          type="url"
          value={draft.socialPreview.url ?? ''}
          onChange={(url) => set({ socialPreview: url === '' ? {} : { url } })}
        />
      </Part>
    </EditForm>
  )
}
