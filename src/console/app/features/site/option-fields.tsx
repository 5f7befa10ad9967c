/** The fields of the options of a site. */
import type { Schemas } from '../../api/operations/schemas.ts'
import { CheckField, ChoiceField, LineField } from '../../ui/fields.tsx'
import type { FormValues } from '../../ui/form-values.ts'
import { LanguageField } from '../../ui/language-field.tsx'
import { t } from '../../words/words.ts'
import { LinksField } from './site-links.tsx'

/** The settings of a site that the screen changes. It sends the others back as they are. */
export type SiteOptions = Schemas['Customization']

interface FieldsProps {
  form: FormValues<SiteOptions>
}

const LOCALES: readonly SiteOptions['internationalization']['locale'][] = [
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

/** The header of a site, and the links in it and in the footer. */
export function HeaderAndFooterFields({ form: { values, set } }: FieldsProps) {
  const { header, footer } = values
  const groups = footer.groups.length > 0 ? footer.groups : [{ title: '', links: [] }]
  return (
    <>
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
      {groups.map((group, at) => (
        <LinksField
          // oxlint-disable-next-line react/no-array-index-key -- groups have no other identity
          key={at}
          label={group.title || t('site.links-footer')}
          links={group.links}
          onChange={(links) =>
            set({
              footer: {
                ...footer,
                groups: groups.with(at, { ...group, links }).filter((one) => one.links.length > 0),
              },
            })
          }
        />
      ))}
    </>
  )
}

/** The announcement above all pages. */
export function AnnouncementFields({ form: { values, set } }: FieldsProps) {
  const { announcement } = values
  return (
    <>
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
            onChange={(style) => set({ announcement: { ...announcement, style } })}
            options={[
              ['info', t('common.information')],
              ['success', t('site.good-news')],
              ['warning', t('common.warning')],
              ['danger', t('common.danger')],
            ]}
          />
        </>
      )}
    </>
  )
}

/** The language of a site, and the style of its pages. */
export function PageStyleFields({ form: { values, set } }: FieldsProps) {
  const { internationalization, styling } = values
  const style = (changed: Partial<SiteOptions['styling']>) => set({ styling: { ...styling, ...changed } })
  return (
    <>
      <LanguageField
        label={t('site.language-buttons-texts-site')}
        value={internationalization.locale}
        onChange={(chosen) => {
          const locale = LOCALES.find((one) => one === chosen)
          if (locale) set({ internationalization: { locale } })
        }}
        only={LOCALES}
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
    </>
  )
}

/** What readers can do on a page besides reading, and the addresses that every page has. */
export function ReadingFields({ form: { values, set } }: FieldsProps) {
  const { pagination, feedback, pdf, git, externalLinks, privacyPolicy, socialPreview } = values
  return (
    <>
      <CheckField
        label={t('site.links-previous-next-page')}
        isChecked={pagination.enabled}
        onChange={(enabled) => set({ pagination: { enabled } })}
      />
      <CheckField
        label={t('site.readers-can-rate-pages')}
        isChecked={feedback.enabled}
        onChange={(enabled) => set({ feedback: { enabled } })}
      />
      <CheckField
        label={t('site.readers-can-download-pages')}
        isChecked={pdf.enabled}
        onChange={(enabled) => set({ pdf: { ...pdf, enabled } })}
      />
      <CheckField
        label={t('site.pages-link-source-git')}
        isChecked={git.showEditLink}
        onChange={(showEditLink) => set({ git: { showEditLink } })}
      />
      <CheckField
        label={t('site.links-other-websites-open')}
        isChecked={externalLinks.target === 'blank'}
        onChange={(isBlank) => set({ externalLinks: { target: isBlank ? 'blank' : 'self' } })}
      />
      <LineField
        label={t('site.address-privacy-policy')}
        type="url"
        value={privacyPolicy.url ?? ''}
        onChange={(url) => set({ privacyPolicy: url === '' ? {} : { url } })}
      />
      <LineField
        label={t('site.address-image-social-networks')}
        type="url"
        value={socialPreview.url ?? ''}
        onChange={(url) => set({ socialPreview: url === '' ? {} : { url } })}
      />
    </>
  )
}
